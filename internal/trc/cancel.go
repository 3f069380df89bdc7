package trc

import (
	"errors"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// place is where a message stands among those of its sender.
type place struct {
	Key
	seq matching.Seq
}

// MaxRetracted bounds the messages of a peer that it wants back and that have not begun to arrive. A cancellation
// beyond it fails.
const MaxRetracted = 4096

// cancelSend withdraws a message that has not left, or asks its receiver to
// forget it.
func (l *Layer) cancelSend(r *rpi.Request) {
	if f, ok := r.Transport.Pending.(*Frame); ok && !f.Started && !r.Transport.Retracting {
		l.withdraw(r, f)
		return
	}
	if l.TakeBack(r) || r.Transport.Matched || r.Transport.Retracting {
		return
	}
	r.Transport.Retracting = true
	k := key(r)
	l.Tell(&l.peers[r.Peer], Note{Kind: Retract, ID: l.Requests.Name(r), Context: k.Context, Tag: k.Tag, Seq: r.Transport.Seq})
}

// withdraw takes a message out of the queue, and tells the receiver not
// to wait for its sequence number.
func (l *Layer) withdraw(r *rpi.Request, f *Frame) {
	p := &l.peers[r.Peer]
	o := p.Out[key(r)]
	o.unlink(f)
	l.Told(r.Peer, -1)
	r.Transport.Pending = nil
	l.Cancelled(r)
	l.freeFrame(f)
	l.Tell(p, Note{Kind: Void, Context: r.Context, Tag: r.Tag, Seq: r.Transport.Seq})
	l.carrier.Send(o)
}

// retract is asked of a receiver: a message that has not matched is as if it
// had never been sent. It has to be read all the same.
func (l *Layer) retract(p *Peer, n *Note) error {
	done, err := l.retracts(p, n)
	if err != nil {
		return err
	}
	answer := *n
	if answer.Kind = Kept; done {
		answer.Kind = Retracted
	}
	l.Tell(p, answer)
	l.PairMatches()
	l.came(p, n.Context&^apart, n.Tag)
	return l.resume(p, n.Context&^apart)
}

func (l *Layer) retracts(p *Peer, n *Note) (bool, error) {
	k := Key{n.Context, n.Tag}
	first := p.In[k]
	if first == nil && (l.Released(n.Context&^apart) || !l.Match.Missing(n.Context&^apart, p.Rank, n.Seq)) {
		return false, nil // it was received, and the channel has ended
	}
	for c := first; c != nil; c = c.Successor {
		if !c.begun || c.last < n.Seq {
			continue
		}
		m := c.head
		switch {
		case m == nil || m.Seq != n.Seq:
			return false, nil
		case c.postponed:
			if ok, err := l.skip(p, n); !ok {
				return false, err
			}
			l.recall(c)
		case !l.Match.Take(&m.Message):
			return false, nil
		}
		l.discard(m)
		return true, nil
	}
	if len(p.retracted) >= MaxRetracted {
		return false, nil
	}
	if ok, err := l.skip(p, n); !ok {
		return false, err
	}
	if p.retracted == nil {
		p.retracted = make(map[place]struct{})
	}
	p.retracted[place{k, n.Seq}] = struct{}{}
	return true, nil
}

// skip notes that the message of a note will never come, if there is room for that.
func (l *Layer) skip(p *Peer, n *Note) (ok bool, err error) {
	switch err := l.Match.Skip(n.Context&^apart, p.Rank, n.Seq); {
	case errors.Is(err, matching.ErrGaps):
		return false, nil
	case err != nil:
		return false, Violation("%v", err)
	}
	return true, nil
}

// answered handles the answer whether the receiver of a message has forgotten it. If it has, what has not been sent
// of it is sent all the same, and dropped there.
func (l *Layer) answered(p *Peer, n *Note) {
	r := l.Requests.Find(n.ID)
	if r == nil || r.Peer != p.Rank || !r.Transport.Retracting || r.Transport.Matched ||
		key(r) != (Key{n.Context, n.Tag}) || r.Transport.Seq != n.Seq {
		return // the match was acknowledged first, or the answer belongs to no cancellation
	}
	f, leaving := r.Transport.Pending.(*Frame)
	switch {
	case n.Kind == Kept:
		r.Transport.Retracting = false
		if !leaving && r.Mode != rpi.Synchronous {
			l.Finish(r, nil)
		}
	case leaving:
		f.retracted = true
	default:
		l.Cancelled(r)
	}
}

// dropRetractions forgets what the peer wanted back of a TRC whose channel has
// ended.
func (p *Peer) dropRetractions(k Key) {
	for at := range p.retracted {
		if at.Key == k {
			delete(p.retracted, at)
		}
	}
}

// wanted reports whether a message that begins to arrive is still wanted.
func (p *Peer) wanted(k Key, seq matching.Seq) bool {
	if len(p.retracted) == 0 {
		return true
	}
	at := place{k, seq}
	_, found := p.retracted[at]
	delete(p.retracted, at)
	return !found
}
