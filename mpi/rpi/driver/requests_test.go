package driver

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/monitor"
)

// probed is a layer in which probes find a message, or find nothing.
type probed struct {
	Layer
	found bool
}

func (p *probed) Iprobe(matching.Context, matching.Rank, matching.Tag) (rpi.Status, bool, error) {
	return rpi.Status{}, p.found, nil
}

func (p *probed) Improbe(matching.Context, matching.Rank, matching.Tag) (*matching.Message, rpi.Status, bool, error) {
	return nil, rpi.Status{}, p.found, nil
}

// Where ranks share processors every 64th probe that has found nothing lets another process have the processor.
func TestProbesThatFindNothingYield(t *testing.T) {
	const rounds = 3
	for _, c := range []struct {
		rule          string
		shared, found bool
		expects       int
	}{
		{rule: "ranks share processors, and nothing is found", shared: true, expects: rounds},
		{rule: "each probe finds a message", shared: true, found: true},
		{rule: "each rank has a processor"},
	} {
		for name, probe := range map[string]func(*Requests){
			"Iprobe":  func(q *Requests) { _, _, _ = q.Iprobe(0, 0, 0) },
			"Improbe": func(q *Requests) { _, _, _, _ = q.Improbe(0, 0, 0) },
		} {
			t.Run(c.rule+"/"+name, func(t *testing.T) {
				_, d := drive(t, rpi.Config{Progress: rpi.Inline, Oversubscribed: c.shared})
				yields := 0
				d.spins.YieldProcessor = func() { yields++ }
				q := NewRequests(&probed{found: c.found}, d, monitor.New(nil))
				for range rounds * 64 {
					probe(&q)
				}
				require.Equal(t, c.expects, yields)
			})
		}
	}
}

// A message that is found between does not count: what counts is how often there was nothing.
func TestOnlyProbesThatFindNothingCount(t *testing.T) {
	_, d := drive(t, rpi.Config{Progress: rpi.Inline, Oversubscribed: true})
	yields := 0
	d.spins.YieldProcessor = func() { yields++ }
	layer := new(probed)
	q := NewRequests(layer, d, monitor.New(nil))
	for range 63 {
		layer.found = false
		_, _, _ = q.Iprobe(0, 0, 0)
		layer.found = true
		_, _, _ = q.Iprobe(0, 0, 0)
	}
	require.Zero(t, yields)
	layer.found = false
	_, _, _ = q.Iprobe(0, 0, 0)
	require.Equal(t, 1, yields)
}
