package shm

import (
	"github.com/sctpmpi/sctpmpi/internal/header"
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/progression"
)

// copyLimit is the longest body, in bytes, that is copied through the ring to a peer that can read this process's
// memory. A coalesced frame is never longer.
const copyLimit = 8 << 10

// TrySend implements progression.Memory. Where something waits for room nothing goes past it, as a Put that has room ends the wait.
func (l *Link) TrySend(rank matching.Rank, h *recordHeader, body []byte) bool {
	p := l.peers[rank]
	if p == nil || p.stage != shared || p.broken != nil || len(p.returned) > 0 || !p.pieces.empty() || len(body) > copyLimit {
		return false
	}
	if ok, err := p.out.Put(h, body); !ok || err != nil {
		return false // the long way meets the error again
	}
	l.tell(p)
	return true
}

// send hands frames to a peer as far as there is room in the ring to it.
func (l *Link) send(p *peer) {
	some := false
	for p.broken == nil && l.put(p) {
		some = true
	}
	if some {
		l.tell(p)
		if l.life.Closing && !p.busy() {
			l.life.Changed()
		}
	}
	if p.broken != nil {
		l.broken.Store(true) // a peer fails only by a goroutine that has the progress token
		l.bell(p)
	}
}

// put puts the next record into the ring, and reports whether there was one and room for it.
func (l *Link) put(p *peer) bool {
	switch last := len(p.returned) - 1; {
	case last >= 0:
		if !p.write(&p.returned[last], nil) {
			return false
		}
		p.returned = p.returned[:last]
		return true
	case p.pieces.current != nil:
		return l.putMore(p)
	}
	f := p.queue.Head()
	switch {
	case f == nil:
		return l.putFragment(p)
	case f.Kind() == header.Bye && (p.loans.open > 0 || !p.pieces.empty()):
		return l.putFragment(p) // Bye fails what the peer has not read
	case len(f.Body) <= copyLimit && len(f.Body) <= p.out.Limit():
		return l.putWhole(p, f)
	case f.Messages > 1 || !p.lends:
		p.queue.Pop()
		f.Started = true
		p.pieces.begin(f)
		return l.put(p)
	}
	return l.putLoan(p, f)
}

// putWhole puts a frame into the ring.
func (l *Link) putWhole(p *peer, f *progression.Frame) bool {
	if !p.write(&f.Header, f.Body) {
		return false
	}
	p.queue.Pop()
	f.Started = true
	l.layer.Sent(f)
	return true
}

// putLoan puts the header of a frame into the ring and lends its body.
func (l *Link) putLoan(p *peer, f *progression.Frame) bool {
	room, err := p.out.Room()
	if err == nil && room < loanSize {
		var ok bool
		if ok, err = p.out.Starve(loanSize); ok {
			room = loanSize
		}
	}
	if p.broken = err; room < loanSize {
		return false
	}
	id := p.loans.add(f)
	var where [loanSize]byte
	h := f.Header
	h[0] |= lent
	p.queue.Pop()
	f.Started = true
	return p.write(&h, putLoan(&where, p.neighbour.lend(id, f.Body), id))
}

// write puts a record into the ring. If there is no room the Inbox will find the peer.
func (p *peer) write(h *recordHeader, body []byte) bool {
	ok, err := p.out.Put(h, body)
	if !ok && err == nil {
		if ok, err = p.out.Starve(len(body)); ok {
			ok, err = p.out.Put(h, body)
		}
	}
	p.broken = err
	return ok
}

// tell has a peer look at the ring to it.
func (l *Link) tell(p *peer) {
	if p.notifier.Notify() {
		l.bell(p)
	}
}

// bell has the doorbell of a peer rung: see Ring.
func (l *Link) bell(p *peer) {
	if !p.rung {
		p.rung = true
		l.bells = append(l.bells, p)
	}
}

// Ring rings the doorbells that are to be rung. The lock is held, but not meanwhile.
func (l *Link) Ring() {
	for len(l.bells) > 0 {
		last := len(l.bells) - 1
		p := l.bells[last]
		l.bells, p.rung = l.bells[:last], false
		neighbour, broken := p.neighbour, l.broken.Load()
		l.lock.Leave()
		if broken {
			l.driver.Wake()
		}
		neighbour.wake()
		l.lock.Enter()
	}
}
