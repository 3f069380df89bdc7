//go:build unix

package main

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// beginShown starts a job that is shown at a port of its own, and returns the page's address and what ends the job well.
func beginShown(t *testing.T, args ...string) (url string, end func()) {
	t.Helper()
	m := command(t, append([]string{"--serve-metrics", "127.0.0.1:0"}, args...)...)
	stdin, err := m.StdinPipe()
	require.NoError(t, err)
	m.Stderr = nil
	stderr, err := m.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, m.Start())
	lines := bufio.NewReader(stderr)
	welcome, err := lines.ReadString('\n')
	require.NoError(t, err)
	url = regexp.MustCompile(`http://\S+/`).FindString(welcome)
	require.NotEmpty(t, url, welcome)
	return url, func() {
		require.NoError(t, stdin.Close())
		rest, err := io.ReadAll(lines)
		require.NoError(t, err)
		require.Zero(t, m.status(t), string(rest))
	}
}

// scrape asks once, as Prometheus does, with a token unless it is empty.
func scrape(t *testing.T, url, token string) (status int, families map[string]*dto.MetricFamily) {
	t.Helper()
	ask, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+"metrics", nil)
	require.NoError(t, err)
	if token != "" {
		ask.Header.Set("Authorization", "Bearer "+token)
	}
	answer, err := (&http.Client{Timeout: 5 * time.Minute}).Do(ask)
	require.NoError(t, err)
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return answer.StatusCode, nil
	}
	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err = parser.TextToMetricFamilies(answer.Body)
	require.NoError(t, err)
	return answer.StatusCode, families
}

// sum is that of a metric of all ranks.
func sum(family *dto.MetricFamily) (all float64) {
	for _, m := range family.GetMetric() {
		all += m.GetCounter().GetValue() + m.GetGauge().GetValue()
	}
	return all
}

// What ranks send others receive: of a ring in which each rank has sent one message to the next, and all wait for rank 0 after that.
func TestMetricsOfARingBalance(t *testing.T) {
	const ranks, length = 3, 400_000
	for _, transport := range transports() {
		t.Run(transport, func(t *testing.T) {
			alone(t)
			url, end := beginShown(t, "--stats", "-n", "3", "--transport", transport, "RANK", "ring-held")
			var families map[string]*dto.MetricFamily
			for { // until all ranks have got theirs. It never gives up: a busy machine may take long, and then ranks that wait ask each other
				var status int
				status, families = scrape(t, url, "")
				require.Equal(t, http.StatusOK, status)
				if sum(families["sctpmpi_received_bytes_total"]) >= ranks*length && sum(families["sctpmpi_held_up_ranks"]) == ranks-1 {
					break
				}
			}
			assert.EqualValues(t, ranks, sum(families["sctpmpi_rank_state"]))
			for _, way := range []string{"sent", "received"} {
				questions := sum(families["sctpmpi_messages_"+way+"_total"]) - ranks
				assert.GreaterOrEqual(t, questions, 0.0, way)
				assert.EqualValues(t, ranks*length+questions, sum(families["sctpmpi_"+way+"_bytes_total"]), "%s: a question has one byte", way)
			}
			for _, name := range []string{"sctpmpi_sent_message_size_bytes", "sctpmpi_received_message_size_bytes"} {
				require.Len(t, families[name].GetMetric(), ranks)
				sizes := families[name].GetMetric()[0].GetHistogram()
				assert.EqualValues(t, length, sizes.GetSampleSum()-float64(sizes.GetSampleCount()-1), "the message, and questions")
			}
			assert.Positive(t, sum(families["sctpmpi_cpu_seconds_total"]))
			assert.Positive(t, sum(families["sctpmpi_resident_memory_bytes"]))
			end()
			_, err := (&http.Client{Timeout: 5 * time.Minute}).Get(url)
			assert.Error(t, err, "the server ends with the job")
		})
	}
}

func TestMetricsWithATokenOfAFile(t *testing.T) {
	alone(t)
	file, token := filepath.Join(t.TempDir(), "token"), strings.Repeat("0123456789", 3)
	require.NoError(t, os.WriteFile(file, []byte(token+"\n"), 0o600))
	url, end := beginShown(t, "--metrics-token-file", file, "-n", "1", "RANK", "watched")
	status, _ := scrape(t, url, "")
	assert.Equal(t, http.StatusUnauthorized, status)
	status, families := scrape(t, url, token)
	assert.Equal(t, http.StatusOK, status)
	assert.EqualValues(t, 1, sum(families["sctpmpi_ranks"]))
	end()
}

// An address that another program has is said before the job begins.
func TestMetricsAtAnAddressThatIsInUse(t *testing.T) {
	alone(t)
	url, end := beginShown(t, "-n", "1", "RANK", "watched")
	address := strings.Trim(strings.TrimPrefix(url, "http://"), "/")
	status, stdout, stderr := runMpirun(t, "--serve-metrics", address, "-n", "2", "RANK", "directory")
	assert.Equal(t, 1, status)
	assert.Empty(t, stdout, "no rank has begun")
	assert.Equal(t, fmt.Sprintf("mpirun: --serve-metrics %s: %[1]s is in use: choose another port\n", address), stderr)
	end()
}

func TestMetricsFlagsThatSayNothing(t *testing.T) {
	for flags, want := range map[string]string{
		"--serve-metrics=":           "--serve-metrics needs an address, such as 9100",
		"--serve-metrics=9100x":      `--serve-metrics "9100x": it must be a port, HOST:PORT, or :PORT for all interfaces`,
		"--metrics-token-file=token": "--metrics-token-file is for --serve-metrics",
	} {
		status, _, stderr := runMpirun(t, flags, "-n", "1", "RANK", "directory")
		assert.Equal(t, 2, status)
		assert.True(t, strings.HasPrefix(stderr, "mpirun: "+want), stderr)
	}
}
