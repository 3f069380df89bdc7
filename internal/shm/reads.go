package shm

import (
	"errors"
	"slices"

	"github.com/sctpmpi/sctpmpi/internal/shm/internal/onecopy"
	"github.com/sctpmpi/sctpmpi/internal/shm/internal/ring"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/progression"
)

// readSize is how much of a lent body is read in one turn, in bytes. A short message waits for no more.
const readSize = 256 << 10

// reads are the lent bodies that are being read, by the goroutine that has the progress token, a piece of each in turn.
type reads struct{ queue []read }

type read struct {
	peer    *peer
	sink    progression.Sink
	id      uint32
	address uint64
	done    int
}

func (s *reads) empty() bool { return len(s.queue) == 0 }

// remove forgets what a peer has lent.
func (s *reads) remove(p *peer) {
	s.queue = slices.DeleteFunc(s.queue, func(r read) bool { return r.peer == p })
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
	r := read{peer: p, sink: sink}
	r.address, r.id = loanOf(&where)
	switch {
	case !sink.Pending():
		return violation(p, "a frame without a body is lent")
	case sink.Buf == nil:
		l.readDone(&r)
	default:
		l.reads.queue = append(l.reads.queue, r)
	}
	return nil
}

// readDone tells a peer that its loan has been read, or is not wanted.
func (l *Link) readDone(r *read) {
	l.layer.Arrived(&r.sink)
	l.tellOfLoan(r.peer, returnedHeader(r.id))
}

// tellOfLoan has a peer told of one of its loans.
func (l *Link) tellOfLoan(p *peer, h recordHeader) {
	p.returned = append(p.returned, h)
	l.layer.SetReady(p.rank)
}

// readNext reads a piece of the body whose turn it is. The lock is held. It is released meanwhile.
func (l *Link) readNext() {
	r := l.reads.queue[0]
	n := copy(l.reads.queue, l.reads.queue[1:])
	l.reads.queue[n] = read{}
	l.reads.queue = l.reads.queue[:n]
	p, place := r.peer, r.sink.Buf[r.done:]
	place = place[:min(len(place), readSize)]
	l.lock.Leave()
	err := p.neighbour.read(place, r.id, r.address, r.done)
	if errors.Is(err, onecopy.ErrRange) {
		rpi.TouchToWrite(place) // it may be this end's memory that is not there
	}
	l.lock.Enter()
	switch closed := p.in.Closed(); {
	case err == nil && closed:
		err = errLeft // the memory may have been given back meanwhile
	case errors.Is(err, onecopy.ErrRange) && !closed:
		l.tellOfLoan(p, unreadableHeader(r.id)) // the peer ends
		return
	}
	if err != nil {
		l.fail(p, err)
		return
	}
	if r.done += len(place); r.done < len(r.sink.Buf) {
		l.reads.queue = append(l.reads.queue, r)
		return
	}
	l.readDone(&r)
}
