package pertrc

import (
	"github.com/sctpmpi/sctpmpi/internal/trc"
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/handshake"
)

// A communicator that is freed leaves connections behind, and the next one needs some: these are handed on. A receiver that has
// released a context vouches for the connections in it of which it has taken all: it says how many messages these were. A sender
// that has released it too, and has sent no more, may give the connection to any other TRC, whose first message names that. So no
// message ever waits behind those of another TRC.
//
// Such a connection may end before the receiver has read that name, and the TRC's next connection overtake it. So the hello of
// that one has the number of the other, and the receiver names it then.

// maxKept bounds the connections to a peer whose contexts have been released. Beyond it the one that was released first is closed.
const maxKept = 16

// Release implements rpi.Transport.
func (t *Transport) Release(c matching.Context) {
	t.requests.Release(c)
	t.lock.Lock()
	for in := range t.layer.Incoming(c) {
		t.vacate(in.Channel.(*incoming))
	}
	for i := range t.peers {
		for k := range t.peers[i].after {
			if k.Context == c {
				delete(t.peers[i].after, k)
			}
		}
	}
	t.lock.Unlock()
}

// vacate vouches for a connection of a context that has been released, if all that came on it has been taken.
func (t *Transport) vacate(c *incoming) {
	p, k := c.peer, c.Key
	if c.fd < 0 || c.doomed || c.hangup || c.reclaiming || c.Apart() || p.Parted || !t.life.Running() || t.failed(p) != nil || !t.layer.Vacate(&c.Incoming) {
		return
	}
	p.spare.Push(&c.spare, c)
	t.layer.Tell(p.Peer, trc.Note{Kind: trc.Drained, ID: c.number, Context: k.Context, Tag: k.Tag, Seq: matching.Seq(c.Messages)})
}

// vouch takes in that the peer has taken messages that were sent on a connection.
func (o *outgoing) vouch(n trc.Note) {
	if o.number == n.ID {
		o.vouched = uint64(n.Seq)
	}
}

// keep has a connection wait for another TRC.
func (t *Transport) keep(o *outgoing) {
	p := o.peer
	if o.kept.Listed() {
		return
	}
	p.kept.Push(&o.kept, o)
	if p.keeps++; p.keeps > maxKept {
		t.retire(p.kept.First())
	}
}

func (o *outgoing) unkeep() {
	if o.kept.Listed() {
		o.kept.Remove()
		o.peer.keeps--
	}
}

// handOn gives a TRC a connection that another one had, if there is any.
func (t *Transport) handOn(o *outgoing) bool {
	p := o.peer
	if o.leaving || p.after[o.Key] != 0 {
		return false
	}
	for last := range p.kept.All() {
		if last.vouched != last.sent || last.sent == 0 || !last.Free() || last.leaving {
			continue
		}
		last.idle.Remove()
		last.unkeep()
		o.fd, o.token, o.stream, o.number = last.fd, last.token, last.stream, last.number
		o.sent, o.vouched, o.handed = last.sent, last.vouched, true
		last.phase = ended
		t.layer.Remove(last.Outgoing)
		t.sockets.give(o.token, o)
		o.inUse()
		t.attend(o)
		return true
	}
	return false
}

// recordEnd notes that a connection ends of which the peer may not know which TRC has it.
func (t *Transport) recordEnd(o *outgoing) {
	if o.phase != connected || !o.handed || o.vouched == o.sent || t.failed(o.peer) != nil || o.released {
		return
	}
	if o.peer.after == nil {
		o.peer.after = make(map[trc.Key]uint32)
	}
	o.peer.after[o.Key] = o.number
}

// nameAfter names the connection that the new one of a TRC comes after.
func (t *Transport) nameAfter(p *peer, h *handshake.Hello, k trc.Key) {
	if h.After == 0 {
		return
	}
	for c := range p.spare.All() {
		if c.number == h.After {
			t.layer.Name(&c.Incoming, k)
			c.named()
		}
	}
}

// named notes that a TRC has a connection again.
func (c *incoming) named() {
	c.spare.Remove()
	c.queued = c.Behind
}

// reclaim asks for the end of a connection.
func reclaim(c *incoming) trc.Note {
	n := trc.Note{Kind: trc.Reclaim, ID: c.number, Context: c.Key.Context, Tag: c.Key.Tag}
	if c.Unnamed {
		n.Tag = -1
	}
	return n
}

// reclaimed returns the connection whose end the peer asks for, nil if it has ended.
func (p *peer) reclaimed(n trc.Note) *outgoing {
	if n.Tag >= 0 {
		if o := p.Out[trc.Key{Context: n.Context, Tag: n.Tag}]; o != nil {
			return o.Channel.(*outgoing)
		}
		return nil
	}
	for o := range p.outgoing() {
		if o.number == n.ID && n.ID != 0 {
			return o
		}
	}
	return nil
}
