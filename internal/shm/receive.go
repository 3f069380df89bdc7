package shm

import (
	"fmt"

	"github.com/sctpmpi/sctpmpi/internal/shm/internal/ring"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// recordsInTurn is how many records of a peer are taken before others have a turn.
const recordsInTurn = 64

// poll takes in what has come, if one of so many looks finds something, which it reports.
func (l *Link) poll(looks int) (some bool) {
	l.life.Progress.Lock()
	defer l.life.Progress.Unlock()
	if l.inbox == nil {
		return false
	}
	for l.ready = l.inbox.Look(l.ready[:0]); len(l.ready) == 0 && l.reads.empty() && !l.broken.Load(); {
		if looks--; looks <= 0 {
			return false
		}
		l.ready = l.inbox.Look(l.ready)
	}
	l.lock.Lock()
	defer l.lock.Unlock()
	for _, rank := range l.ready {
		l.take(l.peers[rank])
	}
	if !l.reads.empty() {
		l.readNext()
	}
	if l.broken.Load() {
		l.failBroken()
	}
	return true
}

// failBroken ends the use of rings that are broken.
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
		l.life.Changed()
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
	r := &p.reader
	switch first := f.Header[0]; {
	case first == returned:
		return l.loanReturned(p, idOf(&f.Header))
	case first == unreadable:
		return l.loanUnreadable(p, idOf(&f.Header))
	case first == more:
		if !r.Begun() {
			return violation(p, "a frame goes on that has not begun")
		}
	case first&lent != 0:
		if r.Begun() {
			return violation(p, "a frame began in another one")
		}
		return l.borrow(p, f)
	default:
		if r.Begun() {
			return violation(p, "a frame began in another one")
		}
		return l.layer.TakeFrame(p.rank, r, &f.Header, f.Body, f.Rest)
	}
	if err := l.layer.Take(p.rank, r, f.Body); err != nil {
		return err
	}
	return l.layer.Take(p.rank, r, f.Rest)
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
	if l.life.Closing && !p.busy() {
		l.life.Changed()
	}
	return nil
}
