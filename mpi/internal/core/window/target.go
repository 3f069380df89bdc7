package window

import (
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// maxOwed bounds, for each origin, what a target keeps of it: long data under way, answers, and flushes that wait. No origin
// of this library comes near it; what exceeds it is ignored.
const maxOwed = 1024

// take handles a message of a peer, which may say anything.
func (w *Window) take(p *peer, h header, data []byte) {
	if p.owed+p.data+len(p.flushes) >= maxOwed {
		return
	}
	switch h.verb {
	case put, accumulate:
		p.note(w.carryOut(h, data, nil))
	case get, getAccumulate, compareAndSwap:
		w.serve(p, h, data)
	case putLong:
		w.land(p, h)
	case getLong:
		w.yield(p, h)
	case lock:
		w.want(p, h)
	case stir:
		w.stirred()
	case post:
		p.posts = min(p.posts+1, maxPosts)
	case unlock, flush, complete:
		p.flushes = append(p.flushes, h)
		w.flushed(p)
	case answer, refusal:
		w.answered(p, h, data)
	}
}

// note notes an error, of which the origin hears when it next flushes.
func (p *peer) note(f *fault) {
	if f != nil && p.failure == nil {
		p.failure = f
	}
}

// serve carries out an operation that is to be answered.
func (w *Window) serve(p *peer, h header, data []byte) {
	var f *fault
	if h.length > maxData {
		f = faulty(rpi.ErrIntern, "a short operation of %d bytes", h.length)
	} else {
		f = w.carryOut(h, data, func(piece []byte) { w.reply(p, h, piece, nil) })
	}
	if f != nil {
		w.reply(p, h, nil, f)
	}
}

// reply answers an operation with data, or with what was wrong.
func (w *Window) reply(p *peer, h header, data []byte, f *fault) {
	a := header{verb: answer, id: h.id}
	if f != nil {
		data = []byte(f.text)
		a.verb, a.class = refusal, uint8(f.class)
	}
	if a.length = uint64(len(data)); p.self {
		w.answered(p, a, data)
		return
	}
	p.owed++
	w.message(p, answering, a, data)
}

// land receives the data of a long Put into the memory. If that is not possible the data is dropped.
func (w *Window) land(p *peer, h header) {
	if h.slot >= maxSlots || p.self {
		return
	}
	m, f := w.memory.at(h.disp, h.offset, h.length)
	p.note(f)
	p.data++
	w.transfer(p, landing, h.slot, m)
}

// landed handles the end of such a receive.
func (w *Window) landed(r *request) {
	p := r.peer
	p.data--
	w.order()
	if len(r.Buf) > 0 && (r.Err != nil || r.Status.Length != uint64(len(r.Buf))) {
		p.note(faulty(rpi.ErrIntern, "%d bytes of a Put came where %d were announced", r.Status.Length, len(r.Buf)))
	}
	w.flushed(p)
}

// yield sends the data of a long Get from the memory.
func (w *Window) yield(p *peer, h header) {
	if h.slot >= maxSlots || p.self {
		return
	}
	m, f := w.memory.at(h.disp, h.offset, h.length)
	if f != nil {
		w.reply(p, h, nil, f)
		return
	}
	p.data++
	w.transfer(p, yielding, h.slot, m)
}

// flushed answers the flushes of an origin once no data of it is under way, with its first error since the last time.
func (w *Window) flushed(p *peer) {
	if p.data > 0 {
		return
	}
	for _, h := range p.flushes {
		switch h.verb {
		case unlock:
			w.release(w.control(), p.rank)
		case complete:
			p.completions = min(p.completions+1, maxPosts)
		}
		f := p.failure
		p.failure = nil
		w.reply(p, h, nil, f)
	}
	p.flushes = p.flushes[:0]
}
