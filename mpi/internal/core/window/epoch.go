package window

import (
	"cmp"
	"context"
	"slices"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// epochs are the access epochs of a rank (section 12.5): when it may begin operations, and with whom.
type epochs struct {
	fence bool // Fence has opened one
	used  bool // and there has been an operation in it
	all   bool // LockAll has
	locks int  // that Lock has got
	// Start has opened one with targets; Post has let origins in.
	started, posted  bool
	targets, origins []*peer
}

// access is how a rank may access a target.
type access struct {
	lock    LockType // from Lock
	pending bool     // Lock is under way
	asked   bool     // this rank has asked for a lock, by words
	held    bool     // and has it; or the target has granted one
	started bool     // Start has begun an epoch with it
}

// permits says why an operation may not begin, nil if it may.
func (e *epochs) permits(op string, p *peer) error {
	switch {
	case e.all || p.access.lock != noLock || p.access.started:
	case e.fence:
		e.used = true
	default:
		return mpierr.Invalid(op, rpi.ErrRMASync, "there is no epoch in which this rank may access rank %d: call Fence, Start, Lock or LockAll before", p.rank)
	}
	return nil
}

// MayRequest says why no operation with a request may begin: it needs an epoch of Lock or LockAll (section 12.3.5).
func (w *Window) MayRequest(op string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.epochs.all && w.epochs.locks == 0 {
		return mpierr.Invalid(op, rpi.ErrRMASync, "operations with a request need an epoch of Lock or LockAll")
	}
	return nil
}

// other says why an epoch with locks, or of Start, may not begin, nil if it may. One of Fence that has no operations is none.
func (e *epochs) other(op string) error {
	switch {
	case e.fence && e.used:
		return mpierr.Invalid(op, rpi.ErrRMASync, "the epoch that Fence has begun is open, and has operations: end it with Fence")
	case e.all:
		return mpierr.Invalid(op, rpi.ErrRMASync, "LockAll has locked all ranks already")
	case e.started:
		return mpierr.Invalid(op, rpi.ErrRMASync, "the epoch that Start has begun is open: end it with Complete before")
	}
	e.fence = false
	return nil
}

// Lock begins an epoch with one target (section 12.5.3). Unlock ends it.
func (w *Window) Lock(ctx context.Context, op string, lock LockType, rank int) error {
	w.mu.Lock()
	p, err := w.within(op, rank)
	if err == nil {
		err = w.epochs.other(op)
	}
	switch {
	case err != nil:
	case lock != Shared && lock != Exclusive:
		err = mpierr.Invalid(op, rpi.ErrArg, "lock type %d is neither LockShared nor LockExclusive", lock)
	case p.access.lock != noLock || p.access.pending:
		err = mpierr.Invalid(op, rpi.ErrRMASync, "rank %d is locked already, or Lock of it is under way: call Unlock first", rank)
	default:
		p.access.pending = true
		w.epochs.locks++
	}
	w.finish()
	if err != nil {
		return err
	}
	err = w.acquire(ctx, op, lock, p)
	w.mu.Lock()
	defer w.mu.Unlock()
	p.access.pending = false
	if err != nil {
		w.epochs.locks--
		return err
	}
	p.access.lock = lock
	return nil
}

// acquire gets the locks of peers.
func (w *Window) acquire(ctx context.Context, op string, l LockType, peers ...*peer) (err error) {
	var e *Event
	for _, p := range peers {
		if p.control != nil {
			if err = w.confirm(ctx, op, p); err == nil {
				err = w.askFor(op, l, p)
			}
			if err != nil {
				break
			}
			continue
		}
		if err = w.enter(ctx, op, p, room); err != nil {
			break
		}
		if e == nil {
			e = w.event()
		}
		h := header{verb: lock, lock: l, id: w.begin(p, nil, e)}
		w.operations[h.id].lock = true
		w.send(p, h, nil)
		w.finish()
	}
	if e != nil {
		if cause := w.join(ctx, e); cause != nil && err == nil {
			err = givenUp(op, cause)
		}
	}
	for _, p := range peers {
		if err == nil && p.control != nil {
			err = w.obtain(ctx, op, p)
		}
		err = cmp.Or(err, w.outcome(op, p))
	}
	if err != nil {
		w.giveBack(peers)
	}
	return err
}

// askFor asks for the lock of a peer by words.
func (w *Window) askFor(op string, l LockType, p *peer) error {
	got, fresh := p.control.ask(w.rank, l, false)
	if !fresh {
		return mpierr.Invalid(op, rpi.ErrRMASync, "this rank has the lock of rank %d already, or waits for it", p.rank)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	p.access.asked, p.access.held = true, got
	if cause := p.dead; cause != nil {
		return w.comm.Gone(op, p.rank, cause)
	}
	return nil
}

// obtain waits until this rank has the lock of a peer, for which it has asked by words.
func (w *Window) obtain(ctx context.Context, op string, p *peer) error {
	w.mu.Lock()
	held := p.access.held
	w.mu.Unlock()
	if held {
		return nil
	}
	if cause := w.await(ctx, granted, p); cause != nil {
		return givenUp(op, cause)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	p.access.held = p.control.holds(w.rank).has()
	if cause := p.dead; cause != nil && !p.access.held {
		return w.comm.Gone(op, p.rank, cause)
	}
	return nil
}

// giveBack gives back the locks of peers that acquire has got, or will get, for nothing.
func (w *Window) giveBack(peers []*peer) {
	w.mu.Lock()
	defer w.finish()
	for _, p := range peers {
		if p.access.asked {
			p.access.asked, p.access.held = false, false
			w.release(p.control, w.rank)
		}
		if p.access.held {
			p.access.held = false
			w.send(p, header{verb: unlock, id: w.begin(p, nil, nil)}, nil)
		}
	}
}

// Unlock ends the epoch that Lock has begun: all operations in it are complete, here and at the target.
func (w *Window) Unlock(ctx context.Context, op string, rank int) error {
	w.mu.Lock()
	p, err := w.within(op, rank)
	if err == nil && p.access.lock == noLock {
		err = mpierr.Invalid(op, rpi.ErrRMASync, "rank %d is not locked by Lock", rank)
	}
	w.finish()
	if err != nil {
		return err
	}
	err = w.end(ctx, op, unlock, p)
	w.mu.Lock()
	defer w.mu.Unlock()
	p.access.lock, p.access.held = noLock, false
	w.epochs.locks--
	return err
}

// LockAll begins an epoch with all targets, of which it gets the shared locks (section 12.5.3). UnlockAll ends it.
func (w *Window) LockAll(ctx context.Context, op string) error {
	w.mu.Lock()
	err := w.epochs.other(op)
	switch {
	case w.closed:
		err = mpierr.Invalid(op, rpi.ErrWin, "the window has been freed")
	case err == nil && w.epochs.locks > 0:
		err = mpierr.Invalid(op, rpi.ErrRMASync, "this rank holds locks from Lock: call Unlock first")
	}
	var all []*peer
	for rank := range w.peers {
		all = append(all, w.peer(rank))
	}
	w.epochs.all = w.epochs.all || err == nil
	w.finish()
	if err != nil {
		return err
	}
	if err = w.acquire(ctx, op, Shared, all...); err != nil {
		w.mu.Lock()
		w.epochs.all = false
		w.mu.Unlock()
	}
	return err
}

// UnlockAll ends the epoch that LockAll has begun.
func (w *Window) UnlockAll(ctx context.Context, op string) error {
	w.mu.Lock()
	var err error
	if !w.epochs.all {
		err = mpierr.Invalid(op, rpi.ErrRMASync, "LockAll has not been called")
	}
	all := slices.Clone(w.peers) // LockAll has made them
	w.mu.Unlock()
	if err != nil {
		return err
	}
	err = w.end(ctx, op, unlock, all...)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.epochs.all = false
	for _, p := range all {
		p.access.held = false
	}
	return err
}
