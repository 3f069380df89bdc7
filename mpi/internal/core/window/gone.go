package window

import (
	"cmp"
	"context"
	"errors"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// What a peer has sent before it went counts: answers, and what begins and ends epochs. While the receive for messages of all peers is not
// posted, as the last message is being handled, both may come, what the peer has sent and its end. Its end is known first: its watch fails
// at once, and so do sends to it. So what it has sent is received by receives from that peer alone, until one fails because there is
// nothing left. They are posted behind the one for all peers, if that is posted: messages are handled in their order.

// leave notes that a peer is gone, and why. Once what it has sent has been handled it is lost.
func (w *Window) leave(p *peer, cause error) {
	switch {
	case p.dead != nil || p.self:
	case w.closed:
		w.lose(p, cause)
	default:
		p.dead = cause
		w.drain(p, place())
	}
}

// drain receives the next message of a peer that is gone.
func (w *Window) drain(p *peer, place []byte) {
	r := w.request(p, draining)
	r.Op, r.Tag, r.Buf = rpi.OpRecv, messageTag, place
	p.drain = r
	w.outbox = append(w.outbox, r)
}

// drained handles the end of such a receive.
func (w *Window) drained(r *request) {
	p := r.peer
	p.drain = nil
	_, empty := errors.AsType[*rpi.PeerError](r.Err)
	switch {
	case w.closed || r.Status.Cancelled:
	case empty:
		p.drained = true
		w.bury(p)
	case r.Err != nil && !unfit(r.Err):
		w.lose(p, r.Err)
	default:
		w.read(r)
		w.drain(p, r.Buf)
	}
}

// bury loses a peer that is gone if all that it has sent has come.
func (w *Window) bury(p *peer) {
	if p.drained && p.data == 0 {
		w.lose(p, p.dead)
		if !w.closed && !errors.Is(p.dead, rpi.ErrGivenUp) { // else it is this process that is gone, for the others
			w.forfeit(p)
		}
	}
}

// confirm waits until this rank, too, knows of the end of a target that another rank with its words has found gone, and returns the error of
// an operation with it. It returns nil if no rank has.
func (w *Window) confirm(ctx context.Context, op string, p *peer) error {
	if !p.byWords() || p.control.lock.gone.Load() == 0 {
		return nil
	}
	w.process.Transport.GiveUp(p.job, errElsewhere)
	if cause := w.await(ctx, departed, p); cause != nil {
		return givenUp(op, cause)
	}
	w.mu.Lock()
	cause := p.dead
	w.mu.Unlock()
	return w.comm.Gone(op, p.rank, cause)
}

var errElsewhere = errors.New("another rank of its host has found it gone")

// lose notes that nothing will come of a peer any more. What this rank waits for from it fails.
func (w *Window) lose(p *peer, cause error) {
	if p.lost || p.self {
		return
	}
	p.lost = true
	p.dead = cmp.Or(p.dead, cause)
	for i := range w.operations {
		if o := &w.operations[i]; o.peer == p && o.data == nil {
			w.ended(uint32(i), gone)
		}
	}
	p.flushes, w.someLost = nil, true
}
