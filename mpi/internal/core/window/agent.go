package window

import (
	"errors"
	"slices"
	"sync"
	"unsafe"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// agent handles the requests of a window that have completed, those of the origin and those of the target, one after the other
// and in their order.
type agent struct {
	window *Window
	inbox  *request // receives the next message; nil if there is none
	place  []byte   // its memory

	mu        sync.Mutex // of the following; the transport may hold its own lock
	busy      bool       // it runs, or is about to
	completed []*request
	taken     []*request // completed, before the last time
}

// add has the agent handle a request.
func (a *agent) add(r *request) {
	a.mu.Lock()
	a.completed = append(a.completed, r)
	idle := !a.busy
	a.busy = true
	a.mu.Unlock()
	if idle {
		a.window.process.Continuations.Add(a)
	}
}

// Run implements rpi.Runner.
func (a *agent) Run(bool) {
	for {
		a.mu.Lock()
		if len(a.completed) == 0 {
			a.busy = false
			a.mu.Unlock()
			return
		}
		a.completed, a.taken = a.taken[:0], a.completed
		a.mu.Unlock()
		for i, r := range a.taken {
			a.taken[i] = nil
			a.window.handle(r)
		}
	}
}

// listen receives the next message.
func (w *Window) listen() {
	a := &w.agent
	if a.place == nil {
		a.place = place()
	}
	r := w.request(nil, listening)
	r.Op, r.Peer, r.Tag, r.Buf = rpi.OpRecv, matching.AnySource, messageTag, a.place
	a.inbox = r
	w.outbox = append(w.outbox, r)
}

// place returns memory for a message. Elements of up to 8 bytes are aligned in it.
func place() []byte {
	const size = headerSize + maxData
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(make([]uint64, size/8)))), size)
}

// handle handles a request that has completed.
func (w *Window) handle(r *request) {
	w.mu.Lock()
	defer w.finish()
	defer w.recycle(r)
	p := r.peer
	if end, ok := errors.AsType[*rpi.PeerError](r.Err); ok && p != nil {
		w.leave(p, end.Cause)
	} else if r.Err != nil && p != nil && !errors.Is(r.Err, rpi.ErrTruncate) && r.role != watching && r.role != draining {
		w.lose(p, r.Err)
	}
	switch r.role {
	case listening:
		w.receive(r)
	case watching:
		p.watch = nil
	case draining:
		w.drained(r)
	case asking:
		p.sending--
		w.stirs = slices.DeleteFunc(w.stirs, func(s *request) bool { return s == r })
	case answering:
		p.owed--
	case giving:
		p.local--
		w.slots &^= 1 << r.slot
		if e := r.event; e != nil {
			if p.dead != nil && r.Err != nil {
				e.fail(p, gone)
			}
			w.pass(e)
		}
	case landing:
		w.landed(r)
		w.bury(p)
	case yielding:
		p.data--
		w.flushed(p)
		w.bury(p)
	case fetching:
		w.fetched(r)
	}
}

// receive handles a message, or what has come in its place, and has the next one received.
func (w *Window) receive(r *request) {
	w.agent.inbox = nil
	end, died := errors.AsType[*rpi.PeerError](r.Err)
	switch {
	case w.closed || r.Status.Cancelled:
		return
	case died: // amid its message
		if rank := w.comm.RankOf(end.Peer); w.other(rank) {
			w.leave(w.peer(rank), end.Cause)
		}
	case errors.Is(r.Err, rpi.ErrDeserted):
		return // all others are gone: the watch of each says so
	case r.Err != nil && !unfit(r.Err): // this process has left its job
		for _, p := range w.peers {
			if p != nil {
				w.lose(p, r.Err)
			}
		}
		return
	default:
		w.read(r)
	}
	w.listen()
}

// unfit reports whether an error is about one message that does not fit, and that the window ignores.
func unfit(err error) bool { return errors.Is(err, rpi.ErrTruncate) || errors.Is(err, rpi.ErrType) }

// read handles the message that r has received, if it is one.
func (w *Window) read(r *request) {
	if r.Err != nil {
		return
	}
	rank := w.comm.RankOf(r.Status.Source)
	if h, data, ok := parse(r.Buf[:r.Status.Length]); ok && w.other(rank) {
		w.take(w.peer(rank), h, data)
	}
}

// other reports whether a rank is another one of the window's.
func (w *Window) other(rank int) bool { return rank >= 0 && rank < len(w.peers) && rank != w.rank }
