package sctprpi

import (
	"github.com/sctpmpi/sctpmpi/internal/header"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/progression"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/freelist"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// transfer is a frame in a zero-copy send: in one message, or the body of a long message in
// fragments.
type transfer struct {
	frame  *progression.Frame
	stream socket.StreamID
	recvID uint32 // of a body
	// sent is how much of the body the socket has been given, in bytes. pending counts the messages
	// with parts of it that the socket has not completed.
	sent, pending int
	// unsent: the association ended before the peer had all of it.
	unsent bool
	place  int // in peer.inSocket
	next   *transfer
	turn   bool // in peer.turns
}

// zeroCopy is one message in a zero-copy send. Its memory belongs to the socket until it completes.
type zeroCopy struct {
	peer     *peer
	transfer *transfer
	size     int               // of its part of a body, in bytes, 0 for other frames
	header   [header.Size]byte // of a fragment
	list     [2][]byte
}

// rotation is the queue of the transfers that have one fragment each in turn.
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

// transfer starts the zero-copy send of a frame.
func (t *Transport) transfer(p *peer, f *progression.Frame) *transfer {
	x := t.pools.transfers.Take()
	x.frame, x.place = f, len(p.inSocket)
	p.inSocket = append(p.inSocket, x)
	return x
}

// zeroCopyFrame makes the message for a whole frame.
func (t *Transport) zeroCopyFrame(p *peer, f *progression.Frame) *zeroCopy {
	x := t.transfer(p, f)
	x.sent, x.pending = len(f.Body), 1
	l := t.pools.zeroCopies.Take()
	l.peer, l.transfer = p, x
	l.list = [2][]byte{f.Header[:], f.Body}
	return l
}

// endZeroCopy ends one message.
func (t *Transport) endZeroCopy(l *zeroCopy) (p *peer, x *transfer) {
	p, x = l.peer, l.transfer
	x.pending--
	p.held -= l.size
	t.pools.putZeroCopy(l)
	return p, x
}

// released handles the completion of a message by the socket.
func (t *Transport) released(l *zeroCopy, outcome socket.Outcome) {
	size := l.size
	p, x := t.endZeroCopy(l)
	switch {
	case p.turns.head != nil:
		p.allowance = min(p.allowance+2*size, t.budget)
	case p.held == 0:
		p.allowance /= 2
	}
	x.unsent = x.unsent || outcome != socket.Acknowledged
	switch {
	case x.pending > 0:
	case p.Gone():
		if !p.Sending() { // else drop comes
			t.retire(p, x)
		}
	case x.sent == len(x.frame.Body) && !x.unsent:
		t.retire(p, x)
	}
	if p.turns.head != nil { // there is room for more, though not all is acknowledged
		t.Layer.SetReady(p.Rank)
	}
}

// undoFrame undoes the message of a whole frame that the socket has not taken.
func (t *Transport) undoFrame(p *peer, l *zeroCopy) {
	x := l.transfer
	t.endZeroCopy(l)
	t.forget(p, x)
}

// retire ends a transfer of which the socket has nothing left.
func (t *Transport) retire(p *peer, x *transfer) {
	f, sent := x.frame, x.sent == len(x.frame.Body) && !x.unsent && x.pending == 0
	t.forget(p, x)
	if sent {
		t.Layer.Sent(f)
	} else {
		t.Layer.Dropped(f)
	}
}

func (t *Transport) forget(p *peer, x *transfer) {
	last := len(p.inSocket) - 1
	p.inSocket[last].place = x.place
	p.inSocket[x.place] = p.inSocket[last]
	p.inSocket[last] = nil
	p.inSocket = p.inSocket[:last]
	t.pools.putTransfer(x)
}

// pools keep the values that sending and receiving need, for reuse.
type pools struct {
	transfers  freelist.List[transfer]
	zeroCopies freelist.List[zeroCopy]
	batches    freelist.List[batch]
	readers    freelist.List[progression.Reader]
}

// kept is how many values of a kind the pools keep.
const kept = 1024

func (p *pools) putTransfer(x *transfer) {
	*x = transfer{}
	p.transfers.Put(x, kept)
}

func (p *pools) putZeroCopy(l *zeroCopy) {
	l.peer, l.transfer, l.size, l.list = nil, nil, 0, [2][]byte{}
	p.zeroCopies.Put(l, kept)
}

func (p *pools) putReader(r *progression.Reader) {
	*r = progression.Reader{}
	p.readers.Put(r, kept)
}
