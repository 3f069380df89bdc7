package window

import (
	"cmp"
	"context"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// end asks peers to say when all operations so far are complete, and waits until they are, there and here. It returns the
// first error of those operations. v is flush, unlock or complete. The last two are words in memory that is shared, where there is some.
func (w *Window) end(ctx context.Context, op string, v verb, peers ...*peer) (err error) {
	var e *Event
	for _, p := range peers {
		if p == nil {
			continue
		}
		v := v
		if v == unlock && p.control != nil || v == complete && p.byWords() {
			v = flush
		}
		if !p.unsure.Swap(false) && v == flush {
			continue
		}
		if failed := w.enter(ctx, op, p, room); failed != nil {
			p.unsure.Store(true) // it has not been asked
			err = cmp.Or(err, failed)
			continue
		}
		if e == nil {
			e = w.event()
		}
		w.send(p, header{verb: v, id: w.begin(p, nil, e)}, nil)
		w.finish()
	}
	if e != nil {
		if cause := w.join(ctx, e); cause != nil && err == nil {
			err = givenUp(op, cause)
		}
	}
	err = cmp.Or(err, w.local(ctx, op, peers...))
	if v != flush {
		for _, p := range peers {
			err = cmp.Or(err, w.confirm(ctx, op, p))
		}
		err = cmp.Or(err, w.say(op, v, peers))
	}
	return err
}

// say ends epochs with peers by words, as far as they are by words.
func (w *Window) say(op string, v verb, peers []*peer) (err error) {
	w.mu.Lock()
	defer w.finish()
	for _, p := range peers {
		switch {
		case p.control == nil || v == complete && p.self:
			continue
		case v == unlock:
			p.access.asked = false
			w.release(p.control, w.rank)
		default:
			p.control.slots[w.rank].completions.Add(1)
			w.wake(p.control, p.rank)
		}
		if p.dead != nil && err == nil {
			err = w.comm.Gone(op, p.rank, p.dead)
		}
	}
	return err
}

// Flush completes the operations with one target, here and there (section 12.5.4).
func (w *Window) Flush(ctx context.Context, op string, rank int) error {
	p, err := w.flushing(op, rank)
	if err != nil {
		return err
	}
	return w.end(ctx, op, flush, p)
}

// FlushLocal completes the operations with one target here: their buffers may be used again.
func (w *Window) FlushLocal(ctx context.Context, op string, rank int) error {
	p, err := w.flushing(op, rank)
	if err != nil {
		return err
	}
	return w.local(ctx, op, p)
}

// FlushAll is Flush of all targets.
func (w *Window) FlushAll(ctx context.Context, op string) error {
	peers, err := w.flushingAll(op)
	if err != nil {
		return err
	}
	return w.end(ctx, op, flush, peers...)
}

// FlushLocalAll is FlushLocal of all targets.
func (w *Window) FlushLocalAll(ctx context.Context, op string) error {
	peers, err := w.flushingAll(op)
	if err != nil {
		return err
	}
	return w.local(ctx, op, peers...)
}

// local waits until the operations with peers are complete here, and returns their first error.
func (w *Window) local(ctx context.Context, op string, peers ...*peer) (err error) {
	for _, p := range peers {
		if p == nil {
			continue
		}
		if cause := w.await(ctx, quiet, p); cause != nil && err == nil {
			err = givenUp(op, cause)
		}
		err = cmp.Or(err, w.outcome(op, p))
	}
	return err
}

// flushing returns the peer of a rank that is locked.
func (w *Window) flushing(op string, rank int) (*peer, error) {
	w.mu.Lock()
	defer w.finish()
	p, err := w.within(op, rank)
	if err == nil && !w.epochs.all && p.access.lock == noLock {
		err = mpierr.Invalid(op, rpi.ErrRMASync, "rank %d is not locked: call Lock or LockAll before", rank)
	}
	return p, err
}

// flushingAll returns the peers if any may be locked.
func (w *Window) flushingAll(op string) ([]*peer, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.closed:
		return nil, mpierr.Invalid(op, rpi.ErrWin, "the window has been freed")
	case !w.epochs.all && w.epochs.locks == 0:
		return nil, mpierr.Invalid(op, rpi.ErrRMASync, "no rank is locked: call Lock or LockAll before")
	}
	return append([]*peer(nil), w.peers...), nil
}

// Fence ends the epoch that the last Fence has begun: it completes this rank's operations. Those of the others are complete
// when they have done the same, which the caller waits for before Fenced.
func (w *Window) Fence(ctx context.Context, op string) error {
	w.mu.Lock()
	peers := append([]*peer(nil), w.peers...)
	w.mu.Unlock()
	return w.end(ctx, op, flush, peers...)
}

// MayFence says why this rank may not call Fence, nil if it may.
func (w *Window) MayFence(op string) *mpierr.Error {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.closed:
		return mpierr.Invalid(op, rpi.ErrWin, "the window has been freed")
	case w.epochs.all || w.epochs.locks > 0:
		return mpierr.Invalid(op, rpi.ErrRMASync, "this rank holds locks: call Unlock or UnlockAll before")
	case w.epochs.started:
		return mpierr.Invalid(op, rpi.ErrRMASync, "the epoch that Start has begun is open: end it with Complete before")
	case w.epochs.posted:
		return mpierr.Invalid(op, rpi.ErrRMASync, "the epoch that Post has begun is open: end it with Wait before")
	}
	return nil
}

// Fenced notes that all ranks have done what Fence does. Next: an epoch begins.
func (w *Window) Fenced(next bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.epochs.fence, w.epochs.used = next, false
}

// MayClose says why this rank may not free the window, nil if it may.
func (w *Window) MayClose(op string) *mpierr.Error {
	if err := w.MayFence(op); err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.epochs.used {
		return mpierr.Invalid(op, rpi.ErrRMASync, "the epoch that Fence has begun has operations: end it with Fence before")
	}
	return nil
}

// Sync orders what this rank has done to its own memory and what others have (section 12.5.4).
func (w *Window) Sync() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.order()
	if l := w.memory.latch; l != nil {
		l.word.Add(0) // in order with all changes of it, without a wait for one that has it
	}
}
