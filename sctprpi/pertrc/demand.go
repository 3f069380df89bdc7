package pertrc

import (
	"github.com/sctpmpi/sctpmpi/internal/trc"
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Streams are fewer than TRCs may be, since each may leave something unread. So some are kept in reserve for messages that the
// receiver waits for: it says which, when it has been told that TRCs wait for streams (trc.Layer.Short). Such a message has the
// stream to itself, and is taken off it at once, as it is waited for. Then the stream goes back to the reserve.

// mostReserve bounds how many streams are kept in reserve: so many messages can be on their way at a time.
const mostReserve = 64

// waits are the TRCs to a peer that wait for a stream.
type waits struct {
	// waiting are those of which the peer has not been told, told those of which it has. wanted are those of which it waits
	// for the next message, due those of which an any-tag receive does.
	waiting, told, wanted, due trc.List[outgoing]
	// demanded counts the TRCs that have a stream of the reserve.
	demanded int
}

// short reports whether TRCs wait for streams.
func (w *waits) short() bool {
	return w.waiting.First() != nil || w.told.First() != nil || w.wanted.First() != nil || w.due.First() != nil
}

// inLine returns the TRC that gets the next stream that any may have.
func (w *waits) inLine() *outgoing {
	for _, l := range []*trc.List[outgoing]{&w.due, &w.wanted, &w.told, &w.waiting} {
		if o := l.First(); o != nil {
			return o
		}
	}
	return nil
}

// reserved returns the TRC that gets a stream of the reserve, which has so many. One is for any-tag receives alone: what comes
// before its turn stays on its stream until they have theirs.
func (w *waits) reserved(reserve int) *outgoing {
	if o := w.due.First(); o != nil && w.demanded < reserve {
		return o
	}
	if w.demanded < max(reserve-1, 1) {
		return w.wanted.First()
	}
	return nil
}

// grant gives streams to TRCs that wait, as far as there are any.
func (t *Transport) grant(p *peer) {
	streams, _ := p.Streams()
	most := streams - 1
	reserve := min(max(most/8, 2), mostReserve, most)
	for p.short() {
		unused := max(streams-max(p.next, 1), 0) + len(p.free)
		if unused == 0 {
			return
		}
		o := p.reserved(reserve)
		demanded := unused+p.demanded <= reserve
		if !demanded {
			o = p.inLine()
		}
		if o == nil {
			return
		}
		o.wait.Remove()
		if o.demanded = demanded; demanded {
			p.demanded++
		}
		if n := len(p.free); n > 0 {
			p.use(o, p.free[n-1])
			p.free = p.free[:n-1]
		} else {
			p.use(o, socket.StreamID(max(p.next, 1)))
			p.next = int(o.stream) + 1
		}
		p.ready.Push(&o.turn, o)
		t.activate(p)
	}
}

// tell tells the peer of TRCs that wait for streams, as many as a message of notes has room for.
func (t *Transport) tell(p *peer) {
	for o := p.waiting.First(); o != nil && len(p.notes) < batchNotes; o = p.waiting.First() {
		o.wait.Remove()
		p.told.Push(&o.wait, o)
		t.layer.TellShort(o.Outgoing)
	}
}

// want takes in that an operation of the peer waits for a message of TRCs that may wait for streams.
func (t *Transport) want(p *peer, n trc.Note) {
	if !p.short() {
		t.layer.Tell(p.trcs, trc.Note{Kind: trc.Ample})
		return
	}
	pattern := n.ID == trc.WantedPattern
	if pattern && (n.Tag == matching.AnyTag || n.Context&rpi.InOrder != 0) {
		if o, seq := p.first(n); o != nil {
			t.prefer(p, o, seq, n.Tag == matching.AnyTag)
		}
	} else if o := p.trcs.Out[trc.Key{Context: n.Context, Tag: n.Tag}]; o != nil && o.Head() != nil {
		if pattern {
			n.Seq = o.Head().Seq()
		}
		t.prefer(p, o.Channel.(*outgoing), n.Seq, n.ID == trc.WantedDue)
	}
	t.grant(p)
}

// first returns the first message that an operation of the peer may wait for of TRCs that wait for streams, and its TRC; nil if there
// is none.
func (w *waits) first(n trc.Note) (first *outgoing, seq matching.Seq) {
	for _, l := range []*trc.List[outgoing]{&w.waiting, &w.told, &w.wanted} {
		for o := range l.All() {
			if s, ok := o.Wanted(n.Context, n.Tag, n.Seq); ok && (first == nil || s < seq) {
				first, seq = o, s
			}
		}
	}
	return first, seq
}

// prefer puts a TRC that waits for a stream before those of which no operation waits for a message.
// It has its turn again until message seq has left.
func (t *Transport) prefer(p *peer, o *outgoing, seq matching.Seq, due bool) {
	if !o.wait.Listed() {
		return
	}
	o.until = max(o.until, seq)
	o.wait.Remove()
	if due {
		p.due.Push(&o.wait, o)
	} else {
		p.wanted.Push(&o.wait, o)
	}
}

// settleDemanded asks the peer to say when it has taken the message that a TRC's stream was for. If that was withdrawn before it
// left, the stream goes back.
func (t *Transport) settleDemanded(o *outgoing) {
	switch {
	case o.last != nil || o.reclaiming || o.turn.Listed():
	case o.sent == 0:
		t.giveBack(o)
	default:
		t.ask(o)
	}
}
