package sctprpi

import (
	"errors"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/progression"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

const (
	// copyLimit is the longest frame, in bytes, that the socket copies. A longer
	// one is lent, which costs an event when it is given back.
	copyLimit = 8 << 10
	// fragmentSize is how much of a long message has its turn at a time, in
	// bytes.
	fragmentSize = 64 << 10
	// batchMessages and batchBodies bound what is handed to the socket at a time:
	// a short message that comes meanwhile waits for no more bytes of bodies.
	batchMessages = 32
	batchBodies   = 512 << 10
)

// batch is what is handed to the socket by one call.
type batch struct {
	n        int
	messages [batchMessages]socket.Message
	lists    [batchMessages][2][]byte // of messages that are copied
	frames   [batchMessages]*progression.Frame
	loans    [batchMessages]*loan
	bodies   int // bytes
	next     *batch
}

// addCopied adds a frame that the socket copies.
func (b *batch) addCopied(f *progression.Frame, stream socket.StreamID) {
	list := append(b.lists[b.n][:0], f.Header[:])
	if len(f.Body) > 0 {
		list = append(list, f.Body)
	}
	b.frames[b.n] = f
	b.messages[b.n] = socket.Message{Stream: stream, Data: list}
	b.n++
}

// addLent adds a message that is lent. If it is the last of its frame somebody may
// wait for it to be acknowledged.
func (b *batch) addLent(f *progression.Frame, l *loan, stream socket.StreamID) {
	b.frames[b.n], b.loans[b.n] = f, l
	b.messages[b.n] = socket.Message{
		Stream: stream, Data: l.list[:], Lend: true, Owner: l,
		Immediate: l.transfer.sent == len(l.transfer.frame.Body),
	}
	b.bodies += l.size
	b.n++
}

// reset forgets what the batch refers to.
func (b *batch) reset() {
	clear(b.messages[:b.n])
	clear(b.lists[:b.n])
	clear(b.frames[:b.n])
	clear(b.loans[:b.n])
	b.n, b.bodies = 0, 0
}

// flush hands what is queued for a peer to the socket until that takes no more.
// Goroutines that come while another is at it leave their frames to it. The lock is
// held, but not during a call.
func (t *Transport) flush(p *peer) {
	if p.flushing {
		return
	}
	for p.phase == open && !p.blocked {
		b := t.pools.batch()
		t.gather(p, b)
		if b.n == 0 {
			t.pools.putBatch(b)
			break
		}
		p.flushing, p.again = true, false
		id := p.assoc.id
		t.mu.Unlock()
		n, err := t.socket.Send(id, b.messages[:b.n])
		if err != nil && !expected(err) {
			_ = t.socket.Abort(id, err.Error()) // whose event fails the peer
		}
		t.mu.Lock()
		p.flushing = false
		t.handed(p, b, n)
		// All errors but the one wait for the event that ends the association.
		p.blocked = err != nil && !(errors.Is(err, socket.ErrWouldBlock) && p.again)
	}
	if p.phase == gone || t.dropped {
		t.drop(p)
	}
	if t.state == closing && !p.queued() {
		t.changed.Broadcast()
	}
}

// expected reports whether an error of Send is nothing that we have caused.
func expected(err error) bool {
	for _, e := range []error{socket.ErrWouldBlock, socket.ErrAssoc, socket.ErrShutdown, socket.ErrClosed} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// queued reports whether there is something that the socket does not have yet.
func (p *peer) queued() bool { return !p.queue.Empty() || p.turns.head != nil || p.flushing }

// gather takes what is to be handed over next off the queues: control and short
// messages, then a fragment of each long message in turn.
func (t *Transport) gather(p *peer, b *batch) {
	a := p.assoc
	for b.n < batchMessages && !p.queue.Empty() {
		f := p.queue.Pop()
		f.Started = true
		switch {
		case f.Kind() == matching.Body:
			x := t.transfer(p, f)
			x.stream, x.recvID = a.streams.body(p.bodies), f.RecvID
			p.bodies++
			p.turns.push(x)
		case f.Len() > copyLimit:
			b.addLent(f, t.lend(p, f), a.streams.of(f.Kind(), f.Tag, f.Context))
		default:
			b.addCopied(f, a.streams.of(f.Kind(), f.Tag, f.Context))
		}
	}
	t.gatherBodies(p, b)
}

// gatherBodies takes a fragment of each long message in turn, as far as the allowance
// goes.
func (t *Transport) gatherBodies(p *peer, b *batch) {
	for p.turns.head != nil && b.n < batchMessages && b.bodies < batchBodies {
		x := p.turns.head
		size := min(len(x.frame.Body)-x.sent, t.pieceSize(p.assoc))
		if p.held > 0 && p.held+size > p.allowance {
			if b.n > 0 { // the next turn waits for the acknowledgement
				b.messages[b.n-1].Immediate = true
			}
			return
		}
		p.turns.pop()
		b.addLent(x.frame, t.fragment(p, x, size), x.stream)
		if x.sent < len(x.frame.Body) {
			p.turns.push(x)
		}
	}
}

// pieceSize is how much of a long message is one SCTP message. With interleaving the
// socket takes turns itself, and so much that a few long messages share the budget.
func (t *Transport) pieceSize(a *association) int {
	if a.interleaves {
		return t.budget / 8
	}
	return fragmentSize
}

// handed takes in that the socket has taken n messages of a batch.
func (t *Transport) handed(p *peer, b *batch, n int) {
	for i := range n {
		if b.loans[i] == nil {
			t.layer.Sent(b.frames[i])
		}
	}
	for i := b.n - 1; i >= n; i-- {
		f, l := b.frames[i], b.loans[i]
		switch {
		case l == nil:
		case l.size > 0:
			t.takeBack(l)
			continue
		default:
			t.unlend(p, l)
		}
		f.Started = false
		p.queue.PutBack(f)
	}
	b.reset()
	t.pools.putBatch(b)
}

// writable takes in that the socket takes messages for a peer again. The lock is held.
func (t *Transport) writable(p *peer) {
	p.again = true
	if p.blocked {
		p.blocked = false
		t.layer.Agenda.Add(p.rank)
	}
}
