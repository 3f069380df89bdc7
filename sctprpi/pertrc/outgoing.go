package pertrc

import (
	"github.com/sctpmpi/sctpmpi/internal/trc"
	"github.com/sctpmpi/sctpmpi/matching"
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

	turn trc.Link[outgoing] // in the peer's ready, or full
	wait trc.Link[outgoing] // for a stream, in one of the peer's lists
	// demanded: the stream is for one message that the receiver waits for.
	demanded bool
	until    matching.Seq // its receiver waits for this message, and those before it are to leave
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
	switch {
	case o.stream == 0:
	case o.demanded:
		t.settleDemanded(o)
	case o.Head() == nil:
		o.peer.idle.Push(&o.idle, o)
		if o.peer.short() {
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
		o.wait.Remove()
		t.layer.Remove(o.Outgoing)
	case o.wait.Listed() && o.Shared() && o.Head().Seq() > o.until: // the receiver is to know of this message too
		o.wait.Remove()
		p.waiting.Push(&o.wait, o)
		t.activate(p)
	case o.fresh() != nil && !o.turn.Listed() && !o.wait.Listed() && !o.demanded:
		o.idle.Remove()
		p.ready.Push(&o.turn, o)
	}
}

// assign reports whether a TRC has a stream. If not it waits for one.
func (t *Transport) assign(o *outgoing) bool {
	if o.stream != 0 {
		return true
	}
	p := o.peer
	p.waiting.Push(&o.wait, o)
	if t.grant(p); o.stream == 0 {
		t.reclaim(p)
	}
	return false // it is in line, perhaps with a stream
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
			t.ask(o)
		}
	}
}

// ask asks the peer whether a stream is drained.
func (t *Transport) ask(o *outgoing) {
	o.reclaiming, o.asked = true, o.sent
	n := trc.Note{Kind: trc.Reclaim, ID: uint32(o.stream), Seq: matching.Seq(o.sent)}
	if o.demanded {
		n.Tag = forDemand
	}
	t.layer.Tell(o.peer.trcs, n)
}

// forDemand is the tag of a Reclaim for a stream of the reserve.
const forDemand = 1

// drained gives a stream to another TRC, if it has not been used since the peer was asked.
func (t *Transport) drained(p *peer, n trc.Note) error {
	if n.ID == 0 || int64(n.ID) >= int64(len(p.out)) || p.out[n.ID] == nil || !p.out[n.ID].reclaiming || uint64(n.Seq) != p.out[n.ID].asked {
		return trc.Violation("it says of stream %d unasked that it is drained", n.ID)
	}
	o := p.out[n.ID]
	o.reclaiming = false
	o.sent -= o.asked // the peer counts anew
	if !o.demanded && o.Head() != nil || o.sent > 0 {
		t.settle(o)
		return nil
	}
	t.giveBack(o)
	return nil
}

// giveBack takes a stream from a TRC, for others or, if it has more messages, perhaps for itself.
func (t *Transport) giveBack(o *outgoing) {
	p := o.peer
	o.idle.Remove()
	p.out[o.stream] = nil
	p.free = append(p.free, o.stream)
	o.stream, o.sent = 0, 0
	if o.demanded {
		o.demanded = false
		p.demanded--
	}
	switch f := o.Head(); {
	case f == nil:
		t.layer.Remove(o.Outgoing)
	case f.Seq() <= o.until:
		p.wanted.Push(&o.wait, o)
	default:
		p.waiting.Push(&o.wait, o)
	}
	t.grant(p)
	t.activate(p)
}

// use gives a stream to a TRC.
func (p *peer) use(o *outgoing, stream socket.StreamID) {
	if int(stream) >= len(p.out) {
		p.out = append(p.out, make([]*outgoing, int(stream)+1-len(p.out))...)
	}
	p.out[stream] = o
	o.stream, o.sent = stream, 0
}
