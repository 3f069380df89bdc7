package sctprpi

import (
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/monitor"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/progression"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/associations"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// peer is the state of another process of the job. Its fields are guarded by the transport's lock.
type peer struct {
	*associations.Peer
	streams layout
	used    usedStreams
	// partial holds the messages of which a part has arrived, by stream.
	partial map[socket.StreamID]*progression.Reader

	// queue holds the frames that the socket does not have yet, but for bodies. turns has the
	// bodies of which a part is still to be sent.
	queue *progression.Queue
	turns rotation
	// inSocket are the frames whose memory the socket has for zero-copy sends, or will have.
	inSocket []*transfer
	// held is the number of bytes of bodies that the socket has. allowance is how many it may have
	// beyond the first fragment. It grows as bodies are delivered, as a congestion window does in
	// slow start but faster. So the queue of the socket, in which other messages would have to
	// wait, never has much more than the network can take. When the socket has no bodies it is halved: the next
	// long message goes on where the one before has got to. bodies counts the long messages.
	held, allowance int
	bodies          uint
	monitor.Flow    // to the socket
}

// peer returns what is known of another process.
func (t *Transport) peer(rank matching.Rank) *peer {
	p := t.peers[rank]
	if p == nil {
		p = &peer{Peer: t.associations.Peer(rank), queue: t.Layer.Queue(rank)}
		t.peers[rank] = p
	}
	return p
}

// streamOf returns the stream of a frame that is not a body, which is about to leave.
func (p *peer) streamOf(f *progression.Frame) socket.StreamID {
	s := p.streams.of(f.Kind(), f.Tag, f.Context)
	p.used.add(s)
	return s
}

// nextBodyStream returns the stream of a long message that is about to leave.
func (p *peer) nextBodyStream() socket.StreamID {
	s := p.streams.body(p.bodies)
	p.used.add(s)
	p.bodies++
	return s
}

// user is the transport as its associations.Manager sees it.
type user struct{ *Transport }

// Accepted implements associations.User. Bodies of long messages go behind all other messages.
func (t user) Accepted(a *associations.Peer) {
	p := t.peer(a.Rank)
	outbound, _ := p.Streams()
	p.streams, p.used, p.partial = newLayout(outbound), newUsedStreams(outbound), nil
	scheduler, ok := t.Socket().(socket.StreamScheduler)
	if !ok || p.streams.bodies == 0 {
		return
	}
	id, streams := p.Assoc(), p.streams
	t.Lock.Leave()
	defer t.Lock.Enter()
	for n := range uint(streams.bodies) {
		// Without it bodies only have less room in the send buffer.
		_ = scheduler.SetStreamValue(id, streams.body(n), 1)
	}
}

// Opened implements associations.User.
func (t user) Opened(p *associations.Peer) {
	t.Layer.SetConnected(p.Rank)
	t.Layer.SetReady(p.Rank)
}

// Data implements associations.User.
func (t user) Data(p *associations.Peer, e *socket.Event) error { return t.frames(t.peers[p.Rank], e) }

// Handled implements associations.User.
func (t user) Handled() {}

// Closing implements associations.User: a message that has arrived holds no association up.
func (t user) Closing() {}

// Writable implements associations.User.
func (t user) Writable(p *associations.Peer) { t.writable(t.peer(p.Rank)) }

// Released implements associations.User.
func (t user) Released(owner any, outcome socket.Outcome) { t.released(owner.(*zeroCopy), outcome) }

// Failed implements associations.User.
func (t user) Failed(p *associations.Peer, cause error) {
	t.Layer.Fail(p.Rank, cause)
	own := t.peer(p.Rank)
	own.partial = nil
	t.drop(own)
}

// Busy implements associations.User.
func (t user) Busy(a *associations.Peer) (queued, lent bool) {
	p := t.peer(a.Rank)
	return p.queued(), len(p.inSocket) > 0
}

// Release implements associations.User.
func (t user) Release() { t.Flush() }

// Stop implements associations.User.
func (t user) Stop() { t.Transport.Stop() }

// Killed implements associations.User.
func (t user) Killed() {
	t.dropped = true
	for _, p := range t.peers {
		if p != nil {
			t.drop(p)
		}
	}
	t.Layer.Close()
}

// drop gives back the frames for a peer that will never be sent. The socket gives back those that
// it has, and a goroutine that is handing frames to the socket gives back those.
func (t *Transport) drop(p *peer) {
	if p.Sending() {
		return
	}
	for f := p.queue.Pop(); f != nil; f = p.queue.Pop() {
		t.Layer.Dropped(f)
	}
	p.turns = rotation{}
	for i := len(p.inSocket) - 1; i >= 0; i-- {
		if x := p.inSocket[i]; x.pending == 0 || t.dropped {
			t.retire(p, x)
		}
	}
}
