package driver

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Where goroutines are locked to threads (rpi.Config.Threads) one that waits and does not drive puts its thread to sleep. The one
// that gives the token back wakes one of the others, and so does what is to run in a call of the program.

// sleepers are threads that wait and do not drive.
type sleepers struct {
	some atomic.Int32 // how many
	mu   sync.Mutex
	all  []*sleeper
}

// sleeper is a thread that sleeps, or is about to. wake ends that, or the next time.
type sleeper struct {
	alarm
	wake func()
}

var sleeping = sync.Pool{New: func() any {
	s := new(sleeper)
	s.open()
	s.wake = s.ring
	return s
}}

func (l *sleepers) add(s *sleeper) {
	l.mu.Lock()
	l.all = append(l.all, s)
	l.mu.Unlock()
	l.some.Add(1)
}

func (l *sleepers) remove(s *sleeper) {
	l.some.Add(-1)
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, other := range l.all {
		if other == s {
			last := len(l.all) - 1
			copy(l.all[i:], l.all[i+1:])
			l.all[last] = nil
			l.all = l.all[:last]
			return
		}
	}
}

// wakeOne wakes the one that has waited longest, if there is any.
func (l *sleepers) wakeOne() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.all) > 0 {
		l.all[0].wake()
	}
}

// giveToken lets another goroutine drive.
func (d *Driver) giveToken() {
	d.token.give()
	if d.sleepers.some.Load() > 0 {
		d.sleepers.wakeOne()
	}
}

// awaitOnThread is Await for a goroutine that is locked to a thread.
func (d *Driver) awaitOnThread(ctx context.Context, w *rpi.Waiter) error {
	if d.lookBeside(ctx, w) {
		return nil
	}
	w.Blocks(ctx)
	s := sleeping.Get().(*sleeper)
	defer sleeping.Put(s)
	if ctx.Done() != nil {
		defer context.AfterFunc(ctx, w.Signal)()
	}
	for {
		d.sleepers.add(s)
		w.Interrupt(&s.wake)
		if len(w.C) == 0 && !d.token.free() && len(d.then.Wanted()) == 0 {
			begun := time.Now()
			s.sleep()
			d.blockedBeside(w, begun)
		}
		w.Interrupt(nil)
		d.sleepers.remove(s)
		s.quiet()
		select {
		case <-w.C:
			d.passOn()
			return context.Cause(ctx)
		default:
		}
		if d.token.try() {
			return d.drive(ctx, w, 0)
		}
		select {
		case <-d.then.Wanted():
			d.then.Enter()
			d.then.Leave(true)
		default:
		}
	}
}

// passOn wakes another thread if the caller may have been woken for what it does not do: drive, or run what waits for a call.
func (d *Driver) passOn() {
	if d.token.free() || len(d.then.Wanted()) > 0 {
		d.sleepers.wakeOne()
	}
}
