package driver

import (
	"context"
	"errors"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// AwaitRequest waits for a request: see rpi.Transport. Most waits end while the goroutine spins. It need not be told then: it sees that r has
// completed.
func (d *Driver) AwaitRequest(ctx context.Context, r *rpi.Request, stop func(*rpi.Request) error) error {
	if r.Completed() {
		return nil
	}
	if r.Stirred() || !d.token.try() {
		return d.awaitTold(ctx, r, stop, false, 0)
	}
	since := r.Looked
	switch {
	case since > 0:
	case r.Glance != nil:
		since = d.Look(ctx, glancer{r})
	default:
		since = d.Look(ctx, r)
	}
	if r.Completed() {
		d.giveToken()
		return nil
	}
	return d.awaitTold(ctx, r, stop, true, since)
}

// glancer is a request that can complete otherwise than by a message.
type glancer struct{ *rpi.Request }

// Stirred implements rpi.Quarry, after a Glance.
func (g glancer) Stirred() bool {
	if !g.Request.Stirred() {
		g.Glance()
	}
	return g.Request.Stirred()
}

// TryDrive has the caller drive, if no goroutine does: it may Look, until StopDriving.
func (d *Driver) TryDrive() bool { return d.token.try() }

// StopDriving lets another goroutine drive.
func (d *Driver) StopDriving() { d.giveToken() }

// Look takes messages from the network until r has completed, or until it is better to block. It returns since when it has looked, 0 if no more than once.
// The caller drives. If a function of the program panics it does no longer.
func (d *Driver) Look(ctx context.Context, r rpi.Quarry) (since time.Duration) {
	d.then.Enter()
	d.turns.Add(1)
	if !d.looking.TryLock() {
		d.then.Leave(true)
		return 0
	}
	looked, left := false, false
	defer func() {
		if !left {
			d.giveToken()
		}
	}()
	defer func() {
		if since > 0 {
			d.since.Store(notDriving)
		}
		d.looking.Unlock()
		d.then.Leave(true) // which calls functions of the program, too
		left = looked
	}()
	if some, done, _ := d.lookOnce(r.Stirred); !done { // an error ends the wait that follows, too
		since = time.Since(d.epoch)
		d.since.Store(int64(since))
		d.spins.Begin(since, d.spins.Limit(r.Kind(), since))
		_, _ = d.lookOn(ctx, r.Stirred, some)
		now := time.Since(d.epoch)
		d.driven.Add(int64(now - since))
		if r.Completed() {
			d.spins.Learn(r.Kind(), now, now-since)
			d.waitedFor(now - since)
		}
	}
	looked = true
	return since
}

// awaitTold is AwaitRequest by a Waiter. drives: the caller has the token. since: it has spun since then, unless that is 0.
func (d *Driver) awaitTold(ctx context.Context, r *rpi.Request, stop func(*rpi.Request) error, drives bool, since time.Duration) (err error) {
	w := rpi.NewWaiter()
	defer w.Release()
	waiting := r.Subscribe(w)
	defer r.Unsubscribe(w)
	for waiting && err == nil {
		if stop != nil {
			err = stop(r)
		}
		switch {
		case err != nil:
		case drives:
			drives, err = false, d.drive(ctx, w, since)
		default:
			err = d.Await(ctx, w)
		}
		if waiting = !r.Completed(); waiting {
			w.Answer()
		}
	}
	if drives {
		d.giveToken()
	}
	if !waiting {
		return nil
	}
	return err
}

// drive takes messages from the network until w is signalled or ctx ends. It gives the token back. If the goroutine has spun already, since
// a time that is not 0, it blocks at once.
func (d *Driver) drive(ctx context.Context, w *rpi.Waiter, since time.Duration) error {
	defer d.giveToken()
	d.then.Enter()
	defer d.then.Leave(true)
	d.turns.Add(1)
	looks, some := since == 0 && d.looking.TryLock(), false
	if looks {
		var over bool
		if some, over, _ = d.lookOnce(w.Signalled); over {
			d.looking.Unlock()
			return nil
		}
	}
	begun := time.Since(d.epoch)
	d.since.Store(int64(begun))
	defer d.since.Store(notDriving)
	var done bool
	var err error
	if looks {
		d.spins.Begin(begun, d.spins.Limit(w.Kind, begun))
		done, err = d.lookOn(ctx, w.Signalled, some)
		d.looking.Unlock()
	}
	if err == nil && !done {
		err = d.block(ctx, w)
	}
	now := time.Since(d.epoch)
	d.driven.Add(int64(now - begun))
	if since > 0 {
		begun = since
	}
	switch {
	case err == nil:
		d.learnFrom(w, now, now-begun)
		d.waitedFor(now - begun)
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

// lookOnce takes in what is there, or comes at once, without a look at the clock, and reports whether that was anything, and whether the wait
// is over by it.
func (d *Driver) lookOnce(over func() bool) (some, done bool, err error) {
	d.release()
	some, err = d.pollFast(true)
	d.then.Run(true)
	return some, err == nil && over(), err
}

// learnFrom learns from how long a wait took that has ended well now.
func (d *Driver) learnFrom(w *rpi.Waiter, now, wait time.Duration) {
	if d.looking.TryLock() {
		d.spins.Learn(w.Kind, now, wait)
		d.looking.Unlock()
	}
}

// look looks at the network until the wait is over, or it is better to block: see package spin. What arrives after another goroutine has
// begun to wait is taken for that one's: it makes this one look no longer.
func (d *Driver) look(ctx context.Context, over func() bool) (done bool, err error) {
	d.turns.Add(1)
	some, done, err := d.lookOnce(over)
	if done || err != nil {
		return done, err
	}
	return d.lookOn(ctx, over, some)
}

// lookOn is look after a look that has found something or not.
func (d *Driver) lookOn(ctx context.Context, over func() bool, some bool) (done bool, err error) {
	others := d.others.Load()
	for turn := 1; ; turn++ {
		before := others
		if some {
			others = d.others.Load()
		}
		if !d.spins.Again(turn, some, others == before) {
			return false, nil
		}
		if d.spins.LetOthersRun(turn) && ctx.Err() != nil {
			return false, ctx.Err()
		}
		d.turns.Add(1)
		if some, done, err = d.lookOnce(over); done || err != nil {
			return done, err
		}
	}
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
		d.spins.Resume()
		return d.look(ctx, w.Signalled)
	}
	return w.Signalled(), nil
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
	begun := time.Now()
	err := d.poller.Wait(context.Background(), true, true)
	d.slept.Add(int64(time.Since(begun)))
	return err
}
