package window

// Memory that this process has itself, its own or that of a rank which shares it, needs no messages: the origin carries out its
// operations on it, as the target's agent would, and they are complete when their calls return. Ranks that do not share the memory still
// send messages to its agent. The latch of the memory keeps all of them apart. Locks and epochs are messages in any case.

// Near says that this process has the memory of a rank, in units of so many bytes: part i of a segment. Call it before the window is used.
func (w *Window) Near(rank int, s *Segment, i int, base []byte, unit int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	m := memory{base: base, unit: int64(unit), latch: s.latch(i)}
	if rank == w.rank {
		w.memory = m
		return
	}
	if w.near == nil {
		w.near = make([]*memory, len(w.peers))
	}
	w.near[rank] = &m
}

// advanceEvery is after how many operations on memory near by one moves messages too: a program may do nothing else for as long as it
// waits for another rank.
const advanceEvery = 16

// operate carries out an operation on memory of a peer that this process has. What it asks for is given to result.
func (w *Window) operate(op string, p *peer, h header, data []byte, e *Event, result func(piece []byte)) error {
	w.mu.Lock()
	if cause := p.dead; cause != nil {
		w.mu.Unlock()
		return w.comm.Gone(op, p.rank, cause)
	}
	w.here++
	advance := w.here%advanceEvery == 0
	// Most operations on another rank's memory need nothing of the window. So messages are handled during a long copy, and while another
	// process has the latch: it may have no processor, or have been stopped.
	alone := !p.self && h.shape == 0
	if alone {
		w.mu.Unlock()
	}
	f := w.carryOut(p.memory, h, data, result)
	if alone {
		w.mu.Lock()
	}
	p.fail(e, f)
	w.mu.Unlock()
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

// carryOut carries out an operation on memory. What it asks for is given to result, before anything changes. mu is held if the memory is of
// this rank, or of a shape.
func (w *Window) carryOut(m *memory, h header, data []byte, result func(piece []byte)) *fault {
	if m.latch != nil && h.length <= maxData { // longer ones need not be atomic
		m.latch.lock()
		defer m.latch.unlock()
	}
	w.order()
	defer w.order()
	if h.shape > 0 {
		return w.carryOutShaped(m, h, data, result)
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
