package core

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// A communicator that this rank has freed has to stay until all ranks have freed it: until then they may use it, and what
// they send must find it. So Free starts a barrier on the communicator, and does not wait for it. When the
// barrier is complete no rank sends any more but what its operations under way still send, which operations of this
// process wait for. The last of these gives the contexts back.

// maxLeaving bounds the communicators that a process has freed and other ranks have not. With more of them Free waits, as
// it may. So what a rank keeps for ranks that lag behind is bounded, here and there.
const maxLeaving = 32

// leaving are the communicators that have been freed, but not by all ranks.
type leaving struct {
	mu       sync.Mutex
	barriers []*farewell // in the order of Free
	failed   error       // of the first barrier that failed because ranks did not agree
}

// farewell is the barrier of a Free. users is the number of goroutines that wait for it.
type farewell struct {
	operation *collective.Operation
	whole     *rpi.Request
	users     int
}

// Free gives a communicator back, unless a function that deletes one of its attributes fails. It does not wait for other ranks, unless they are far behind.
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
	if err := c.process.leaving.wait(c.ctx, c.process, maxLeaving-1); err != nil {
		return mpierr.Because(err, op, rpi.ErrCancelled, "given up while other ranks had to free %d communicators first: %v", maxLeaving, err)
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
	comm := c.Comm
	o.Then = func(bool) { comm.release() } // the one that newComm has taken
	c.meet(o)
	c.process.leaving.add(o)
	return nil
}

// add starts a barrier.
func (l *leaving) add(o *collective.Operation) {
	f := &farewell{operation: o, whole: o.Start()}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.barriers = append(l.barriers, f)
}

// count is how many barriers are under way.
func (l *leaving) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := 0
	for _, f := range l.barriers {
		if !f.whole.Completed() {
			n++
		}
	}
	return n
}

// wait waits until at most so many barriers are under way, or until ctx ends and returns the cause.
func (l *leaving) wait(ctx context.Context, p *process, most int) error {
	for oldest := l.use(most); oldest != nil; oldest = l.use(most) {
		err := p.await(ctx, oldest.whole)
		l.mu.Lock()
		oldest.users--
		l.mu.Unlock()
		if err != nil {
			return err
		}
	}
	return nil
}

// err is the error of a communicator that this rank has freed and another has not before it called Finalize, nil if there is none.
func (l *leaving) err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.failed
}

// use gives back the barriers that are complete, and returns the oldest of the others if they are more than most.
func (l *leaving) use(most int) *farewell {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.barriers = slices.DeleteFunc(l.barriers, func(f *farewell) bool {
		done := f.users == 0 && f.whole.Completed()
		if done {
			if err := f.operation.Outcome(); l.failed == nil && !errors.Is(err, rpi.ErrProcFailed) {
				l.failed = err
			}
			f.operation.Release()
		}
		return done
	})
	if len(l.barriers) <= most {
		return nil
	}
	f := l.barriers[0]
	f.users++
	return f
}
