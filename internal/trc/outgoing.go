package trc

import (
	"github.com/sctpmpi/sctpmpi/internal/header"
	"github.com/sctpmpi/sctpmpi/internal/operations"
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Outgoing is a TRC to a peer: its messages that have not left. The carrier may take the first ones, which are
// Started then, and gives each back with Sent or Drop.
type Outgoing struct {
	Peer *Peer
	Key  Key
	// Channel is the carrier's.
	Channel any

	head, tail *Frame
	beside     Link[Outgoing] // those of all peers in its context
}

// Frame is a message on its way: a header and the body, the user's memory.
type Frame struct {
	Header [header.Size]byte
	Body   []byte
	// Started: some of it may have left. Lent: the memory of the body is in use, so that Drop leaves the message.
	// Carriers set them.
	Started, Lent bool
	// Prev and Next are the messages before and behind it.
	Prev, Next *Frame

	request *rpi.Request
	tag     matching.Tag
	seq     matching.Seq
	// retracted: its sender wants it back, and the receiver will not take it.
	retracted bool
}

// Len is the length of the frame in bytes.
func (f *Frame) Len() int { return len(f.Header) + len(f.Body) }

// Finished implements operations.Pending: the message leaves without its send.
func (f *Frame) Finished() { f.request = nil }

// InUse implements operations.Pending: the carrier gives back what it has begun to send.
func (f *Frame) InUse() bool { return f.Started }

// Apart reports whether the TRC is a single collective operation.
func (o *Outgoing) Apart() bool { return o.Key.Context&apart != 0 }

// Head returns the first message, nil if there is none.
func (o *Outgoing) Head() *Frame { return o.head }

// outgoing returns the TRC with a key.
func (l *Layer) outgoing(p *Peer, k Key) *Outgoing {
	if o := p.recent; o != nil && o.Key == k {
		return o
	}
	o := p.Out[k]
	if o == nil {
		o = &Outgoing{Peer: p, Key: k}
		if p.Out == nil {
			p.Out = make(map[Key]*Outgoing)
		}
		p.Out[k] = o
		l.beside(k).Push(&o.beside, o)
		l.carrier.Open(o)
		if k.Context&apart != 0 {
			l.carrier.Dismiss(o) // few messages will follow
		}
	}
	p.recent = o
	return o
}

// beside lists the TRCs in the context of k.
func (l *Layer) beside(k Key) *List[Outgoing] {
	c := k.Context &^ apart
	all := l.open[c]
	if all == nil {
		all = new(List[Outgoing])
		l.open[c] = all
	}
	return all
}

// Remove forgets a TRC without messages. Its next message begins anew.
func (l *Layer) Remove(o *Outgoing) {
	delete(o.Peer.Out, o.Key)
	o.beside.Remove()
	if c := o.Key.Context &^ apart; l.beside(o.Key).First() == nil {
		delete(l.open, c)
	}
	if o.Peer.recent == o {
		o.Peer.recent = nil
	}
}

// send starts a send.
func (l *Layer) send(r *rpi.Request) {
	if err := l.Failed(r.Peer); err != nil {
		r.Complete(err)
		return
	}
	if r.Mode == rpi.Buffered {
		if r = l.Detach(r); r == nil {
			return
		}
	} else {
		l.SendBegins(r)
	}
	if r.Peer == l.Self {
		l.Loopback(r)
		return
	}
	p := &l.peers[r.Peer]
	h := operations.Header(r)
	inSlot := true
	if shared(r.Context) {
		h.Slot, inSlot = p.enter(r, l.slots)
	}
	r.Transport.Slot, r.Transport.Apart = h.Slot, !inSlot
	h.Context = wire(r)
	if r.Mode == rpi.Synchronous {
		h.Sync, h.SendID = true, l.Requests.Name(r)
	}
	f := l.frame()
	f.Body, f.request, f.tag, f.seq = r.Buf, r, r.Tag, r.Transport.Seq
	header.Append(f.Header[:0], &h)
	r.Transport.Pending = f
	l.carrier.Reach(r.Peer)
	o := l.outgoing(p, key(r))
	l.push(o, f)
	l.carrier.Send(o)
}

func (l *Layer) push(o *Outgoing, f *Frame) {
	l.Told(o.Peer.Rank, 1)
	if o.head == nil {
		o.head = f
		o.Peer.Busy++
	} else {
		o.tail.Next, f.Prev = f, o.tail
	}
	o.tail = f
}

// unlink takes a message out.
func (o *Outgoing) unlink(f *Frame) {
	if f.Prev == nil {
		o.head = f.Next
	} else {
		f.Prev.Next = f.Next
	}
	if f.Next == nil {
		o.tail = f.Prev
	} else {
		f.Next.Prev = f.Prev
	}
	if o.head == nil {
		o.Peer.Busy--
	}
}

// Sent notes that a message has left entirely.
func (l *Layer) Sent(o *Outgoing, f *Frame) {
	o.unlink(f)
	if r := f.request; r != nil {
		r.Transport.Pending = nil
		switch {
		case f.retracted:
			l.Cancelled(r)
		case r.Transport.Undeliverable:
			l.Finish(r, &rpi.UndeliverableError{Peer: r.Peer})
		case r.Transport.Matched || r.Mode != rpi.Synchronous && !r.Transport.Retracting:
			l.Finish(r, nil)
		case l.Failed(r.Peer) != nil: // while it was leaving: no answer comes
			l.Finish(r, l.Failed(r.Peer))
		}
	}
	l.freeFrame(f)
}

// Drop gives up the messages of a TRC, which will never leave: their sends end with an error. It leaves those that are
// Lent.
func (l *Layer) Drop(o *Outgoing, why error) {
	for f, next := o.head, (*Frame)(nil); f != nil; f = next {
		if next = f.Next; f.Lent {
			continue
		}
		o.unlink(f)
		if r := f.request; r != nil {
			err := why
			if err == nil {
				err = operations.ErrClosed(r)
			}
			l.Finish(r, err)
		}
		l.freeFrame(f)
	}
}

// GiveUp is Drop for messages that find no channel. Their receiver is told, so that it does not wait for
// their sequence numbers.
func (l *Layer) GiveUp(o *Outgoing, why error) {
	for f := o.head; f != nil; f = f.Next {
		l.Told(o.Peer.Rank, -1)
		l.Tell(o.Peer, Note{Kind: Void, Context: o.Key.Context &^ apart, Tag: f.tag, Seq: f.seq})
	}
	l.Drop(o, why)
}

func (l *Layer) frame() *Frame {
	f := l.frames
	if f == nil {
		return new(Frame)
	}
	l.frames, f.Next = f.Next, nil
	return f
}

func (l *Layer) freeFrame(f *Frame) {
	*f = Frame{Next: l.frames}
	l.frames = f
}
