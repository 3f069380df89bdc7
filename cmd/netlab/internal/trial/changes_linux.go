package trial

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
	"github.com/sctpmpi/sctpmpi/internal/netem"
)

// changes are what happens to a network while a job runs, from when a rank says that its work has begun: a case that is calm before it
// has begun gets its conditions, and a cut takes away the first link of all hosts for a time.
type changes struct {
	steps  []step
	ctx    context.Context
	cancel context.CancelFunc
	work   sync.WaitGroup
	err    error
}

type step struct {
	after time.Duration // the step before
	do    func() error
}

// changes gives a network what it has before the work begins, and returns what changes then.
func (s *Site) changes(ctx context.Context, n *netem.Topology, c *plan.Case) (*changes, error) {
	usual := func() error { return errors.Join(apply(n, c.Conditions, c.Sent), applySecond(n, c.Second)) }
	before := usual
	var steps []step
	if c.Calm {
		calm := netem.Conditions{Delay: c.Conditions.Delay, Rate: c.Conditions.Rate, Limit: c.Conditions.Limit}
		before = func() error { return apply(n, calm, netem.Conditions{}) }
		steps = append(steps, step{do: usual})
	}
	if c.Cut != nil {
		gone := c.Conditions
		gone.Loss, gone.LossBurst = 100, netem.GilbertElliott{}
		steps = append(steps,
			step{c.Cut.After, func() error { return applyFirst(n, gone) }},
			step{c.Cut.For, func() error { return applyFirst(n, c.Conditions) }})
	}
	change := &changes{steps: steps}
	change.ctx, change.cancel = context.WithCancel(ctx)
	return change, before()
}

// apply gives all links and all hosts conditions.
func apply(n *netem.Topology, links, sent netem.Conditions) error {
	if err := n.Apply(links); err != nil {
		return err
	}
	for i := range n.Hosts() {
		if err := n.Host(i).Apply(sent); err != nil {
			return err
		}
	}
	return nil
}

// applyFirst gives the first link of all hosts conditions.
func applyFirst(n *netem.Topology, c netem.Conditions) error {
	for i := range n.Hosts() {
		if err := n.Host(i).Link(0).Apply(c); err != nil {
			return err
		}
	}
	return nil
}

// applySecond gives the second link of all hosts conditions, if there are any.
func applySecond(n *netem.Topology, c *netem.Conditions) error {
	if c == nil {
		return nil
	}
	for i := range n.Hosts() {
		if err := n.Host(i).Link(1).Apply(*c); err != nil {
			return err
		}
	}
	return nil
}

// begin begins to count the time.
func (c *changes) begin() {
	if len(c.steps) > 0 {
		c.work.Go(c.run)
	}
}

func (c *changes) run() {
	for _, step := range c.steps {
		timer := time.NewTimer(step.after)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-c.ctx.Done():
			return
		}
		if c.err = step.do(); c.err != nil {
			return
		}
	}
}

// end ends what begin has begun; the next job sets the conditions anew.
func (c *changes) end() error {
	c.cancel()
	c.work.Wait()
	return c.err
}
