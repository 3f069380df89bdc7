package bench

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/internal/measure"
	"github.com/sctpmpi/sctpmpi/cmd/internal/report"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

func TestChangesAreAgainstTheFirstProgressMode(t *testing.T) {
	p := progress{"inline", "event", "hybrid"}
	table := newTable("x", "transport", "progress", "bytes")
	put := func(transport, mode string, samples ...float64) *report.Point {
		point := table.slot(transport, mode, 8).Point
		point.Figures, point.Samples = map[string]measure.Figure{}, map[string][]float64{"wait_us": samples}
		return point
	}
	first := put("tcp", "inline", 100, 100, 100, 100, 100, 100)
	event := put("tcp", "event", 20, 21, 22, 23, 24, 25)
	hybrid := put("tcp", "hybrid", 150, 150, 150, 150, 150, 150)
	alone := put("sctp", "event", 1)
	p.compare(table.Table, "wait_us", "not measured")
	change := event.Figures["wait_us_change"]
	assert.InDelta(t, -77.5, change.Median, 1e-9)
	assert.GreaterOrEqual(t, change.Low, -80.0)
	assert.LessOrEqual(t, change.High, -75.0)
	assert.GreaterOrEqual(t, change.Confidence, measure.Enough)
	assert.InDelta(t, 50, hybrid.Figures["wait_us_change"].Median, 1e-9)
	assert.Empty(t, first.Figures)
	assert.Empty(t, alone.Figures, "there is nothing to compare it with")
	assert.Len(t, hybrid.Figures, 1)
}

func TestChangeFromNothingIsNoNumber(t *testing.T) {
	p := progress{"inline", "event"}
	table := newTable("x", "progress")
	for _, mode := range p {
		point := table.slot(mode).Point
		point.Figures, point.Samples = map[string]measure.Figure{}, map[string][]float64{"wait_us": {map[string]float64{"event": 1}[mode]}}
	}
	p.compare(table.Table, "wait_us")
	assert.Empty(t, table.Point("event").Figures, "it could not be written as JSON")
}

func TestWithoutProgressModesTheOneOfTheRanksIsMeasured(t *testing.T) {
	t.Setenv(rpi.EnvProgress, "event")
	assert.Equal(t, []mode{{name: "event"}}, progress(nil).modes())
	t.Setenv(rpi.EnvProgress, "")
	assert.Equal(t, []mode{{name: "hybrid"}}, progress(nil).modes())
}

// TestChartsOfAllTransportsCanBeDrawn: a chart can tell only so many lines apart.
func TestChartsOfAllTransportsCanBeDrawn(t *testing.T) {
	modes := progress{"inline", "event", "hybrid"}
	o := Options{Transports: []string{"sctp-engine", "sctp-kernel", "sctp-pertrc", "tcp-perpair", "tcp-pertrc"}}
	for _, b := range []Benchmark{
		&Latency{sizes: []int{8, 16}, progress: modes},
		&Bandwidth{flood{sizes: []int{8, 16}, goroutines: []int{1}, tags: []int{1}, window: 1, progress: modes}},
		&Unexpected{sizes: []int{8, 16}, window: 1, progress: modes},
		&Overlap{sizes: []int{8, 16}, compute: []string{"1M", "10M", "100M"}, progress: modes},
	} {
		p := b.Plan(o)
		for _, table := range p.Tables {
			for _, point := range table.Points {
				point.Figures, point.Samples = map[string]measure.Figure{}, map[string][]float64{}
				for _, figure := range []string{"half_rtt_us", "gbit_s", "message_us", "wait_us", "total_us", "sender_cores", "receiver_cores"} {
					point.Figures[figure], point.Samples[figure] = measure.Range(1), []float64{1}
				}
			}
		}
		r := &report.Report{Tables: p.Tables}
		p.Derive(r)
		folder := t.TempDir()
		var out report.Output
		fs := pflag.NewFlagSet("", pflag.ContinueOnError)
		out.Flags(fs)
		require.NoError(t, fs.Parse([]string{"--plot", filepath.Join(folder, "chart.svg")}))
		require.NoError(t, out.Write(r, io.Discard), "%T", b)
		files, err := os.ReadDir(folder)
		require.NoError(t, err)
		assert.Len(t, files, map[string]int{"latency": 1, "bandwidth": 3, "unexpected": 6, "overlap": 10}[p.Tables[0].Name], "%T", b)
	}
}
