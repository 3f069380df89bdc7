package pertrc

import (
	"github.com/sctpmpi/sctpmpi/internal/trc"
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// incoming is a stream from a peer.
type incoming struct {
	trc.Incoming
	peer   *peer
	stream socket.StreamID
	within bool // a message has begun on the stream and not ended

	// pieces have been received, and from first on not taken, because no receive wants the message at the head. They
	// are put back after the batch of events. taken: so many bytes of the first have been.
	pieces       []socket.Event
	first, taken int

	held      bool // the stream is on hold
	letting   bool // a goroutine lets it go
	returning bool // the pieces are being put back
	listed    bool // in Transport.unread
	wanted    bool // in Transport.wanted
	over      bool // nothing more comes on it

	// asked: the peer wants to know when all of its messages, so many, have been taken.
	asked bool
	count uint64
}

// incoming returns what is known of a stream from a peer.
func (t *Transport) incoming(p *peer, stream socket.StreamID) *incoming {
	if c := p.recent; c != nil && c.stream == stream {
		return c
	}
	c := p.in[stream]
	if c == nil {
		c = &incoming{peer: p, stream: stream}
		c.Incoming = trc.Incoming{Peer: p.trcs, Channel: c, Unnamed: true}
		p.in[stream] = c
	}
	p.recent = c
	return c
}

// message takes in a piece of a message, under the progress token. It leaves the lock while much is copied.
func (t *Transport) message(p *peer, e *socket.Event) error {
	c := t.incoming(p, e.Stream)
	if e.Begin == c.within {
		return trc.Violation("pieces of messages are out of order")
	}
	c.within = !e.End
	n := 0
	if !c.behind() {
		var err error
		if n, err = t.take(c, e.Payload, true); err != nil {
			return err
		}
		if n == len(e.Payload) {
			if e.End && !c.complete() {
				return trc.Violation("a message ends early")
			}
			t.taken(c)
			if c.Hungry() {
				return nil
			}
		}
	}
	if n < len(e.Payload) {
		if !c.behind() {
			c.taken = n
		}
		c.pieces = append(c.pieces, *e)
		e.Memory = nil // it is not ours to release any more
	}
	t.leave(c)
	return nil
}

// behind reports whether there are pieces that have not been taken.
func (c *incoming) behind() bool { return c.first < len(c.pieces) }

// forget drops the references to the pieces, which have been released or put back.
func (c *incoming) forget() {
	clear(c.pieces)
	c.pieces, c.first, c.taken = c.pieces[:0], 0, 0
}

// take takes bytes in as long as they are wanted, and returns how many. unlock: the lock may be released.
func (t *Transport) take(c *incoming, b []byte, unlock bool) (n int, err error) {
	for n < len(b) && c.Hungry() && err == nil {
		place, drop, header := c.Places()
		k := 0
		switch {
		case len(place) == 0 && drop > 0:
			k = int(min(drop, uint64(len(b)-n)))
		case len(place) == 0:
			k = copy(header, b[n:])
		case unlock:
			k = min(len(place), len(b)-n)
			t.lock.Copy(place, b[n:n+k])
		default:
			k = copy(place, b[n:])
		}
		n += k
		err = t.layer.Advance(&c.Incoming, k)
	}
	return n, err
}

// complete reports whether the message that has just ended is whole.
func (c *incoming) complete() bool {
	unread, ok := c.Unread()
	return c.Idle() || ok && unread == 0
}

// leave notes that the message at the head of a stream is not wanted: the rest is put back, and the stream is held.
func (t *Transport) leave(c *incoming) {
	if !c.listed {
		c.listed = true
		t.unread = append(t.unread, c)
	}
}

// read is called when something of a stream may be wanted.
func (t *Transport) read(c *incoming) {
	if !c.wanted {
		c.wanted = true
		t.wanted = append(t.wanted, c)
	}
}

func (t *Transport) nextWanted() *incoming {
	last := len(t.wanted) - 1
	if last < 0 {
		return nil
	}
	c := t.wanted[last]
	t.wanted[last], t.wanted = nil, t.wanted[:last]
	c.wanted = false
	return c
}

// goOn takes in what there is of a stream, and has the socket deliver more. It leaves the lock for that.
func (t *Transport) goOn(c *incoming) {
	if !c.over {
		if err := t.drain(c); err != nil {
			c.release()
			t.Breach(c.peer.Peer, err)
		}
	}
	if c.peer.Gone() {
		if c.over {
			return
		}
		if t.end(c); c.over {
			t.layer.EndUnreachable()
		}
		return
	}
	// A stream that is over is let go all the same, for the next TRC.
	if !c.Hungry() || !c.held || c.letting || c.returning || c.behind() {
		return
	}
	c.letting, c.held = true, false
	id := c.peer.Assoc()
	t.lock.Leave()
	_ = t.streams().Hold(id, c.stream, false) // fails if the association has ended
	t.lock.Enter()
	switch c.letting = false; {
	case c.Hungry():
		t.read(c)
	case c.behind():
		t.leave(c)
	}
}

// drain takes in the pieces of a stream that are wanted.
func (t *Transport) drain(c *incoming) error {
	if c.returning {
		return nil // putBack has this called again
	}
	for c.behind() && c.Hungry() {
		e := &c.pieces[c.first]
		n, err := t.take(c, e.Payload[c.taken:], false)
		if err != nil {
			return err
		}
		if c.taken += n; c.taken < len(e.Payload) {
			return nil
		}
		e.Release()
		c.first, c.taken = c.first+1, 0
		if e.End && !c.complete() {
			return trc.Violation("a message ends early")
		}
	}
	if !c.behind() {
		c.forget()
		t.taken(c)
	}
	return nil
}

// putBack gives back what no receive wants of the streams of a batch of events, and holds them. It has the
// progress token, so nothing comes behind, and leaves the lock meanwhile.
func (t *Transport) putBack() {
	for len(t.unread) > 0 {
		last := len(t.unread) - 1
		c := t.unread[last]
		t.unread[last], t.unread = nil, t.unread[:last]
		c.listed = false
		if c.over || c.Hungry() || c.letting || c.peer.Gone() || c.held && !c.behind() {
			continue // or goOn calls leave again
		}
		id, pieces, taken, within := c.peer.Assoc(), c.pieces[c.first:], c.taken, c.within
		if len(pieces) > 0 {
			within = !pieces[0].Begin || taken > 0
		}
		c.returning, c.pieces, c.first, c.taken = true, nil, 0, 0 // no other goroutine touches the pieces meanwhile
		t.lock.Leave()
		left, err := putBack(t.streams(), pieces, taken)
		if err == nil {
			err = t.streams().Hold(id, c.stream, true)
		}
		t.lock.Enter()
		if c.returning, c.pieces = false, pieces[:left]; err == nil {
			c.held, c.within = true, within
		} else {
			c.taken = taken
		}
		if c.Hungry() {
			t.read(c)
		}
	}
}

// putBack gives pieces back to the socket, last first, of the first one only what has not been taken. If that fails,
// because the association has ended, it returns how many are left.
func putBack(s streams, pieces []socket.Event, taken int) (left int, err error) {
	for left = len(pieces); left > 0; left-- {
		n := 0
		if left == 1 {
			n = taken
		}
		if err := s.PutBack(&pieces[left-1], n); err != nil {
			return left, err
		}
	}
	return 0, nil
}

func (t *Transport) streams() streams { return t.Socket().(streams) }

// taken sees whether the peer waits to hear that a stream is drained.
func (t *Transport) taken(c *incoming) {
	switch {
	case !c.asked || c.over || c.peer.Gone() || c.Messages < c.count:
		return
	case c.Messages > c.count: // the TRC goes on with it
		c.Messages -= c.count
		t.layer.Cleared(&c.Incoming)
	case !c.Idle() || c.within || c.behind() || c.returning:
		return
	default:
		c.Drained = true
		t.close(c)
	}
	c.asked = false
	t.layer.Tell(c.peer.trcs, trc.Note{Kind: trc.Drained, ID: uint32(c.stream), Seq: matching.Seq(c.count)})
}

// release drops the pieces.
func (c *incoming) release() {
	for i := range c.pieces[c.first:] {
		c.pieces[c.first+i].Release()
	}
	c.forget()
}

// end takes in that nothing more comes on a stream, if what is there does not make a message.
func (t *Transport) end(c *incoming) {
	unread, ok := c.Unread()
	have := -c.taken
	for i := range c.pieces[c.first:] {
		have += len(c.pieces[c.first+i].Payload)
	}
	if ok && uint64(have) >= unread {
		return // it can still be received
	}
	t.close(c)
}

// close forgets a stream on which nothing more comes.
func (t *Transport) close(c *incoming) {
	c.release()
	c.over = true
	delete(c.peer.in, c.stream)
	if c.peer.recent == c {
		c.peer.recent = nil
	}
	if c.Unnamed {
		t.layer.Cleared(&c.Incoming)
	} else {
		t.layer.End(&c.Incoming)
	}
}
