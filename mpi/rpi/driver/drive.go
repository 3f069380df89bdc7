package driver

import (
	"context"
	"errors"
	"runtime"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// drive takes messages from the network until w is signalled or ctx ends. It gives the token back.
func (d *Driver) drive(ctx context.Context, w *rpi.Waiter) error {
	defer d.giveToken()
	d.then.Enter()
	defer d.then.Leave(true)
	d.turns.Add(1)
	looks := d.looking.TryLock()
	if looks && d.lookOnce(w) {
		d.looking.Unlock()
		return nil
	}
	begun := time.Since(d.epoch)
	d.since.Store(int64(begun))
	defer d.since.Store(notDriving)
	var done bool
	var err error
	if looks {
		d.arrived = begun
		done, err = d.look(ctx, w, d.spin(&d.budgets[w.Kind()], begun)) // at least once: to block takes several times as long
		d.looking.Unlock()
	}
	if err == nil && !done {
		err = d.block(ctx, w)
	}
	wait := time.Since(d.epoch) - begun
	d.driven.Add(int64(wait))
	switch {
	case err == nil:
		d.learnFrom(w, begun, wait)
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	}
	// The network is closed, and all operations are completed by the goroutine that has closed it. That one, or a new one, runs
	// what follows.
	d.then.Leave(true)
	defer d.then.Enter()
	select {
	case <-w.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// lookOnce takes in what is there, or comes at once, without a look at the clock, and reports whether w is signalled by that.
func (d *Driver) lookOnce(w *rpi.Waiter) bool {
	d.release()
	_, err := d.pollFast(true)
	d.then.Run(true)
	if err != nil || len(w.C) == 0 {
		return false
	}
	<-w.C
	return true
}

// learnFrom learns from how long a wait took that has ended well.
func (d *Driver) learnFrom(w *rpi.Waiter, begun, wait time.Duration) {
	if d.looking.TryLock() {
		d.budgets[w.Kind()].learn(wait)
		d.contention.learn(begun+wait, wait)
		d.looking.Unlock()
	}
}

// After so many turns a goroutine that spins lets other processes have the processor, as the peer
// may wait for that, and other goroutines of this process. Where ranks share processors the peer
// surely waits for it, and to switch to the peer costs less than to wake it.
//
// Where Go has a processor to spare other goroutines have that one. To yield to them would wake a
// thread that looks for work in vain, on the peer's processor. So a goroutine does not yield to
// others within the time that a short message takes. But Go's scheduler interrupts one that never
// does.
const (
	osYield      = 4
	goYield      = 32
	goYieldAlone = 16
	// clockEvery is after how many turns the time is looked at, which takes a tenth of one.
	clockEvery = 4
)

// look looks at the network until w is signalled, or nothing has arrived for limit. Once
// something has, the limit is what is learnt from arrivals: where more follows soon, as in a
// long message, to be woken for each piece would take longer than the piece. What arrives after
// another goroutine has begun to wait is taken for that one's: it makes this one look no longer.
func (d *Driver) look(ctx context.Context, w *rpi.Waiter, limit time.Duration) (done bool, err error) {
	var yielded time.Duration // by the last turn
	others := d.others.Load()
	if limit > 0 {
		d.slices.wait()
	}
	for turn := 1; ; turn++ {
		d.turns.Add(1)
		d.release()
		some, err := d.pollFast(true)
		d.then.Run(true)
		if err != nil {
			return false, err
		}
		lost := yielded >= slice
		if yielded > 0 {
			d.learnFromYield(yielded, some)
			yielded = 0
		}
		select {
		case <-w.C:
			return true, nil
		default:
		}
		before := others
		if some {
			others = d.others.Load()
		}
		switch {
		case some && !d.arrivals.never() && others == before:
			now := time.Since(d.epoch)
			d.arrivals.learn(now - d.arrived)
			d.arrived, limit = now, d.spin(&d.arrivals, now)
		case some:
		case limit <= 0:
			return false, nil
		}
		if limit > 0 && (lost || turn%clockEvery == 0) && time.Since(d.epoch)-d.arrived >= limit {
			return false, nil
		}
		if limit > 0 && !some && turn%d.yieldEvery == 0 {
			yielded = d.yield()
		}
		if turn%d.goschedEvery == 0 {
			if ctx.Err() != nil {
				return false, ctx.Err()
			}
			d.letOthersRun()
		}
	}
}

// learnFromYield learns from a yield that took so long, and from whether there was a message just after it.
func (d *Driver) learnFromYield(yielded time.Duration, message bool) {
	switch {
	case !d.oversubscribed:
		d.crowding.learn(time.Since(d.epoch), yielded, message)
	case yielded >= slice && d.slices.lose():
		d.contention.backOff(time.Since(d.epoch))
	}
}

// letOthersRun lets other goroutines run. One that is locked to a thread would leave its processor to another thread, and have
// to be given it back: where there are others it does without.
func (d *Driver) letOthersRun() {
	if !d.threads || d.goschedEvery == goYieldAlone {
		runtime.Gosched()
	}
}

// spin returns how long to spin: not at all while others want the processors, unless a time was asked for.
func (d *Driver) spin(b *budget, now time.Duration) time.Duration {
	if b.fixed == 0 && d.contention.backsOff(now) {
		return 0
	}
	return b.spin()
}

// block waits in the network until w is signalled or ctx ends.
func (d *Driver) block(ctx context.Context, w *rpi.Waiter) error {
	w.Blocks(ctx)
	d.blocked.Store(true)
	defer func() {
		d.turns.Add(1)
		d.blocked.Store(false)
		if d.asleep.Swap(false) {
			select {
			case d.handover <- struct{}{}:
			default:
			}
		}
	}()
	if ctx.Done() != nil {
		defer context.AfterFunc(ctx, w.Signal)()
	}
	for {
		if err := d.waitUnlessSignalled(w); err != nil {
			return err
		}
		if done, err := d.lookAgain(ctx, w); done || err != nil {
			return errors.Join(err, ctx.Err())
		}
	}
}

// lookAgain looks at the network once more, and longer if something arrives. If another goroutine looks already, that one takes in what
// has come.
func (d *Driver) lookAgain(ctx context.Context, w *rpi.Waiter) (done bool, err error) {
	if d.looking.TryLock() {
		defer d.looking.Unlock()
		return d.look(ctx, w, 0)
	}
	select {
	case <-w.C:
		return true, nil
	default:
		return false, nil
	}
}

// waitUnlessSignalled waits in the network until there is something to take in, unless w
// has been signalled: what others do must end the wait too.
func (d *Driver) waitUnlessSignalled(w *rpi.Waiter) error {
	w.Interrupt(&d.wake)
	defer w.Interrupt(nil)
	if len(w.C) > 0 {
		return nil
	}
	d.then.Leave(true)
	defer d.then.Enter()
	if len(w.C) > 0 {
		return nil
	}
	d.release()
	d.parked.Store(true)
	defer d.parked.Store(false)
	return d.poller.Wait(context.Background(), true, true)
}
