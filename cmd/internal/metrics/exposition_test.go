package metrics

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/internal/sight"
	"github.com/sctpmpi/sctpmpi/internal/stats"
)

// full is a view in which every metric has a value.
func full() *view {
	w := &watch{look: func() (sight.Job, bool) {
		job := jobOf(3, 60)
		job.Ranks[2].State, job.Ranks[2].Age = sight.Silent, 4*time.Second
		for i := range job.Ranks {
			job.Ranks[i].Lengths = &stats.Lengths{Sent: stats.Histogram{5, 1, 9: 300, 40: 2}, Received: stats.Histogram{7}}
		}
		return job, true
	}}
	return w.see()
}

func parse(t *testing.T, text []byte) map[string]*dto.MetricFamily {
	t.Helper()
	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err := parser.TextToMetricFamilies(bytes.NewReader(text))
	require.NoError(t, err)
	return families
}

// value is that of a metric of a rank.
func value(t *testing.T, families map[string]*dto.MetricFamily, name, rank string) float64 {
	t.Helper()
	require.Contains(t, families, name)
	for _, m := range families[name].GetMetric() {
		for _, label := range m.GetLabel() {
			if label.GetName() == "rank" && label.GetValue() == rank {
				return m.GetCounter().GetValue() + m.GetGauge().GetValue()
			}
		}
	}
	require.Fail(t, "no "+name+" of rank "+rank)
	return 0
}

func TestPrometheusReadsTheMetrics(t *testing.T) {
	families := parse(t, full().plain())
	for name, want := range map[string]float64{
		"sctpmpi_messages_sent_total": 600, "sctpmpi_messages_received_total": 600, "sctpmpi_sent_bytes_total": 300_000, "sctpmpi_received_bytes_total": 300_000,
		"sctpmpi_cpu_seconds_total": 30, "sctpmpi_retransmissions_total": 60, "sctpmpi_unexpected_messages": 3, "sctpmpi_resident_memory_bytes": 20 << 20,
		"sctpmpi_waiting_seconds": 1.5, "sctpmpi_held_up_ranks": 0, "sctpmpi_sample_age_seconds": 0, "sctpmpi_round_trip_max_seconds": 0.002,
	} {
		assert.InDelta(t, want, value(t, families, name, "1"), 1e-9, name)
	}
	assert.EqualValues(t, 1, value(t, families, "sctpmpi_held_up_ranks", "0"))
	assert.EqualValues(t, 4, value(t, families, "sctpmpi_sample_age_seconds", "2"))
	assert.Len(t, families["sctpmpi_rank_state"].GetMetric(), 3*len(sight.States))
	assert.Len(t, families["sctpmpi_peer_round_trip_seconds"].GetMetric(), 3*2)
	sizes := families["sctpmpi_sent_message_size_bytes"].GetMetric()[0].GetHistogram()
	assert.EqualValues(t, 308, sizes.GetSampleCount())
	assert.EqualValues(t, 300_000, sizes.GetSampleSum())
	counts := make(map[float64]uint64)
	for _, b := range sizes.GetBucket() {
		counts[b.GetUpperBound()] = b.GetCumulativeCount()
	}
	assert.Equal(t, []uint64{5, 6, 6, 306, 306}, []uint64{counts[0], counts[63], counts[255], counts[1023], counts[1<<30-1]})
}

// The names, units and help texts follow Prometheus's practices.
func TestPrometheusFindsNothingToBlame(t *testing.T) {
	problems, err := promlint.New(bytes.NewReader(full().plain())).Lint()
	require.NoError(t, err)
	assert.Empty(t, problems)
}

// What is written as OpenMetrics is, byte for byte, what Prometheus's own library makes of the same metrics, but for the units.
func TestOpenMetricsIsWhatPrometheusWrites(t *testing.T) {
	v := full()
	families := parse(t, v.plain())
	var want bytes.Buffer
	for _, name := range regexp.MustCompile(`(?m)^# TYPE (\S+)`).FindAllSubmatch(v.plain(), -1) {
		_, err := expfmt.MetricFamilyToOpenMetrics(&want, families[string(name[1])])
		require.NoError(t, err)
	}
	_, err := expfmt.FinalizeOpenMetrics(&want)
	require.NoError(t, err)
	units := regexp.MustCompile(`(?m)^# UNIT (\S+)_(\S+) (\S+)\n`)
	for _, unit := range units.FindAllSubmatch(v.openMetrics(), -1) {
		assert.Equal(t, string(unit[2][bytes.LastIndexByte(unit[2], '_')+1:]), string(unit[3]), "the name ends with the unit")
	}
	assert.Equal(t, want.String(), string(units.ReplaceAll(v.openMetrics(), nil)))
}

func TestTheFormatIsTheOneThatIsAskedFor(t *testing.T) {
	w, _ := watching(2)
	mux := newMux(w)
	answer := get(mux, "/metrics", "Accept", "application/openmetrics-text;version=1.0.0;q=0.6,text/plain;version=0.0.4;q=0.5,*/*;q=0.1")
	assert.Equal(t, expfmt.TypeOpenMetrics, expfmt.ResponseFormat(answer.Header()).FormatType())
	assert.True(t, strings.HasSuffix(answer.Body.String(), "\n# EOF\n"))
	answer = get(mux, "/metrics")
	assert.Equal(t, expfmt.TypeTextPlain, expfmt.ResponseFormat(answer.Header()).FormatType())
	assert.NotContains(t, answer.Body.String(), "EOF")
}

// Names of programs and hosts may have any bytes. Prometheus takes none that are no UTF-8.
func TestLabelsOfAnyBytes(t *testing.T) {
	for _, open := range []bool{false, true} {
		e := exposition{open: open}
		e.begin(metric{"a", gauge, "A."})
		e.add(1, "name", "a\"b\\c\nd\xffe")
		assert.Contains(t, string(e.end()), `a{name="a\"b\\c\nd`+"\ufffd"+`e"} 1`)
	}
}

// A large job has a bounded number of series for each rank, and says what is left out.
func TestPairsOfALargeJobAreLeftOut(t *testing.T) {
	for size, pairs := range map[int]int{mostRanksWithPeers: 2 * mostRanksWithPeers, mostRanksWithPeers + 1: 0} {
		w, _ := watching(size)
		text := w.see().plain()
		assert.Equal(t, pairs, bytes.Count(text, []byte("\nsctpmpi_peer_round_trip_seconds{")))
		assert.Contains(t, string(text), "Not in jobs of more than 33 ranks.")
		assert.Equal(t, size, bytes.Count(text, []byte("\nsctpmpi_round_trip_max_seconds{")))
	}
}

// Of a rank that has said nothing yet there is its state, and no count that would fall later.
func TestARankThatHasSaidNothingHasNoCounts(t *testing.T) {
	w := &watch{look: func() (sight.Job, bool) {
		job := jobOf(2, 1)
		job.Ranks[1] = sight.Rank{Rank: 1, State: sight.Starting}
		return job, true
	}}
	families := parse(t, w.see().plain())
	assert.Len(t, families["sctpmpi_messages_sent_total"].GetMetric(), 1)
	assert.Len(t, families["sctpmpi_rank_state"].GetMetric(), 2*len(sight.States))
}
