package trc

import (
	"iter"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// apart is a bit in the contexts of envelopes, keys and notes. The message belongs to a collective operation that has a
// channel of its own.
const apart = rpi.Reserved

// shared reports whether messages with several tags of a context are one TRC.
func shared(c matching.Context) bool { return c&(rpi.InOrder|apart) == rpi.InOrder }

// use says which collective operations of a context use a slot to a peer.
//
// Each operation has a tag of its own, and takes a slot by it. Another one may have its messages there if this process
// has ended it (rpi.Request.OpenTags). Otherwise the operation has a channel of its own, and so two that are under
// way in this process never wait for each other.
//
// The receiver may be behind. What an ended operation has left unread there is in the way of those that come after it.
// The receiver takes it out if a receive waits that might need what is behind (see Layer.unstop), as far as the limit
// allows. Beyond it that receive waits for an operation before its own, which never waits for a later one: all
// processes begin them in the same order, and the messages of a later one are never before those of an earlier one.
type use struct {
	begun bool
	// holder is the operation that has the slot; last the latest that was sent there or apart from it.
	holder, last matching.Tag
}

// enter reports whether the message of a collective operation goes to its slot. What was decided for an operation
// holds to its end, so that its messages stay in order.
func (p *Peer) enter(r *rpi.Request, slots matching.Tag) bool {
	all := p.uses[r.Context]
	if all == nil {
		if p.uses == nil {
			p.uses = make(map[matching.Context][]use)
		}
		all = make([]use, slots)
		p.uses[r.Context] = all
	}
	switch u := &all[r.Tag%slots]; {
	case u.begun && u.holder == r.Tag:
		return true
	case !u.begun || rpi.Before(u.last, r.Tag-r.OpenTags):
		*u = use{true, r.Tag, r.Tag}
		return true
	case rpi.Before(u.last, r.Tag):
		u.last = r.Tag
	}
	return false
}

// wire returns the context of a message in its envelope.
func wire(r *rpi.Request) matching.Context {
	if r.Transport.Apart {
		return r.Context | apart
	}
	return r.Context
}

// channels lists the channels from a peer on which a message that a receive takes may come.
func (l *Layer) channels(from matching.Rank, c matching.Context, tag matching.Tag) iter.Seq[*Incoming] {
	return func(yield func(*Incoming) bool) {
		in := l.peers[from].In
		if tag == matching.AnyTag {
			for k, i := range in {
				if k.Context&^apart == c && !yield(i) {
					return
				}
			}
			return
		}
		if i := in[l.Key(c, tag)]; i != nil && !yield(i) || !shared(c) {
			return
		}
		if i := in[Key{c | apart, tag}]; i != nil {
			yield(i)
		}
	}
}
