package bench

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/internal/measure"
	"github.com/sctpmpi/sctpmpi/cmd/internal/report"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/rank"
)

func TestLogGPParametersFollowFromWhatWasMeasured(t *testing.T) {
	b := &LogGP{operations: []string{rank.Send}, targets: []int{1}, depths: []int{1, 64}, sizes: []int{500, 1000}}
	r := &report.Report{Tables: b.Plan(Options{Transports: []string{"tcp"}}).Tables}
	set := func(depth, bytes int, figures map[string]float64) {
		p := r.Table(gapTable).Point("tcp", rank.Send, 1, "coalesced", depth, bytes)
		p.Figures = make(map[string]measure.Figure)
		for name, value := range figures {
			p.Figures[name] = measure.Range(value)
		}
	}
	set(1, 8, map[string]float64{"eel_us": 10, "gap_us": 20, "send_us": 1, "receive_us": 2})
	set(64, 8, map[string]float64{"gap_us": 0.5, "send_us": 0.4, "receive_us": 0.3})
	set(64, 500, map[string]float64{"gap_us": 1.5})
	set(64, 1000, map[string]float64{"gap_us": 4.5})
	for _, p := range r.Table(gapTable).Points {
		if p.Figures == nil {
			p.Figures = make(map[string]measure.Figure) // as a report has it
		}
	}
	b.derive(r)
	p := r.Table(loggpTable).Point("tcp", rank.Send, 1, "coalesced")
	for name, want := range map[string]float64{
		"eel_us": 10, "send_us": 1, "receive_us": 2, "gap_one_us": 20, "gap_us": 0.5, "gap_ns_byte": 4, "large_bytes": 125,
	} {
		value, ok := p.Median(name)
		assert.True(t, ok, name)
		assert.InEpsilon(t, want, value, 1e-9, name)
	}
	perByte, _ := r.Table(gapTable).Point("tcp", rank.Send, 1, "coalesced", 64, 500).Median("gap_ns_byte")
	assert.InEpsilon(t, 2.0, perByte, 1e-9, "G of each length")
	assert.NotContains(t, p.Figures, "latency_us", "L does not follow from the others")
	overheads := r.Table(overheadTable)
	require.Len(t, overheads.Points, 2)
	send, _ := overheads.Point("tcp", rank.Send, 1, "coalesced", 64, 8).Median("send_us")
	assert.InEpsilon(t, 0.4, send, 1e-9, "overheads at each depth")
	assert.Empty(t, r.Table(loggpTable).Point("tcp", rank.Send, 1, single).Figures)
}

func TestFiguresOfAGroupAreMeans(t *testing.T) {
	assert.Equal(t, rank.Figures{"a": 2, "b": 5}, means([]rank.Figures{{"a": 1, "b": 5}, {"a": 3, "b": 5}}))
}

func TestEverySlotOfAPlanIsAPointOfItsTables(t *testing.T) {
	o := Options{Transports: []string{"sctp-engine", "tcp-perpair"}, Duration: time.Millisecond}
	one := flood{sizes: []int{1}, goroutines: []int{1}, tags: []int{1}, window: 1, progress: progress{"inline", "event"}}
	for _, b := range []Benchmark{
		&Latency{sizes: []int{1}}, &Bandwidth{one}, &Rate{one}, &LogGP{operations: []string{rank.Send, rank.Put}, links: []string{"tcp"}, targets: []int{1, 2}, depths: []int{1, 2}, sizes: []int{9}},
		&Overlap{sizes: []int{1}, compute: []string{"1us", "2M"}}, &Unexpected{sizes: []int{1}}, &Matching{depths: []int{1}},
		&PushBack{names: []string{"2x3x4"}, unread: []rank.Unread{{Tags: 2, Messages: 3, Size: 4}}, sizes: []int{1, 2}},
		&Multiprogram{works: []string{synthetic, "lu"}, class: "S", ranks: 2, copies: []int{2}, sequential: []int{1}}, &Oversubscribe{ranks: []int{2}},
		&Collectives{ranks: []int{2}, sizes: []int{8, 16}, operations: rank.Operations()}, &Peers{idle: 3},
	} {
		p := b.Plan(o)
		points := make(map[*report.Point]bool)
		for _, table := range p.Tables {
			for _, point := range table.Points {
				assert.Len(t, point.At, len(table.Dims), "%T", b)
				points[point] = true
			}
		}
		require.NotEmpty(t, points)
		filled := make(map[*report.Point]bool)
		for _, job := range p.Jobs {
			assert.NotEmpty(t, job.Name)
			assert.Positive(t, job.Limit)
			for _, slot := range job.Slots {
				assert.True(t, points[slot.Point], "%T", b)
				filled[slot.Point] = true
			}
		}
		assert.Len(t, filled, len(points), "%T: every point is measured", b)
	}
}

func TestBarrierIsMeasuredOnceWhateverTheSizes(t *testing.T) {
	b := &Collectives{ranks: []int{2}, sizes: []int{8, 16}, operations: []string{barrier, allreduce}}
	assert.Len(t, b.Plan(Options{Transports: []string{"tcp"}}).Tables[0].Points, 3)
}

func TestUnexpectedMessagesThatNeedMoreThanThereIsAreNotMeasured(t *testing.T) {
	b := &Matching{depths: []int{10_000, 60_000, 100_000}}
	p := b.Plan(Options{Transports: []string{"sctp-engine", "tcp-pertrc", "sctp-pertrc"}})
	assert.Equal(t, map[string]string{
		"tcp-pertrc beside 60000 unexpected messages":   "each needs sockets at both ends, more than a process may have",
		"tcp-pertrc beside 100000 unexpected messages":  "each needs sockets at both ends, more than a process may have",
		"sctp-pertrc beside 100000 unexpected messages": "each needs a stream, more than an association has",
	}, p.Missing)
	assert.Len(t, p.Jobs, 3*2*3-len(p.Missing))
}

func TestTagsThatNeedMoreSocketsThanThereAreAreNotMeasured(t *testing.T) {
	b := &Rate{flood{sizes: []int{8}, goroutines: []int{1}, tags: []int{1, 5000, 5001}, window: 64}}
	p := b.Plan(Options{Transports: []string{"sctp-pertrc", "tcp-pertrc"}})
	assert.Equal(t, map[string]string{
		"tcp-pertrc with 5001 tags": "each needs sockets at both ends, more than a process may have",
	}, p.Missing, "streams are given on")
	assert.Len(t, p.Jobs, 5)
}

func TestTagsThatNeedMoreThanThereIsAreNotLeftUnread(t *testing.T) {
	b := &PushBack{names: []string{"10000x2x1", "60000x1x1"}, sizes: []int{8, 16}, window: 64}
	require.NoError(t, b.Check())
	p := b.Plan(Options{Transports: []string{"sctp-pertrc", "tcp-pertrc"}})
	assert.Equal(t, map[string]string{
		"tcp-pertrc beside 60000x1x1": "each needs sockets at both ends, more than a process may have",
	}, p.Missing)
	assert.Len(t, p.Jobs, 3*2, "a job for each length, since memory that has been used is there for the next")
}

func TestGroupEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := group{mix: mix{2, 1}}.run(ctx)
	assert.Error(t, err)
}

func TestTimesOfKernelsAreComparedWithTheFirstModeTransportAndRanks(t *testing.T) {
	b := &NAS{kernels: []string{"lu", "ft"}, class: "s", ranks: []int{1, 4}, progress: []string{"inline", "event"}}
	r := &report.Report{Tables: b.Plan(Options{Transports: []string{"tcp", "sctp"}}).Tables}
	nas := r.Table(nasTable)
	require.Len(t, nas.Points, 16)
	for _, p := range nas.Points {
		seconds := 8.
		if p.At[1] == 4 {
			seconds = 4
		}
		if p.At[2] == "event" {
			seconds /= 2
		}
		if p.At[3] == "sctp" && p.At[0] == "lu" {
			seconds *= 4
		}
		p.Samples = map[string][]float64{timeS: {seconds, seconds, seconds}}
		p.Figures = map[string]measure.Figure{timeS: measure.Range(seconds)}
	}
	b.derive(r, "tcp")
	p := nas.Point("lu", 4, "event", "sctp", "lu.S.4")
	assert.Equal(t, 0.5, p.Figures[byMode].Median)
	assert.Equal(t, 3, p.Figures[byMode].N)
	assert.Equal(t, 4., p.Figures[byNetwork].Median)
	assert.Equal(t, 2., p.Figures[speedUp].Median)
	means := r.Table(nasMeans)
	require.Len(t, means.Points, 4)
	assert.Equal(t, []any{"inline", "sctp"}, means.Points[1].At, "in the order of the runs")
	mean, _ := means.Point("event", "sctp").Median(byNetwork)
	assert.InDelta(t, 2, mean, 1e-12, "the geometric mean of 4 and 1")
}
