package trc

import (
	"iter"

	"github.com/sctpmpi/sctpmpi/internal/header"
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// apart is a bit in the contexts of envelopes, keys and notes. The message belongs to a collective operation that has a
// channel of its own.
const apart = rpi.Reserved

// shared reports whether messages with several tags of a context are one TRC.
func shared(c matching.Context) bool { return c&(rpi.InOrder|apart) == rpi.InOrder }

// uses says which collective operations of a context use the slots to a peer.
//
// Each operation has a tag of its own. It takes the first slot that no operation has, or one that this process has ended
// (rpi.Request.OpenTags): so one slot is enough for operations that follow each other, and carriers make few channels. If
// there is none it has a channel of its own, and so two that are under way in this process never wait for each other.
//
// The receiver may be behind. What an ended operation has left unread there is in the way of those that come after it.
// The receiver takes it out if a receive waits that might need what is behind (see Layer.unstop), as far as the limit
// allows. Beyond it that receive waits for an operation before its own, which never waits for a later one: all
// processes begin them in the same order, and the messages of a later one are never before those of an earlier one.
type uses struct {
	// holders are the operations that have the slots, as many as have been taken.
	holders []matching.Tag
	// apart: operations have channels of their own, the latest of them with tag last.
	apart bool
	last  matching.Tag
}

// enter reports whether the message of a collective operation goes to a slot, and to which. What was decided for an
// operation holds to its end, so that its messages stay in order.
func (p *Peer) enter(r *rpi.Request, slots int) (slot uint8, ok bool) {
	u := p.uses[r.Context]
	if u == nil {
		if p.uses == nil {
			p.uses = make(map[matching.Context]*uses)
		}
		u = new(uses)
		p.uses[r.Context] = u
	}
	oldest, free := r.Tag-r.OpenTags, -1 // those before it have ended
	for i, holder := range u.holders {
		switch {
		case holder == r.Tag:
			return uint8(i), true
		case free < 0 && rpi.Before(holder, oldest):
			free = i
		}
	}
	if u.apart && rpi.Before(u.last, oldest) {
		u.apart = false
	}
	if u.apart && !rpi.Before(u.last, r.Tag) { // it may have begun apart
		return 0, false
	}
	switch {
	case free >= 0:
		u.holders[free] = r.Tag
	case len(u.holders) < slots:
		free = len(u.holders)
		u.holders = append(u.holders, r.Tag)
	default:
		u.apart, u.last = true, r.Tag
		return 0, false
	}
	return uint8(free), true
}

// keyOf returns the TRC of a message.
func keyOf(h *header.Header) Key {
	k := Key{h.Context, h.Tag}
	if shared(k.Context) {
		k.Tag = matching.Tag(h.Slot)
	}
	return k
}

// key returns that of a send that has begun.
func key(r *rpi.Request) Key {
	k := Key{wire(r), r.Tag}
	if shared(k.Context) {
		k.Tag = matching.Tag(r.Transport.Slot)
	}
	return k
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
		if !shared(c) {
			if i := in[Key{c, tag}]; i != nil {
				yield(i)
			}
			return
		}
		for _, i := range l.peers[from].slots[c] {
			if i != nil && !yield(i) {
				return
			}
		}
		if i := in[Key{c | apart, tag}]; i != nil {
			yield(i)
		}
	}
}

// setIn makes c the first channel of a TRC; nil if it has none.
func (l *Layer) setIn(p *Peer, k Key, c *Incoming) {
	if last := p.In[k]; last != nil {
		last.beside.Remove()
	}
	if c != nil {
		p.In[k] = c
		l.arriving(k).Push(&c.beside, c)
	} else {
		delete(p.In, k)
		if context := k.Context &^ apart; l.in[context] != nil && l.in[context].First() == nil {
			delete(l.in, context)
		}
	}
	if !shared(k.Context) {
		return
	}
	all := p.slots[k.Context]
	for len(all) <= int(k.Tag) {
		all = append(all, nil)
	}
	all[k.Tag] = c
	for len(all) > 0 && all[len(all)-1] == nil {
		all = all[:len(all)-1]
	}
	switch {
	case len(all) == 0:
		delete(p.slots, k.Context)
	case p.slots == nil:
		p.slots = make(map[matching.Context][]*Incoming)
		fallthrough
	default:
		p.slots[k.Context] = all
	}
}
