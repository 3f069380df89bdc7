package trial

import (
	"context"
	"sync"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
	"github.com/sctpmpi/sctpmpi/netem"
)

// cutter takes away the first link of all hosts for a time.
type cutter struct {
	network *netem.Topology
	when    *plan.Cut
	usual   netem.Conditions

	ctx    context.Context
	cancel context.CancelFunc
	work   sync.WaitGroup
	err    error
}

func (s *Site) cut(ctx context.Context, n *netem.Topology, c *plan.Case) *cutter {
	cut := &cutter{network: n, when: c.Cut, usual: c.Conditions}
	cut.ctx, cut.cancel = context.WithCancel(ctx)
	return cut
}

// begin begins to count the time.
func (c *cutter) begin() {
	if c.when != nil {
		c.work.Go(c.run)
	}
}

func (c *cutter) run() {
	gone := c.usual
	gone.Loss, gone.LossBurst = 100, netem.GilbertElliott{}
	for _, step := range []struct {
		after time.Duration
		then  netem.Conditions
	}{{c.when.After, gone}, {c.when.For, c.usual}} {
		timer := time.NewTimer(step.after)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-c.ctx.Done():
			return
		}
		for i := range c.network.Hosts() {
			if c.err = c.network.Host(i).Link(0).Apply(step.then); c.err != nil {
				return
			}
		}
	}
}

// end ends what begin has begun; the next job sets the conditions anew.
func (c *cutter) end() error {
	c.cancel()
	c.work.Wait()
	return c.err
}
