package trace_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/trace"
)

// event is what is read of an event of a joined trace.
type event struct {
	Name     string         `json:"name"`
	Kind     string         `json:"ph"`
	Rank     int            `json:"pid"`
	Track    int            `json:"tid"`
	Time     float64        `json:"ts"`
	Duration float64        `json:"dur"`
	Args     map[string]any `json:"args"`
}

func read(t *testing.T, name string) (events []event) {
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &events), "%s", text)
	return events
}

func TestTheEventsOfAllRanksAreOneTrace(t *testing.T) {
	name := filepath.Join(t.TempDir(), "trace.json")
	begin := time.Unix(1000, 5678)
	for rank := range 2 {
		r, err := trace.Create(name, rank, "rank")
		require.NoError(t, err)
		r.Track(1, "calls")
		r.Span(1, "Recv", begin, begin.Add(1500*time.Nanosecond), trace.Text("at", `a "file".go:3`), trace.Number("bytes", 8))
		r.Point(0, "send", begin)
		require.NoError(t, r.Close())
		r.Point(0, "after the end", begin)
	}
	missing, err := trace.Join(name, 3, func(int) time.Duration { return 0 })
	require.NoError(t, err)
	assert.Equal(t, []int{2}, missing)
	all := read(t, name)
	require.Len(t, all, 2*5)
	assert.Equal(t, event{Name: "process_name", Kind: "M", Args: map[string]any{"name": "rank"}}, all[0])
	assert.Equal(t, event{
		Name: "Recv", Kind: "X", Rank: 1, Track: 1, Time: 1000_000_005.678, Duration: 1.5,
		Args: map[string]any{"at": `a "file".go:3`, "bytes": 8.},
	}, all[8])
	parts, err := filepath.Glob(name + ".*")
	require.NoError(t, err)
	assert.Empty(t, parts)
}

// The times of a rank on another host are made those of this host's clock.
func TestClocksOfSeveralHostsAreAligned(t *testing.T) {
	name := filepath.Join(t.TempDir(), "trace.json")
	begin, ahead := time.Unix(1000, 0), []time.Duration{0, 1500*time.Millisecond + 1, -2 * time.Second}
	for rank, by := range ahead {
		r, err := trace.Create(name, rank, "rank")
		require.NoError(t, err)
		r.Span(0, `","ts":7,"`, begin.Add(by), begin.Add(by+time.Microsecond), trace.Text("at", `,"ts":7,`))
		require.NoError(t, r.Close())
	}
	_, err := trace.Join(name, len(ahead), func(rank int) time.Duration { return ahead[rank] })
	require.NoError(t, err)
	for _, e := range read(t, name) {
		if e.Kind == "X" {
			assert.Equal(t, event{
				Name: `","ts":7,"`, Kind: "X", Rank: e.Rank, Time: 1000_000_000, Duration: 1, Args: map[string]any{"at": `,"ts":7,`},
			}, e)
		}
	}
}

func TestNoRankHasATrace(t *testing.T) {
	name := filepath.Join(t.TempDir(), "trace.json")
	_, err := trace.Join(name, 2, func(int) time.Duration { return 0 })
	require.NoError(t, err)
	assert.Empty(t, read(t, name))
}

// What comes from another host is bounded, and all of it is taken, so that what follows can come.
func TestThePartOfAnotherHostIsSaved(t *testing.T) {
	name := filepath.Join(t.TempDir(), "trace.json")
	require.NoError(t, trace.Save(name, 0, strings.NewReader("")))
	assert.NoFileExists(t, trace.FileOf(name, 0))
	require.NoError(t, trace.Save(name, 1, strings.NewReader("{},\n")))
	text, err := os.ReadFile(trace.FileOf(name, 1))
	require.NoError(t, err)
	assert.Equal(t, "{},\n", string(text))
	from := strings.NewReader("more")
	require.ErrorIs(t, trace.Save(filepath.Join(name, "no", "folder"), 2, from), os.ErrNotExist)
	assert.Zero(t, from.Len())
}

// Of a rank that was killed the last line may be cut.
func TestTheTraceOfAKilledRankIsRead(t *testing.T) {
	name := filepath.Join(t.TempDir(), "trace.json")
	r, err := trace.Create(name, 0, "rank 0")
	require.NoError(t, err)
	r.Point(0, "send", time.Now())
	require.NoError(t, r.Close())
	text, err := os.ReadFile(trace.FileOf(name, 0))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(trace.FileOf(name, 0), text[:len(text)-5], 0o666))
	_, err = trace.Join(name, 1, func(int) time.Duration { return 0 })
	require.NoError(t, err)
	assert.Len(t, read(t, name), 2)
}

// Another user may put links where the parts of a trace will be, if the folder is open to all, such as /tmp: what they lead to is
// neither emptied nor read.
func TestNoPartOfATraceIsALink(t *testing.T) {
	name := filepath.Join(t.TempDir(), "trace.json")
	secret := filepath.Join(t.TempDir(), "secret")
	require.NoError(t, os.WriteFile(secret, []byte("{\"secret\":1},\n"), 0o600))
	links := func() {
		for rank := range 2 {
			_ = os.Remove(trace.FileOf(name, rank))
			require.NoError(t, os.Symlink(secret, trace.FileOf(name, rank)))
		}
	}
	for _, make := range []func() error{
		func() error {
			r, err := trace.Create(name, 0, "rank 0")
			require.NoError(t, err)
			return r.Close()
		},
		func() error { return trace.Save(name, 0, strings.NewReader("{},\n")) },
	} {
		links()
		require.NoError(t, make())
		info, err := os.Lstat(trace.FileOf(name, 0))
		require.NoError(t, err)
		assert.True(t, info.Mode().IsRegular())
		_, err = trace.Join(name, 2, func(int) time.Duration { return 0 })
		require.ErrorContains(t, err, trace.FileOf(name, 1)+" is no file of a rank")
		for _, file := range []string{name, secret} {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			assert.Equal(t, file == secret, strings.Contains(string(text), "secret"), file)
		}
	}
	links()
	require.NoError(t, trace.Clear(name, 2))
	assert.NoFileExists(t, trace.FileOf(name, 0))
	assert.FileExists(t, secret)
}

// What cannot be removed, as it is another user's in a folder like /tmp, is found out before the job begins.
func TestWhatIsInTheWayOfATrace(t *testing.T) {
	name := filepath.Join(t.TempDir(), "trace.json")
	require.NoError(t, os.MkdirAll(filepath.Join(trace.FileOf(name, 1), "in the way"), 0o700))
	require.ErrorContains(t, trace.Clear(name, 2), trace.FileOf(name, 1))
	_, err := trace.Create(name, 1, "rank 1")
	require.ErrorIs(t, err, os.ErrExist)
	require.ErrorIs(t, trace.Save(name, 1, strings.NewReader("{},\n")), os.ErrExist)
}

// The file of all ranks is not written through a link either.
func TestNoTraceIsALink(t *testing.T) {
	folder := t.TempDir()
	name, aim := filepath.Join(folder, "trace.json"), filepath.Join(folder, "precious")
	require.NoError(t, os.WriteFile(aim, []byte("precious"), 0o600))
	if err := os.Symlink(aim, name); err != nil {
		t.Skipf("links cannot be made here: %v", err)
	}
	_, err := trace.CreateWhole(name)
	require.ErrorContains(t, err, name+" is a link")
	_, err = trace.Join(name, 1, func(int) time.Duration { return 0 })
	require.ErrorContains(t, err, name+" is a link")
	text, err := os.ReadFile(aim)
	require.NoError(t, err)
	require.Equal(t, "precious", string(text))
}

func TestTraceThatCannotBeWritten(t *testing.T) {
	_, err := trace.Create(filepath.Join(t.TempDir(), "there", "is", "none"), 0, "rank 0")
	require.ErrorIs(t, err, os.ErrNotExist)
	if full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0); err == nil {
		r := trace.RecordIn(full, 0, "rank 0")
		r.Point(0, "send", time.Now())
		require.ErrorContains(t, r.Close(), "no space left on device")
	}
}
