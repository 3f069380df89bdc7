package window

import (
	"cmp"
	"context"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Epochs between a group of origins and a group of targets, of which each only knows the ranks it deals with (section
// 12.5.2): a target calls Post and Wait, an origin Start and Complete.

// maxPosts bounds what is counted of a peer's posts and completions; one of each is all that a program can need.
const maxPosts = 1 << 20

// Post begins an epoch in which the given ranks may access this one's memory. It does not wait.
func (w *Window) Post(op string, ranks []int) error {
	w.mu.Lock()
	defer w.finish()
	origins, err := w.group(op, ranks)
	switch {
	case err != nil:
		return err
	case w.epochs.posted:
		return mpierr.Invalid(op, rpi.ErrRMASync, "the epoch that Post has begun is open: end it with Wait before")
	}
	w.epochs.posted, w.epochs.origins = true, origins
	for _, p := range origins {
		switch {
		case p.dead != nil:
		case w.uses(p):
			w.own.slots[p.rank].posts.Add(1)
			w.wake(w.own, p.rank)
		default:
			w.send(p, header{verb: post}, nil)
		}
	}
	return nil
}

// Start begins an epoch with the given targets, when all that live have called Post.
func (w *Window) Start(ctx context.Context, op string, ranks []int) error {
	w.mu.Lock()
	targets, err := w.group(op, ranks)
	if err == nil {
		err = w.epochs.other(op)
	}
	switch {
	case err != nil:
	case w.epochs.locks > 0:
		err = mpierr.Invalid(op, rpi.ErrRMASync, "this rank holds locks: call Unlock before")
	default:
		w.epochs.started, w.epochs.targets = true, targets
	}
	w.finish()
	if err != nil {
		return err
	}
	for _, p := range targets {
		if cause := w.await(ctx, posted, p); cause != nil {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.epochs.started, w.epochs.targets = false, nil
			return givenUp(op, cause)
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, p := range targets {
		if w.posted(p) > 0 { // else it is lost
			if p.byWords() {
				p.postsUsed++
			} else {
				p.posts--
			}
		}
		p.access.started = true
	}
	return nil
}

// Complete ends the epoch of Start: its operations are complete, here and there.
func (w *Window) Complete(ctx context.Context, op string) error {
	w.mu.Lock()
	targets, open := w.epochs.targets, w.epochs.started
	w.mu.Unlock()
	if !open {
		return mpierr.Invalid(op, rpi.ErrRMASync, "Start has not been called")
	}
	err := w.end(ctx, op, complete, targets...)
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, p := range targets {
		p.access.started = false
	}
	w.epochs.started, w.epochs.targets = false, nil
	return err
}

// Wait ends the epoch of Post, when all its origins that live have called Complete.
func (w *Window) Wait(ctx context.Context, op string) error {
	w.mu.Lock()
	origins, open := w.epochs.origins, w.epochs.posted
	w.mu.Unlock()
	if !open {
		return mpierr.Invalid(op, rpi.ErrRMASync, "Post has not been called")
	}
	for _, p := range origins {
		if cause := w.await(ctx, completed, p); cause != nil {
			return givenUp(op, cause)
		}
	}
	return w.waited(op, origins)
}

// Test is Wait if that need not wait, else it reports false.
func (w *Window) Test(op string) (bool, error) {
	w.process.Transport.Advance()
	w.mu.Lock()
	origins, open, done := w.epochs.origins, w.epochs.posted, true
	for _, p := range origins {
		done = done && w.holds(completed, p)
	}
	w.mu.Unlock()
	switch {
	case !open:
		return false, mpierr.Invalid(op, rpi.ErrRMASync, "Post has not been called")
	case !done:
		return false, nil
	}
	return true, w.waited(op, origins)
}

// waited ends the epoch of Post. The error is that of the first origin that is gone.
func (w *Window) waited(op string, origins []*peer) error {
	var lost *peer
	w.mu.Lock()
	for _, p := range origins {
		switch {
		case w.completed(p) == 0:
			lost = cmp.Or(lost, p)
		case w.uses(p):
			p.completionsUsed++
		default:
			p.completions--
		}
	}
	w.epochs.posted, w.epochs.origins = false, nil
	w.mu.Unlock()
	if lost == nil {
		return nil
	}
	return w.failure(op, lost, gone)
}

// posted is how many epochs a target has opened by Post for this rank that it has not begun.
func (w *Window) posted(p *peer) int {
	if p.byWords() {
		return int(p.control.slots[w.rank].posts.Load() - p.postsUsed)
	}
	return p.posts
}

// completed is how many epochs an origin has ended by Complete that this rank has not.
func (w *Window) completed(p *peer) int {
	if w.uses(p) {
		return int(w.own.slots[p.rank].completions.Load() - p.completionsUsed)
	}
	return p.completions
}

// group returns the peers of ranks.
func (w *Window) group(op string, ranks []int) ([]*peer, error) {
	peers := make([]*peer, 0, len(ranks))
	for _, rank := range ranks {
		p, err := w.within(op, rank)
		if err != nil {
			return nil, err
		}
		peers = append(peers, p)
	}
	return peers, nil
}
