package sctprpi

import (
	"github.com/sctpmpi/sctpmpi/internal/header"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/links"
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
	transport  *Transport
	peer       *peer
	to         associations.Outlet
	n          int
	messages   [batchMessages]socket.Message
	lists      [batchMessages][2][]byte // of messages that are copied
	frames     [batchMessages]*progression.Frame
	zeroCopies [batchMessages]*zeroCopy
	bodies     int // bytes
	// taken is how many messages the socket has taken, and err why not all.
	taken int
	err   error
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
	b.peer, b.n, b.bodies, b.err = nil, 0, 0, nil
}

// nextBatch takes a batch for a peer off its queues. It returns nil if there is none or the socket is full. While a goroutine hands over a
// batch no other takes one for the same peer.
func (t *Transport) nextBatch(p *peer) links.Batch {
	if p.Open() && p.Free() {
		b := t.pools.batches.Take()
		if t.gather(p, b); b.n > 0 {
			b.transport, b.peer, b.to = t, p, p.Outlet()
			p.Begin()
			return b
		}
		t.pools.batches.Put(b, kept)
	}
	t.doneSending(p)
	return nil
}

// Send implements links.Batch.
func (b *batch) Send() { b.taken, b.err = b.transport.associations.Send(b.to, b.messages[:b.n]) }

// Sent implements links.Batch.
func (b *batch) Sent() links.Batch {
	t, p := b.transport, b.peer
	t.handed(p, b)
	return t.nextBatch(p)
}

// doneSending notes that there is no batch for a peer now.
func (t *Transport) doneSending(p *peer) {
	if p.Gone() || t.dropped {
		t.drop(p)
	}
	if !p.queued() {
		t.associations.Flushed()
	}
}

// queued reports whether there is something that the socket does not have yet.
func (p *peer) queued() bool { return !p.queue.Empty() || p.turns.head != nil || p.Sending() }

// gather takes what is to be handed over next off the queues: control and short
// messages, then a fragment of each long message in turn.
func (t *Transport) gather(p *peer, b *batch) {
	for b.n < batchMessages && !p.queue.Empty() {
		f := p.queue.Pop()
		f.Started = true
		switch {
		case f.Kind() == header.Body:
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

// handed handles the result of Send.
func (t *Transport) handed(p *peer, b *batch) {
	p.EndBy(b.err, socket.ErrWouldBlock) // after another error the event that ends the association follows
	for i := range b.taken {
		if b.zeroCopies[i] == nil {
			t.Layer.Sent(b.frames[i])
		}
	}
	for i := b.n - 1; i >= b.taken; i-- {
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
}

// writable notes that the socket takes messages for a peer again.
func (t *Transport) writable(p *peer) {
	if p.Writable() {
		t.Layer.SetReady(p.Rank)
	}
}
