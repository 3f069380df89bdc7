package driver

import (
	"context"
	"errors"
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
		d.spins.Begin(begun, d.spins.Limit(w.Kind(), begun))
		done, err = d.look(ctx, w) // at least once: to block takes several times as long
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
		d.spins.Learn(w.Kind(), begun+wait, wait)
		d.looking.Unlock()
	}
}

// look looks at the network until w is signalled, or it is better to block: see package spin. What arrives after another goroutine has
// begun to wait is taken for that one's: it makes this one look no longer.
func (d *Driver) look(ctx context.Context, w *rpi.Waiter) (done bool, err error) {
	others := d.others.Load()
	for turn := 1; ; turn++ {
		d.turns.Add(1)
		d.release()
		some, err := d.pollFast(true)
		d.then.Run(true)
		if err != nil {
			return false, err
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
		if !d.spins.Again(turn, some, others == before) {
			return false, nil
		}
		if d.spins.LetOthersRun(turn) && ctx.Err() != nil {
			return false, ctx.Err()
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
		return d.look(ctx, w)
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
