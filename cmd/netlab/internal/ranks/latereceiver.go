package ranks

import (
	"context"
	"time"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/plan"
	"github.com/sctpmpi/sctpmpi/mpi"
)

// LateReceiver has rank 1 send rank 0 bulk with one tag, which rank 0 receives only when it has gone through its critical path: steps
// in each of which it gets a small message with another tag, computes, and answers.
type LateReceiver struct {
	Bulk, Bulks  int // bytes of a message, messages; none is a job to compare with
	Small, Steps int // bytes of a message each way, messages
	Compute      time.Duration
}

// Load implements plan.Loaded.
func (p LateReceiver) Load(int) plan.Load {
	return plan.Load{
		Bytes: p.Bulk*p.Bulks + p.Small*p.Steps, Turns: 2*p.Steps + 8, Time: time.Duration(p.Steps) * p.Compute,
	}
}

// lateReceiver measures how long the critical path takes without its computing, how long the bulk takes after it, and both together.
func lateReceiver(world *mpi.Comm, p LateReceiver) (Metrics, error) {
	if err := world.Barrier(); err != nil { // the connection is there
		return nil, err
	}
	if world.Rank() != 0 {
		return nil, p.send(world)
	}
	begun := time.Now()
	if err := p.criticalPath(world); err != nil {
		return nil, err
	}
	critical := time.Since(begun) - time.Duration(p.Steps)*p.Compute
	draining := time.Now()
	if _, err := receive(world, 1, tagBulk, p.Bulk, 4, nil); err != nil {
		return nil, err
	}
	return Metrics{
		"critical": critical.Seconds() * 1e3 / float64(p.Steps), "drain": time.Since(draining).Seconds(), "total": time.Since(begun).Seconds(),
	}, nil
}

// criticalPath goes through the steps. Computing is waiting on a clock, as all hosts of a lab share a processor.
func (p LateReceiver) criticalPath(world *mpi.Comm) error {
	data := make([]byte, p.Small)
	for step := range p.Steps {
		if _, err := mpi.Recv(world, data, 1, tagSmall); err != nil {
			return err
		}
		if err := check(data, tagSmall, uint64(step)); err != nil {
			return err
		}
		time.Sleep(p.Compute)
		if err := mpi.Send(world, data, 1, tagSmall); err != nil {
			return err
		}
	}
	return nil
}

// send starts all bulk at once, and does its part of the critical path meanwhile.
func (p LateReceiver) send(world *mpi.Comm) error {
	w := newWindow(world, 0, tagBulk, p.Bulk, max(1, p.Bulks))
	return together(func() error {
		for i := range p.Bulks {
			if err := w.send(uint64(i), nil); err != nil {
				return err
			}
		}
		return w.end()
	}, func() error {
		data, answer := make([]byte, p.Small), make([]byte, p.Small)
		for step := range p.Steps {
			fill(data, tagSmall, uint64(step))
			back, err := mpi.Irecv(world, answer, 0, tagSmall)
			if err != nil {
				return err
			}
			if err := mpi.Send(world, data, 0, tagSmall); err != nil {
				return err
			}
			if _, err := back.Wait(context.Background()); err != nil {
				return err
			}
		}
		return nil
	})
}
