package metrics

import (
	"flag"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/internal/sight"
)

// screenshots is a folder for pictures of the page, to be looked at.
var screenshots = flag.String("screenshots", "", "folder to write pictures of the page into")

// browser is the one that there is, with what it needs to run in a test.
func browser(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	for _, name := range []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			args = append([]string{"--headless", "--disable-gpu", "--disable-dev-shm-usage", "--user-data-dir=" + t.TempDir(), "--enable-logging=stderr", "--window-size=1500,1000",
				"--virtual-time-budget=3000"}, args...)
			if os.Geteuid() == 0 {
				args = append([]string{"--no-sandbox"}, args...)
			}
			return exec.CommandContext(t.Context(), path, args...)
		}
	}
	t.Skip("not run: needs a browser without a screen: apt-get install chromium")
	return nil
}

// shown are the elements of the page when a browser has shown it, of a job that has run for five minutes, and that ends after so many
// samples. The browser must not complain.
func shown(t *testing.T, ranks, samples int) string {
	t.Helper()
	dump := browser(t, "--dump-dom")
	mux, ended := newMux(afterMinutes(ranks)), newMux(&watch{look: func() (sight.Job, bool) { return sight.Job{}, false }})
	var asked atomic.Int32
	open := newAccess(nil, "0")
	s := httptest.NewServer(open.guard(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/sample.json" && int(asked.Add(1)) > samples {
			ended.ServeHTTP(w, r)
			return
		}
		mux.ServeHTTP(w, r)
	})))
	t.Cleanup(s.Close)
	url := s.URL + "/"
	var complaints strings.Builder
	dump.Args = append(dump.Args, url)
	dump.Stderr = &complaints
	page, err := dump.Output()
	require.NoError(t, err, complaints.String())
	if samples == many {
		assert.NotContains(t, complaints.String(), "CONSOLE", "neither errors of scripts, nor anything that the policy forbids")
	}
	if *screenshots != "" {
		asked.Store(0)
		out, err := browser(t, "--screenshot="+filepath.Join(*screenshots, fmt.Sprintf("page-%d-%d.png", ranks, samples)), url).CombinedOutput()
		require.NoError(t, err, string(out))
	}
	return string(page)
}

// many samples are more than a test asks for.
const many = 1000

// afterMinutes is a watch on a job whose rates go up and down, and that has been looked at each second for five minutes.
func afterMinutes(ranks int) *watch {
	seconds := 0
	w := &watch{look: func() (sight.Job, bool) {
		seconds++
		job := jobOf(ranks, seconds)
		for i := range job.Ranks {
			job.Ranks[i].Sent += uint64(200 * (1 - math.Cos(float64(seconds)/20)))
			job.Ranks[i].BytesSent += uint64(200_000 * (1 - math.Cos(float64(seconds)/30)))
		}
		return job, true
	}}
	for range 300 {
		w.begun = time.Time{} // as if a second had passed
		w.see()
	}
	return w
}

// The page of a small job names each rank; that of a large one has squares for several.
func TestABrowserShowsTheJob(t *testing.T) {
	for ranks, want := range map[int]struct{ squares, lines int }{1: {0, 1}, 8: {7, 8}, 1000: {125, 1000}} {
		t.Run(strconv.Itoa(ranks), func(t *testing.T) {
			page := shown(t, ranks, many)
			count := func(pattern string) int { return len(regexp.MustCompile(pattern).FindAllString(page, -1)) }
			assert.Contains(t, page, `<title>a "farm" (mpirun 17)</title>`)
			assert.Contains(t, page, `<p id="trouble" role="alert" hidden=""></p>`)
			assert.Equal(t, 3, count(`class="curve" d="M[^"]{1000,}"`), "a timeline of each of three rates, with all its steps")
			assert.GreaterOrEqual(t, count(`−\d min</text>`), 3*2, "minutes at their axes")
			assert.Equal(t, want.squares, count(`class="cell waits"`))
			assert.Equal(t, want.lines, count(`<tr><td>`))
			if ranks > 1 {
				assert.Contains(t, page, "rank 0 (computing): ")
				assert.Contains(t, page, "1s in Recv from the rank before")
			}
		})
	}
}

// When the job has ended the page says so, and keeps what it has shown last.
func TestABrowserKeepsTheJobThatHasEnded(t *testing.T) {
	page := shown(t, 8, 1)
	assert.Contains(t, page, `<p id="trouble" role="alert">the job has ended. This is how it was 5 min after its begin.</p>`)
	assert.Contains(t, page, "1s in Recv from the rank before")
	assert.Contains(t, page, `<body class="stale">`)
}
