package window

import (
	"errors"
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
	words  []uint64 // its memory

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

// listen receives the next message. mu is held.
func (w *Window) listen() {
	a := &w.agent
	const size = headerSize + maxData
	if a.words == nil {
		a.words = make([]uint64, size/8) // elements of up to 8 bytes are aligned
	}
	r := w.request(nil, listening)
	r.Op, r.Peer, r.Tag = rpi.OpRecv, matching.AnySource, messageTag
	r.Buf = unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(a.words))), size)
	a.inbox = r
	w.outbox = append(w.outbox, r)
}

// handle handles a request that has completed.
func (w *Window) handle(r *request) {
	w.mu.Lock()
	defer w.finish()
	defer w.recycle(r)
	p := r.peer
	if end, ok := errors.AsType[*rpi.PeerError](r.Err); ok && p != nil {
		w.lose(p, end.Cause)
	} else if r.Err != nil && p != nil && !errors.Is(r.Err, rpi.ErrTruncate) && r.role != watching {
		w.lose(p, r.Err)
	}
	switch r.role {
	case listening:
		w.receive(r)
	case watching:
		p.watch = nil
	case asking:
		p.sending--
	case answering:
		p.owed--
	case giving:
		p.local--
		w.slots &^= 1 << r.slot
		if e := r.event; e != nil {
			if p.dead != nil {
				e.fail(p, gone)
			}
			w.pass(e)
		}
	case landing:
		w.landed(r)
	case yielding:
		p.data--
		w.flushed(p)
	case fetching:
		w.fetched(r)
	}
}

// receive handles a message, or what has come in its place, and has the next one received.
func (w *Window) receive(r *request) {
	w.agent.inbox = nil
	switch {
	case w.closed || r.Status.Cancelled:
		return
	case r.Err != nil && !errors.Is(r.Err, rpi.ErrTruncate) && !errors.Is(r.Err, rpi.ErrType):
		// This process has left its job, or all others have: then no message can come.
		for _, p := range w.peers {
			if p != nil && !p.self {
				w.lose(p, r.Err)
			}
		}
		return
	case r.Err == nil:
		rank := w.comm.RankOf(r.Status.Source)
		if h, data, ok := parse(r.Buf[:r.Status.Length]); ok && rank >= 0 && rank < len(w.peers) && rank != w.rank {
			w.take(w.peer(rank), h, data)
		}
	}
	w.listen()
}

// lose notes that a peer cannot be reached. What this rank waits for from it fails, and it holds no locks. mu is held.
func (w *Window) lose(p *peer, cause error) {
	if p.dead != nil || p.self {
		return
	}
	p.dead = cause
	for i := range w.operations {
		if o := &w.operations[i]; o.peer == p && o.data == nil {
			w.ended(uint32(i), gone)
		}
	}
	p.flushes = nil
	w.release(p)
}
