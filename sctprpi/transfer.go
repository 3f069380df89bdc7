package sctprpi

import (
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/progression"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// transfer is a frame whose memory is lent to the socket: in one piece, or the body
// of a long message in fragments.
type transfer struct {
	frame  *progression.Frame
	stream socket.StreamID
	recvID uint32 // of a body
	// sent is how much of the body the socket has been given, loans how many
	// messages with parts of it the socket has not given back.
	sent, loans int
	// unsent: the association ended before the peer had all of it.
	unsent bool
	place  int // in peer.lent
	next   *transfer
	turn   bool // in peer.turns
}

// loan is one message lent to the socket.
type loan struct {
	peer     *peer
	transfer *transfer
	size     int                         // of its part of a body, 0 for other frames
	header   [matching.EnvelopeSize]byte // of a fragment
	list     [2][]byte
	next     *loan
}

// rotation is the queue of those that have one fragment each in turn.
type rotation struct{ head, tail *transfer }

func (q *rotation) push(x *transfer) {
	x.turn, x.next = true, nil
	if q.tail == nil {
		q.head = x
	} else {
		q.tail.next = x
	}
	q.tail = x
}

func (q *rotation) pop() *transfer {
	x := q.head
	if q.head = x.next; q.head == nil {
		q.tail = nil
	}
	x.turn, x.next = false, nil
	return x
}

// transfer begins to lend a frame.
func (t *Transport) transfer(p *peer, f *progression.Frame) *transfer {
	x := t.pools.transfer()
	x.frame, x.place = f, len(p.lent)
	p.lent = append(p.lent, x)
	return x
}

// lend makes the loan of a whole frame.
func (t *Transport) lend(p *peer, f *progression.Frame) *loan {
	x := t.transfer(p, f)
	x.sent, x.loans = len(f.Body), 1
	l := t.pools.loan()
	l.peer, l.transfer = p, x
	l.list = [2][]byte{f.Header[:], f.Body}
	return l
}

// fragment makes the loan of the next size bytes of a body.
func (t *Transport) fragment(p *peer, x *transfer, size int) *loan {
	l := t.pools.loan()
	l.peer, l.transfer, l.size = p, x, size
	matching.AppendEnvelope(l.header[:0], &matching.Envelope{
		Kind: matching.Body, RecvID: x.recvID, Offset: uint64(x.sent), Length: uint64(size),
	})
	l.list = [2][]byte{l.header[:], x.frame.Body[x.sent : x.sent+size]}
	x.sent += size
	x.loans++
	p.held += size
	return l
}

// takeBack undoes the loan of a fragment that the socket has not taken; loans are
// undone from the last to the first. The next turn is the transfer's again.
func (t *Transport) takeBack(l *loan) {
	p, x := l.peer, l.transfer
	x.sent -= l.size
	if !x.turn {
		x.turn, x.next = true, p.turns.head
		if p.turns.head = x; p.turns.tail == nil {
			p.turns.tail = x
		}
	}
	t.giveBack(l)
}

// giveBack ends a loan. The lock is held.
func (t *Transport) giveBack(l *loan) (p *peer, x *transfer) {
	p, x = l.peer, l.transfer
	x.loans--
	p.held -= l.size
	t.pools.putLoan(l)
	return p, x
}

// released takes in that the socket has given a loan back. The lock is held.
func (t *Transport) released(l *loan, outcome socket.Outcome) {
	size := l.size
	p, x := t.giveBack(l)
	switch {
	case p.turns.head != nil:
		p.allowance = min(p.allowance+2*size, t.budget)
	case p.held == 0:
		p.allowance = 0
	}
	x.unsent = x.unsent || outcome != socket.Acknowledged
	if x.loans > 0 {
		return
	}
	switch {
	case p.phase == gone:
		if !p.flushing { // else drop comes
			t.retire(p, x)
		}
	case x.sent == len(x.frame.Body) && !x.unsent:
		t.retire(p, x)
	}
	if p.turns.head != nil {
		t.layer.Agenda.Add(p.rank)
	}
}

// unlend undoes the loan of a whole frame that the socket has not taken.
func (t *Transport) unlend(p *peer, l *loan) {
	x := l.transfer
	t.giveBack(l)
	t.forget(p, x)
}

// retire ends a transfer of which the socket has nothing any more.
func (t *Transport) retire(p *peer, x *transfer) {
	f, sent := x.frame, x.sent == len(x.frame.Body) && !x.unsent && x.loans == 0
	t.forget(p, x)
	if sent {
		t.layer.Sent(f)
	} else {
		t.layer.Dropped(f)
	}
}

func (t *Transport) forget(p *peer, x *transfer) {
	last := len(p.lent) - 1
	p.lent[last].place = x.place
	p.lent[x.place] = p.lent[last]
	p.lent[last] = nil
	p.lent = p.lent[:last]
	t.pools.putTransfer(x)
}

// pools keep what sending and receiving needs, for reuse: as many of each as there
// ever were at a time.
type pools struct {
	transfers *transfer
	loans     *loan
	batches   *batch
	arrivals  *arrival
}

func (p *pools) transfer() *transfer {
	x := p.transfers
	if x == nil {
		return new(transfer)
	}
	p.transfers, x.next = x.next, nil
	return x
}

func (p *pools) putTransfer(x *transfer) {
	*x = transfer{next: p.transfers}
	p.transfers = x
}

func (p *pools) loan() *loan {
	l := p.loans
	if l == nil {
		return new(loan)
	}
	p.loans, l.next = l.next, nil
	return l
}

func (p *pools) putLoan(l *loan) {
	l.peer, l.transfer, l.size, l.list = nil, nil, 0, [2][]byte{}
	l.next, p.loans = p.loans, l
}

func (p *pools) batch() *batch {
	b := p.batches
	if b == nil {
		return new(batch)
	}
	p.batches, b.next = b.next, nil
	return b
}

func (p *pools) putBatch(b *batch) {
	b.next, p.batches = p.batches, b
}

func (p *pools) arrival() *arrival {
	m := p.arrivals
	if m == nil {
		return new(arrival)
	}
	p.arrivals, m.next = m.next, nil
	return m
}

func (p *pools) putArrival(m *arrival) {
	*m = arrival{next: p.arrivals}
	p.arrivals = m
}
