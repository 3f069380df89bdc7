package shm

import (
	"errors"
	"slices"

	"github.com/sctpmpi/sctpmpi/internal/shm/internal/onecopy"
	"github.com/sctpmpi/sctpmpi/internal/shm/internal/ring"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/progression"
)

// Lent bodies are read by the goroutine that has the progress token. Peers take turns, a piece of readSize bytes each. Of one peer a body is read
// to its end before the next, as the messages of a window are wanted one after the other, and memory is read and written faster so. But after
// readTurn bytes it gives way to the next, which may be much shorter.
const (
	readSize = 256 << 10
	readTurn = 4 << 20
)

// reads are the peers that have lent something, in the order of their turns.
type reads struct{ peers []*peer }

// read is a lent body that is being read.
type read struct {
	sink       progression.Sink
	id         uint32
	address    uint64
	done, turn int // bytes, in all and in this turn
}

func (s *reads) empty() bool { return len(s.peers) == 0 }

// add has the bodies that a peer has lent read.
func (s *reads) add(p *peer) {
	if len(p.lent) > 0 {
		s.peers = append(s.peers, p)
	}
}

// next takes the body out whose turn it is, and the peer that has lent it.
func (s *reads) next() (p *peer, r read) {
	p = s.peers[0]
	r = p.lent[0]
	s.peers = slices.Delete(s.peers, 0, 1)
	p.lent = slices.Delete(p.lent, 0, 1)
	return p, r
}

// read notes that so many bytes have been read, and reports whether that is all.
func (r *read) read(n int) bool {
	r.done += n
	r.turn += n
	return r.done == len(r.sink.Buf)
}

// among puts the body among the others of its peer: first, unless its turn is over.
func (r *read) among(others []read) []read {
	if r.turn < readTurn {
		return slices.Insert(others, 0, *r)
	}
	r.turn = 0
	return append(others, *r)
}

// remove forgets what a peer has lent.
func (s *reads) remove(p *peer) {
	p.lent = nil
	s.peers = slices.DeleteFunc(s.peers, func(other *peer) bool { return other == p })
}

// borrow handles the record of a frame whose body is lent.
func (l *Link) borrow(p *peer, f *ring.Frame) error {
	var where [loanSize]byte
	if len(f.Body)+len(f.Rest) != loanSize {
		return violation(p, "a loan is described by %d bytes", len(f.Body)+len(f.Rest))
	}
	copy(where[copy(where[:], f.Body):], f.Rest)
	f.Header[0] &^= lent
	sink, err := l.layer.Lent(p.rank, f.Header[:])
	if err != nil {
		return err
	}
	r := read{sink: sink}
	r.address, r.id = loanOf(&where)
	switch {
	case !sink.Pending():
		return violation(p, "a frame without a body is lent")
	case sink.Buf == nil:
		l.readDone(p, &r)
	default:
		if p.lent = append(p.lent, r); len(p.lent) == 1 {
			l.reads.add(p)
		}
	}
	return nil
}

// readDone tells a peer that its loan has been read, or is not wanted.
func (l *Link) readDone(p *peer, r *read) {
	l.layer.Arrived(&r.sink)
	l.tellOfLoan(p, returnedHeader(r.id))
}

// tellOfLoan has a peer told of one of its loans.
func (l *Link) tellOfLoan(p *peer, h recordHeader) {
	p.returned = append(p.returned, h)
	l.layer.SetReady(p.rank)
}

// readNext reads a piece of the body whose turn it is. The lock is held. It is released meanwhile.
func (l *Link) readNext() {
	p, r := l.reads.next()
	place := r.sink.Buf[r.done:]
	place = place[:min(len(place), readSize)]
	l.lock.Leave()
	err := p.neighbour.read(place, r.id, r.address, r.done)
	if errors.Is(err, onecopy.ErrRange) {
		rpi.TouchToWrite(place) // it may be this end's memory that is not there
	}
	l.lock.Enter()
	switch closed := p.in.Closed(); {
	case err == nil && closed:
		l.fail(p, errLeft) // the memory may have been given back meanwhile
	case errors.Is(err, onecopy.ErrRange) && !closed:
		l.tellOfLoan(p, unreadableHeader(r.id)) // the peer ends
	case err != nil:
		l.fail(p, err)
	case r.read(len(place)):
		l.readDone(p, &r)
	default:
		p.lent = r.among(p.lent)
	}
	l.reads.add(p)
}
