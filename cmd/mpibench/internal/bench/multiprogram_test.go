package bench

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/internal/measure"
	"github.com/sctpmpi/sctpmpi/cmd/internal/report"
)

// derived is a report of a benchmark whose jobs have each given the same samples of one round. The names of jobs choose them.
func derived(b *Multiprogram, samples map[string]map[string]float64) *report.Report {
	p := b.Plan(Options{Transports: []string{"tcp"}})
	r := &report.Report{Tables: p.Tables}
	for _, t := range r.Tables {
		for _, point := range t.Points {
			point.Figures, point.Samples = map[string]measure.Figure{}, map[string][]float64{}
		}
	}
	for _, job := range p.Jobs {
		for name, value := range samples[job.Name] {
			point := job.Slots[0].Point
			point.Samples[name], point.Figures[name] = []float64{value}, measure.Range(value)
		}
	}
	p.Derive(r)
	return r
}

func TestSlowdownIsAgainstOneCopyAlone(t *testing.T) {
	b := &Multiprogram{works: []string{synthetic}, class: "S", ranks: 2, copies: []int{3}, sequential: []int{2}}
	times := func(seconds float64) map[string]float64 {
		return map[string]float64{"slowest_s": seconds, "wall_s": seconds, "cpu_s": 2, "waited_s": 1, "blocked_s": 1}
	}
	r := derived(b, map[string]map[string]float64{
		"synthetic over tcp, block only, 1 copy":               times(2),
		"synthetic over tcp, block only, 3 copies":             times(6),
		"synthetic over tcp, block only, 1 copy +2 sequential": times(12),
		"synthetic over tcp, spin only, 3 copies":              times(6),
	})
	figure := func(waiting, on, name string) any {
		if value, ok := r.Table(mixTable).Point("tcp", synthetic, waiting, on).Median(name); ok {
			return value
		}
		return nil
	}
	assert.Equal(t, 1.0, figure("block only", "1 copy", "slowdown"))
	assert.Equal(t, 3.0, figure("block only", "3 copies", "slowdown"))
	assert.Equal(t, 1.0, figure("block only", "3 copies", "slowdown_fair"))
	assert.Equal(t, 6.0, figure("block only", "1 copy +2 sequential", "slowdown"))
	assert.Equal(t, 2.0, figure("block only", "1 copy +2 sequential", "slowdown_fair"), "there are two programs on each core beside each rank")
	assert.Nil(t, figure("spin only", "3 copies", "slowdown"), "there is nothing to compare with")
}

func TestFairShareIsOfProgramsOnEachCore(t *testing.T) {
	assert.Equal(t, 1.0, alone.fair(2))
	assert.Equal(t, 3.0, mix{copies: 3}.fair(8))
	assert.Equal(t, 4.0, mix{copies: 1, sequential: 3}.fair(2))
	assert.Equal(t, 1.5, mix{copies: 1, sequential: 2}.fair(8), "four ranks on each core, and two programs")
}

// TestPartsOfTheTimeAreAllOfIt: a rank of the mix computes 3 s, as alone when it blocks, spins 4 s, is blocked 1 s, and has no
// processor for 1.5 s of spinning and 0.5 s of computing.
func TestPartsOfTheTimeAreAllOfIt(t *testing.T) {
	b := &Multiprogram{works: []string{"lu"}, class: "s", ranks: 2, sequential: []int{3}}
	r := derived(b, map[string]map[string]float64{
		"lu.S.2 over tcp, block only, 1 copy":              {"slowest_s": 4, "wall_s": 4, "cpu_s": 6, "waited_s": 2, "blocked_s": 2},
		"lu.S.2 over tcp, spin only, 1 copy":               {"slowest_s": 4, "wall_s": 4, "cpu_s": 8, "waited_s": 2, "blocked_s": 0},
		"lu.S.2 over tcp, spin only, 1 copy +3 sequential": {"slowest_s": 10, "wall_s": 10, "cpu_s": 14, "waited_s": 13, "blocked_s": 2},
	})
	for part, want := range map[string]float64{computing: 3, computingOut: 0.5, spinning: 4, spinningOut: 1.5, blocking: 1} {
		p := r.Table(partsTable).Point("tcp", "lu.S.2 spin only", "lu.S.2", "spin only", "1 copy +3 sequential", part)
		require.NotNil(t, p, part)
		assert.InEpsilon(t, want, p.Figures["seconds"].Median, 1e-9, part)
		assert.InEpsilon(t, want/10, p.Figures["share"].Median, 1e-9, part)
	}
}

func TestEachWayToWaitIsComparedWithSpinning(t *testing.T) {
	b := &Multiprogram{works: []string{synthetic}, class: "S", ranks: 2}
	r := derived(b, map[string]map[string]float64{
		"tcp spin only alone":  {"half_rtt_us": 8},
		"tcp spin-block alone": {"half_rtt_us": 9},
	})
	p := r.Table(waitingTable).Point("tcp", "spin-block")
	assert.Equal(t, 1.0, p.Figures["more_us"].Median)
	assert.InDelta(t, 12.5, p.Figures["half_rtt_us_change"].Median, 1e-9)
	assert.NotContains(t, r.Table(waitingTable).Point("tcp", "spin only").Figures, "more_us")
}
