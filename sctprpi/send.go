package sctprpi

import (
	"errors"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/progression"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/associations"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

const (
	// copyLimit is the longest frame, in bytes, that the socket copies. A longer one is a zero-copy
	// send, which costs an event when it has completed.
	copyLimit = 8 << 10
	// fragmentSize is how much of a long message is sent in one turn, in bytes. It is a little less than the largest
	// packet holds, so that over loopback each fragment is one packet.
	fragmentSize = 63 << 10
	// batchMessages and batchBodies bound what is handed to the socket in one call, so that a short
	// message that is started meanwhile does not wait for long.
	batchMessages = 32
	batchBodies   = 512 << 10
)

// batch is what is handed to the socket in one call.
type batch struct {
	peer       *peer
	to         associations.Outlet
	n          int
	messages   [batchMessages]socket.Message
	lists      [batchMessages][2][]byte // of messages that are copied
	frames     [batchMessages]*progression.Frame
	zeroCopies [batchMessages]*zeroCopy
	bodies     int // bytes
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

// addZeroCopy adds a message for a zero-copy send. If it is the last of its frame, a goroutine may wait
// until it is acknowledged.
func (b *batch) addZeroCopy(f *progression.Frame, l *zeroCopy, stream socket.StreamID) {
	b.frames[b.n], b.zeroCopies[b.n] = f, l
	b.messages[b.n] = socket.Message{
		Stream: stream, Data: l.list[:], ZeroCopy: true, Owner: l,
		Immediate: l.transfer.sent == len(l.transfer.frame.Body),
	}
	b.bodies += l.size
	b.n++
}

// reset drops the references of the batch.
func (b *batch) reset() {
	clear(b.messages[:b.n])
	clear(b.lists[:b.n])
	clear(b.frames[:b.n])
	clear(b.zeroCopies[:b.n])
	b.peer, b.n, b.bodies = nil, 0, 0
}

// Finish unlocks the transport, and does the work that calls under the lock have left.
func (t *Transport) Finish() {
	w, bells := t.Work(), t.link.Bells()
	t.mu.Unlock()
	bells.Ring()
	t.Do(w)
}

// Work takes the next batch for the socket off the queues, nil
// if there is none. It starts to make associations that are needed.
func (t *Transport) Work() *batch {
	for rank, ok := t.layer.Ready(); ok; rank, ok = t.layer.Ready() {
		if t.link.Takes(rank) {
			continue
		}
		p := t.peer(rank)
		if !t.Need(p.Peer, !p.queue.Empty()) {
			t.drop(p)
			continue
		}
		if b := t.nextBatch(p); b != nil {
			return b
		}
		t.doneSending(p)
	}
	return nil
}

// nextBatch takes a batch for a peer off its queues. It returns nil if there is none or the socket
// is full. While a goroutine hands over a batch no other takes one for the same peer: that
// goroutine looks at the queues again. The lock is held.
func (t *Transport) nextBatch(p *peer) *batch {
	if !p.Open() || p.blocked || p.flushing {
		return nil
	}
	b := t.pools.batches.Take()
	if t.gather(p, b); b.n == 0 {
		t.pools.batches.Put(b, kept)
		return nil
	}
	b.peer, b.to = p, p.Outlet()
	p.flushing, p.again = true, false
	return b
}

// Do hands over a batch, and then all other batches.
func (t *Transport) Do(b *batch) {
	for b != nil {
		n, err := t.Send(b.to, b.messages[:b.n])
		t.mu.Lock()
		p := b.peer
		t.handed(p, b, n, err)
		if b = t.nextBatch(p); b == nil {
			t.doneSending(p)
			b = t.Work()
		}
		bells := t.link.Bells()
		t.mu.Unlock()
		bells.Ring()
	}
}

// doneSending notes that there is no batch for a peer now. The lock is held.
func (t *Transport) doneSending(p *peer) {
	if p.Gone() || t.dropped {
		t.drop(p)
	}
	if !p.queued() {
		t.Flushed()
	}
}

// carried shows the frames whose memory the socket has.
func (t *Transport) carried(show func(f *progression.Frame)) {
	t.link.Carried(show)
	for _, p := range t.peers {
		if p == nil {
			continue
		}
		for _, x := range p.inSocket {
			show(x.frame)
		}
	}
}

// queued reports whether there is something that the socket does not have yet.
func (p *peer) queued() bool { return !p.queue.Empty() || p.turns.head != nil || p.flushing }

// gather takes what is to be handed over next off the queues: control and short
// messages, then a fragment of each long message in turn.
func (t *Transport) gather(p *peer, b *batch) {
	for b.n < batchMessages && !p.queue.Empty() {
		f := p.queue.Pop()
		f.Started = true
		switch {
		case f.Kind() == matching.Body:
			x := t.transfer(p, f)
			x.stream, x.recvID = p.nextBodyStream(), f.RecvID
			p.turns.push(x)
		case f.Len() > copyLimit:
			b.addZeroCopy(f, t.zeroCopyFrame(p, f), p.streamOf(f))
		default:
			b.addCopied(f, p.streamOf(f))
		}
	}
	t.gatherBodies(p, b)
}

// handed handles the result of Send: the socket has taken n messages of a batch, and err says why
// not all. The lock is held.
func (t *Transport) handed(p *peer, b *batch, n int, err error) {
	p.flushing = false
	for i := range n {
		if b.zeroCopies[i] == nil {
			t.layer.Sent(b.frames[i])
		}
	}
	for i := b.n - 1; i >= n; i-- {
		f, l := b.frames[i], b.zeroCopies[i]
		switch {
		case l == nil:
		case l.size > 0:
			t.undoFragment(l)
			continue
		default:
			t.undoFrame(p, l)
		}
		f.Started = false
		p.queue.PutBack(f)
	}
	b.reset()
	t.pools.batches.Put(b, kept)
	// After all other errors, the event that ends the association follows.
	p.blocked = err != nil && !(errors.Is(err, socket.ErrWouldBlock) && p.again)
}

// writable notes that the socket takes messages for a peer again. The lock is held.
func (t *Transport) writable(p *peer) {
	p.again = true
	if p.blocked {
		p.blocked = false
		t.layer.SetReady(p.Rank)
	}
}
