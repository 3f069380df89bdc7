package pertrc

import (
	"fmt"
	"slices"
	"time"

	"github.com/sctpmpi/sctpmpi/internal/trc"
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// outgoing is the stream of a TRC to a peer.
type outgoing struct {
	*trc.Outgoing
	peer   *peer
	stream socket.StreamID // 0: none yet
	// last is the last message that the socket has, or is being handed, and has not completed.
	last *trc.Frame
	sent uint64 // messages that the socket has got

	turn  trc.Link[outgoing] // in the peer's ready, or full
	since time.Time          // it has waited for a stream
	// reclaiming: the peer has been asked whether the stream is drained of the messages of then, asked.
	reclaiming bool
	asked      uint64
	idle       trc.Link[outgoing]
}

// fresh returns the first message that the socket does not have, nil if there is none.
func (o *outgoing) fresh() *trc.Frame {
	if o.last == nil {
		return o.Head()
	}
	return o.last.Next
}

// done gives a message back to the layer that has left.
func (t *Transport) done(o *outgoing, f *trc.Frame) {
	if o.last == f {
		o.last = f.Prev
	}
	t.layer.Sent(o.Outgoing, f)
	t.settle(o)
}

// settle sees whether a stream is idle now.
func (t *Transport) settle(o *outgoing) {
	if o.Head() == nil && o.stream != 0 {
		o.peer.idle.Push(&o.idle, o)
		if len(o.peer.waiting) > 0 {
			t.reclaim(o.peer)
		}
	}
}

// offer notes that a TRC has messages to be sent, or none any more.
func (t *Transport) offer(o *outgoing) {
	switch p := o.peer; {
	case o.Head() == nil:
		o.turn.Remove()
		if o.stream != 0 {
			t.settle(o)
			return
		}
		if i := slices.Index(p.waiting, o); i >= 0 {
			p.waiting = slices.Delete(p.waiting, i, i+1)
		}
		t.layer.Remove(o.Outgoing)
	case o.fresh() != nil && !o.turn.Listed() && o.since.IsZero():
		o.idle.Remove()
		p.ready.Push(&o.turn, o)
	}
}

// assign gives a TRC a stream, and reports whether there was one. Otherwise it waits.
func (t *Transport) assign(o *outgoing) bool {
	p := o.peer
	if o.stream != 0 {
		return true
	}
	streams, _ := p.Streams()
	switch n := len(p.free); {
	case n > 0:
		p.use(o, p.free[n-1])
		p.free = p.free[:n-1]
	case max(p.next, 1) < streams:
		p.use(o, socket.StreamID(max(p.next, 1)))
		p.next = int(o.stream) + 1
	default:
		t.wait(o)
		return false
	}
	return true
}

// wait has a TRC wait for a stream.
func (t *Transport) wait(o *outgoing) {
	p := o.peer
	o.since = time.Now()
	p.waiting = append(p.waiting, o)
	t.setPatience(p)
	t.reclaim(p)
}

// setPatience starts the timer of the TRC that has waited for a stream for longest.
func (t *Transport) setPatience(p *peer) {
	if p.patience != nil || len(p.waiting) == 0 {
		return
	}
	p.patience = time.AfterFunc(time.Until(p.waiting[0].since.Add(t.cfg.ConnectTimeout)), func() {
		t.lock.Lock()
		defer t.lock.Unlock()
		p.patience = nil
		for len(p.waiting) > 0 && !t.dropped && time.Since(p.waiting[0].since) >= t.cfg.ConnectTimeout {
			t.giveUp(p.waiting[0])
		}
		t.setPatience(p)
	})
}

// giveUp ends the messages of a TRC that cannot get a stream.
func (t *Transport) giveUp(o *outgoing) {
	streams, _ := o.peer.Streams()
	t.layer.GiveUp(o.Outgoing, fmt.Errorf("%w: no stream for messages of %v to rank %d of the job within %v (SCTPMPI_CONNECT_TIMEOUT): "+
		"all %d have messages that no receive takes; use fewer tags and communicators at a time or allow more streams (SCTPMPI_STREAMS)",
		rpi.ErrBuffer, o.Key, o.Peer.Rank, t.cfg.ConnectTimeout, streams-1))
	t.offer(o)
}

// reclaim asks a peer which idle streams are drained: those that have been idle for longest, a sixteenth, so that it
// need not be done for each.
func (t *Transport) reclaim(p *peer) {
	streams, _ := p.Streams()
	for range 1 + streams/16 {
		o := p.idle.First()
		if o == nil {
			return
		}
		o.idle.Remove()
		if !o.reclaiming {
			o.reclaiming, o.asked = true, o.sent
			t.layer.Tell(p.trcs, trc.Note{Kind: trc.Reclaim, ID: uint32(o.stream), Seq: matching.Seq(o.sent)})
		}
	}
}

// drained gives a stream to another TRC, if it has not been used since the peer was asked.
func (t *Transport) drained(p *peer, n trc.Note) error {
	if n.ID == 0 || int64(n.ID) >= int64(len(p.out)) || p.out[n.ID] == nil || !p.out[n.ID].reclaiming || uint64(n.Seq) != p.out[n.ID].asked {
		return trc.Violation("it says of stream %d unasked that it is drained", n.ID)
	}
	o := p.out[n.ID]
	o.reclaiming = false
	o.sent -= o.asked // the peer counts anew
	if o.Head() != nil || o.sent > 0 {
		t.settle(o)
		return nil
	}
	o.idle.Remove()
	p.out[n.ID] = nil
	t.layer.Remove(o.Outgoing)
	if len(p.waiting) == 0 {
		p.free = append(p.free, o.stream)
		return nil
	}
	next := p.waiting[0]
	p.waiting = slices.Delete(p.waiting, 0, 1)
	p.use(next, o.stream)
	t.offer(next)
	t.activate(p)
	return nil
}

// use gives a stream to a TRC.
func (p *peer) use(o *outgoing, stream socket.StreamID) {
	if int(stream) >= len(p.out) {
		p.out = append(p.out, make([]*outgoing, int(stream)+1-len(p.out))...)
	}
	p.out[stream] = o
	o.stream, o.sent, o.since = stream, 0, time.Time{}
}
