package shm

import (
	"fmt"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/progression"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/shm/internal/ring"
)

// recordsInTurn is how many records of a peer are taken before others have a turn.
const recordsInTurn = 64

// poll takes in what has come, if one of so many looks finds something, which it reports.
func (l *Link) poll(looks int) (some bool) {
	l.progress.Lock()
	defer l.progress.Unlock()
	if l.inbox == nil {
		return false
	}
	for l.ready = l.inbox.Look(l.ready[:0]); len(l.ready) == 0 && l.reads.empty() && !l.broken.Load(); {
		if looks--; looks <= 0 {
			return false
		}
		l.ready = l.inbox.Look(l.ready)
	}
	l.mu.Lock()
	for _, rank := range l.ready {
		l.take(l.peers[rank])
	}
	l.readNext()
	if l.broken.Load() {
		l.failBroken()
	}
	l.finish()
	return true
}

// failBroken ends the use of rings that are broken. The lock is held.
func (l *Link) failBroken() {
	l.broken.Store(false)
	for _, p := range l.peers {
		if p != nil && p.broken != nil {
			l.fail(p, p.broken)
		}
	}
}

// take takes records of a peer in. The lock is held. It is released while much is copied.
func (l *Link) take(p *peer) {
	if p.stage != shared {
		return
	}
	closed := p.in.Closed() // no record follows those that are there now
	for n := range recordsInTurn + 1 {
		if n == recordsInTurn {
			closed = false
			break
		}
		some, err := p.in.Next(&l.frame)
		if err == nil && some {
			err = l.record(p, &l.frame)
		}
		if err != nil {
			l.fail(p, err)
			return
		}
		if !some {
			break
		}
	}
	if p.in.Done() {
		l.tell(p)
	}
	if p.busy() {
		l.layer.SetReady(p.rank)
	}
	if !p.ended && l.layer.Failed(p.rank) != nil { // it has said Bye
		p.ended = true
		l.changed.Broadcast()
	}
	switch {
	case closed && p.in.GivenUp():
		l.fail(p, rpi.ErrGivenUp)
	case closed:
		l.fail(p, errLeft)
	}
}

// violation returns the error for a record that no correct process writes.
func violation(p *peer, format string, args ...any) error {
	return fmt.Errorf("%w: rank %d of the job broke the protocol of shared memory: %s", rpi.ErrIntern, p.rank, fmt.Sprintf(format, args...))
}

// record takes in a record.
func (l *Link) record(p *peer, f *ring.Frame) error {
	a := &p.arrival
	switch first := f.Header[0]; {
	case first == returned:
		return l.loanReturned(p, idOf(&f.Header))
	case first == unreadable:
		return l.loanUnreadable(p, idOf(&f.Header))
	case first == more:
		if !a.begun() {
			return violation(p, "a frame goes on that has not begun")
		}
	case first&lent != 0:
		if a.begun() {
			return violation(p, "a frame began in another one")
		}
		return l.borrow(p, f)
	default:
		if a.begun() {
			return violation(p, "a frame began in another one")
		}
		a.header = f.Header
		if err := l.arrive(p); err != nil {
			return err
		}
	}
	if err := l.fill(p, f.Body); err != nil {
		return err
	}
	return l.fill(p, f.Rest)
}

// arrival is a frame of which the envelope has arrived, or a part of it.
type arrival struct {
	header header
	have   int // bytes of the header of a coalesced frame
	sink   progression.Sink
	length int // of the body
	landed int // bytes of the body
}

func (a *arrival) begun() bool { return a.have > 0 || a.landed < a.length }

// arrive handles the envelope of a frame.
func (l *Link) arrive(p *peer) (err error) {
	a := &p.arrival
	if err = matching.ParseEnvelope(&l.env, a.header[:]); err != nil {
		return err
	}
	if a.sink, err = l.layer.Arrive(p.rank, &l.env); err != nil {
		return err
	}
	a.have, a.landed, a.length = 0, 0, 0
	if a.sink.Pending() {
		a.length = int(l.env.Length)
	}
	return nil
}

// fill handles bytes of a frame: of its body, and then of those that share it.
func (l *Link) fill(p *peer, b []byte) error {
	for a := &p.arrival; len(b) > 0; {
		if a.landed == a.length {
			n := copy(a.header[a.have:], b)
			a.have += n
			b = b[n:]
			if a.have < len(a.header) {
				return nil
			}
			if err := l.arrive(p); err != nil {
				return err
			}
			continue
		}
		n := min(len(b), a.length-a.landed)
		if place := a.sink.Buf; place != nil { // otherwise the body is dropped
			progression.Land(l.mu, place[a.landed:], b[:n])
		}
		b = b[n:]
		if a.landed += n; a.landed == a.length {
			l.layer.Arrived(&a.sink)
		}
	}
	return nil
}

// loanUnreadable meets the fault that a peer has seen in a loan: this process has passed memory that is not there.
func (l *Link) loanUnreadable(p *peer, id uint32) error {
	f := p.loans.get(id)
	if f == nil {
		return violation(p, "it could not read loan %d, which it did not have", id)
	}
	rpi.TouchToRead(f.Body)
	return fmt.Errorf("%w: rank %d of the job cannot read the memory of a message", rpi.ErrIntern, p.rank)
}

// loanReturned ends a loan to a peer, which has read it.
func (l *Link) loanReturned(p *peer, id uint32) error {
	f := p.loans.take(id)
	if f == nil {
		return violation(p, "it returned loan %d, which it did not have", id)
	}
	p.neighbour.returned(id)
	l.layer.Sent(f)
	if l.state == closing && !p.busy() {
		l.changed.Broadcast()
	}
	return nil
}
