package core

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// A communicator that this rank has freed has to stay until all ranks have freed it: until then they may use it, and what
// they send must find it. So Free starts a barrier on the communicator, and does not wait for it. When the
// barrier is complete no rank sends any more but what its operations under way still send, which operations of this
// process wait for. The last of these gives the contexts back. Free never waits, however far other ranks are behind, as a rank
// may keep a communicator while it waits for one that frees it. What is kept so counts among the communicators of the process,
// of which it can have so many only: see process.full.

// leaving are the communicators that have been freed, but not by all ranks.
type leaving struct {
	underWay atomic.Int32
	mu       sync.Mutex
	barriers []*farewell // under way, and some that are complete
	failed   error       // of the first barrier that failed because ranks did not agree
}

// farewell is the barrier of a Free. users is the number of goroutines that wait for it.
type farewell struct {
	operation *collective.Operation
	whole     *rpi.Request
	users     int
}

// Free gives a communicator back, unless a function that deletes one of its attributes fails. It does not wait for other ranks.
func (c *View) Free() error {
	const op = "mpi.Free"
	if err := c.usable(op); err != nil {
		return err
	}
	switch {
	case c.context == worldContext:
		return mpierr.Invalid(op, rpi.ErrComm, "the world communicator cannot be freed; it ends with Finalize")
	case c.Comm == c.process.self.Load():
		return mpierr.Invalid(op, rpi.ErrComm, "the communicator of this process alone cannot be freed; it ends with Finalize")
	}
	if err := refused(op, c.object.attributes.Clear(c.Comm)); err != nil {
		return err // section 7.7.2: it is not freed
	}
	o, err := c.begin(collective.Free, Nonblocking, noType)
	if err != nil {
		return err // another collective is under way
	}
	if !c.state.CompareAndSwap(ready, freed) {
		o.Require(mpierr.Invalid(op, rpi.ErrComm, "%s has been freed", c.title()))
		return o.Do(c.ctx)
	}
	o.Named(op) // it is no Ifree to the program
	comm, leaving := c.Comm, &c.process.leaving
	o.Then = func(bool) {
		comm.release() // the reference that newComm has taken
		leaving.underWay.Add(-1)
	}
	c.meet(o)
	leaving.add(o)
	return nil
}

// add starts a barrier. It gives back those that are complete once they are as many as the others.
func (l *leaving) add(o *collective.Operation) {
	n := l.underWay.Add(1)
	f := &farewell{operation: o, whole: o.Start()}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.barriers = append(l.barriers, f)
	if len(l.barriers) > 2*int(n) {
		l.sweep()
	}
}

// wait waits until no barrier is under way, or until ctx ends and returns the cause.
func (l *leaving) wait(ctx context.Context, p *process) error {
	for all := l.use(); len(all) > 0; all = l.use() {
		var err error
		for i := 0; err == nil && i < len(all); i++ {
			err = p.await(ctx, all[i].whole)
		}
		l.mu.Lock()
		for _, f := range all {
			f.users--
		}
		l.mu.Unlock()
		if err != nil {
			return err
		}
	}
	return nil
}

// use returns the barriers that are under way. The caller waits for them.
func (l *leaving) use() (all []*farewell) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sweep()
	for _, f := range l.barriers {
		if !f.whole.Completed() {
			f.users++
			all = append(all, f)
		}
	}
	return all
}

// err is the error of a communicator that this rank has freed and another has not before it called Finalize, nil if there is none.
func (l *leaving) err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.failed
}

// sweep gives back the barriers that are complete. mu is held.
func (l *leaving) sweep() {
	l.barriers = slices.DeleteFunc(l.barriers, func(f *farewell) bool {
		done := f.users == 0 && f.whole.Completed()
		if done {
			if err := f.operation.Outcome(); l.failed == nil && !errors.Is(err, rpi.ErrProcFailed) && !errors.Is(err, rpi.ErrRevoked) {
				l.failed = err
			}
			f.operation.Release()
		}
		return done
	})
}
