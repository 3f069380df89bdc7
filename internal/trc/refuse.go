package trc

import (
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Refusable implements operations.Layer.
func (l *inside) Refusable(m *matching.Message) bool {
	p := &l.peers[m.Source]
	return m.Owner.(*message).channel != nil && l.Failed(m.Source) == nil && !p.Parted // else it cannot be told
}

// Refuse implements operations.Layer. The sender of a message that is refused must know it before its body is
// dropped: when that has left the send might complete. Short messages are not refused but lost, if their senders do not
// wait for a match.
func (l *inside) Refuse(held *matching.Message) {
	m := held.Owner.(*message)
	if m.sync || m.Length > uint64(l.Config.EagerLimit) {
		l.Undeliverable.Add(held)
		m.unwanted, m.refused = true, true
		l.layer().Tell(&l.peers[m.Source], Note{Kind: Refusal, ID: m.sendID, Context: m.Context, Tag: m.Tag, Seq: m.Seq})
		return
	}
	l.Lost.Add(held)
	l.layer().discard(m)
}

// understood notes that the sender of a message knows that it is refused.
func (l *Layer) understood(p *Peer, n *Note) {
	for c := p.In[Key{n.Context, n.Tag}]; c != nil; c = c.Successor {
		if m := c.head; m != nil && m.refused && !c.wanted && m.Seq == n.Seq {
			l.discard(m)
			return
		}
	}
}

// turnedAway notes that a peer will never receive a message. What has not been sent of it is sent all the same, and
// dropped there.
func (l *Layer) turnedAway(p *Peer, n *Note) error {
	if err := l.turnAway(p, n); err != nil {
		return err
	}
	answer := *n
	answer.Kind = Understood
	l.Tell(p, answer)
	return nil
}

func (l *Layer) turnAway(p *Peer, n *Note) error {
	if n.Context&rpi.InOrder != 0 {
		return Violation("it refused a message of context %#x, of which it is to receive all", uint64(n.Context))
	}
	if o := p.Out[Key{n.Context, n.Tag}]; o != nil {
		for f := o.head; f != nil; f = f.Next {
			if r := f.request; r != nil && r.Transport.Seq == n.Seq {
				if !f.Started || r.Transport.Matched {
					return Violation("it refused send %d, of which it has not got the message, or has taken it", n.ID)
				}
				r.Transport.Undeliverable = true
				return nil
			}
		}
	}
	r := l.Requests.Find(n.ID)
	if r == nil || r.Op != rpi.OpSend || r.Peer != p.Rank ||
		r.Context != n.Context || r.Tag != n.Tag || r.Transport.Seq != n.Seq {
		return nil // it has left, and no more was waited for
	}
	if r.Transport.Matched || r.Transport.Pending != nil {
		return Violation("it refused send %d, which does not wait for it", n.ID)
	}
	l.Finish(r, &rpi.UndeliverableError{Peer: p.Rank})
	return nil
}
