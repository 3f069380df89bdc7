package window

import "context"

// Memory that this process has itself, its own or that of a rank which shares it, needs no messages: the origin carries out its
// operations on it, as the target's agent would, and they are complete when their calls return. Ranks that do not share the memory still
// send messages to its agent. The latch of the memory keeps all of them apart. Locks and epochs are words beside the memory: see control.go.

// Near says that this process has the memory of a rank, in units of so many bytes: part i of a segment. Call it before the window is used.
func (w *Window) Near(rank int, s *Segment, i int, base []byte, unit int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	c := s.control(i, rank, len(w.peers))
	m := memory{base: base, unit: int64(unit), latch: &latch{&c.latch}}
	if rank == w.rank {
		w.memory, w.own = m, c
		return
	}
	if w.near == nil {
		w.near = make([]*neighbour, len(w.peers))
	}
	w.near[rank] = &neighbour{m, c}
	c.slots[w.rank].attached.Store(1)
}

// neighbour is a rank of which this process has the memory.
type neighbour struct {
	memory  memory
	control *control
}

// advanceEvery is after how many operations on memory near by one moves messages too: a program may do nothing else for as long as it
// waits for another rank.
const advanceEvery = 16

// operate carries out an operation on memory of a peer that this process has. What it asks for is given to result.
func (w *Window) operate(ctx context.Context, op string, p *peer, h header, data []byte, e *Event, result func(piece []byte)) error {
	w.mu.Lock()
	if cause := p.dead; cause != nil {
		w.mu.Unlock()
		return w.comm.Gone(op, p.rank, cause)
	}
	w.here++
	advance := w.here%advanceEvery == 0
	// Memory with a latch needs nothing of the window. So messages are handled during a long copy, and while another process has the latch: it
	// may have no processor, or have been stopped.
	m := p.memory
	if m.latch == nil {
		p.fail(e, w.act(m, h, data, result))
		w.mu.Unlock()
	} else {
		w.mu.Unlock()
		latched, err := w.seize(ctx, op, p, h)
		if err != nil {
			return err
		}
		f := w.act(m, h, data, result)
		if latched {
			m.latch.unlock()
		}
		w.mu.Lock()
		p.fail(e, f)
		w.mu.Unlock()
	}
	if advance {
		w.process.Transport.Advance()
	}
	return nil
}

// fail notes an error of an operation at a peer, for its event or for the next synchronization.
func (p *peer) fail(e *Event, f *fault) {
	if f != nil && (e == nil || !e.own) && p.err == nil {
		p.err = f
	}
	if e != nil {
		e.fail(p, f)
	}
}

// seize takes the latch of a peer's memory for an operation that has to be atomic. It goes on with messages, and gives up when ctx ends or the peer
// is gone.
func (w *Window) seize(ctx context.Context, op string, p *peer, h header) (latched bool, err error) {
	if h.length > maxData { // longer ones need not be
		return false, nil
	}
	for look := 1; ; look++ {
		if taken, _ := p.memory.latch.try(look); taken {
			return true, nil
		}
		if look < latchSpins {
			continue
		}
		if ctx.Err() != nil {
			return false, givenUp(op, context.Cause(ctx))
		}
		w.process.Transport.Advance()
		w.mu.Lock()
		cause := p.dead
		w.mu.Unlock()
		if cause != nil {
			return false, w.comm.Gone(op, p.rank, cause)
		}
	}
}

// carryOut carries out an operation of another rank on this one's memory.
func (w *Window) carryOut(h header, data []byte, result func(piece []byte)) *fault {
	m := &w.memory
	if m.latch != nil && h.length <= maxData {
		m.latch.lock()
		defer m.latch.unlock()
	}
	return w.act(m, h, data, result)
}

// act does what an operation does to memory. What it asks for is given to result, before anything changes.
func (w *Window) act(m *memory, h header, data []byte, result func(piece []byte)) *fault {
	w.order()
	defer w.order()
	if h.shape > 0 {
		return w.actShaped(m, h, data, result)
	}
	switch h.verb {
	case put:
		place, f := m.reach(h, data)
		copy(place, data)
		return f
	case get:
		place, f := m.at(h.disp, h.offset, h.length)
		if f == nil {
			result(place)
		}
		return f
	case compareAndSwap:
		return m.compareAndSwap(h, data, result)
	}
	place, combine, f := w.operands(m, h, data)
	if f == nil && h.verb == getAccumulate {
		result(place)
	}
	if f == nil && combine != nil {
		combine(place, data)
	}
	return f
}
