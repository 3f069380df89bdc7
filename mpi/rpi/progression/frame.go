package progression

import (
	"github.com/sctpmpi/sctpmpi/internal/header"
	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Frame is one frame on its way to a peer: an encoded header and the body that follows it. The
// body is the user's memory and is not copied. A frame that coalesces short messages goes on with
// the header and the body of the next one. Its receiver treats it as so many frames.
type Frame struct {
	Peer   matching.Rank
	Header [header.Size]byte
	Body   []byte
	// Tag, Context and RecvID are those of the header.
	Tag     matching.Tag
	Context matching.Context
	RecvID  uint32
	// Started is set by the transport as soon as any part of the frame may
	// have left: from then on it cannot be withdrawn.
	Started bool
	// Messages is how many messages share the frame, 1 for all others.
	Messages  int
	coalesced bool // Body is the layer's
	// Request is the send that the frame belongs to, nil for control frames.
	Request *rpi.Request
	// Next links the frames of a Queue.
	Next *Frame
}

// Finished implements operations.Pending: the frame leaves without its send.
func (f *Frame) Finished() { f.Request = nil }

// InUse implements operations.Pending: Sent or Dropped gives the body back.
func (f *Frame) InUse() bool { return len(f.Body) > 0 }

// Kind is the kind of the frame.
func (f *Frame) Kind() header.Kind { return header.Kind(f.Header[0]) }

// Len is the length of the frame in bytes.
func (f *Frame) Len() int { return len(f.Header) + len(f.Body) }

// queue sends a frame to peer. r may be nil.
func (l *Layer) queue(peer matching.Rank, h *header.Header, body []byte, r *rpi.Request) *Frame {
	l.ready.add(peer)
	return l.enqueue(peer, h, body, r)
}

// enqueue puts a frame into the queue to peer, of which its link is still to be told.
func (l *Layer) enqueue(peer matching.Rank, h *header.Header, body []byte, r *rpi.Request) *Frame {
	f := l.frames
	if f == nil {
		f = new(Frame)
	} else {
		l.frames = f.Next
	}
	f.Peer, f.Body, f.Request, f.Started, f.Messages, f.Next = peer, body, r, false, 1, nil
	l.peers[peer].coalescing = nil
	f.Tag, f.Context, f.RecvID = h.Tag, h.Context, h.RecvID
	header.Append(f.Header[:0], h)
	if r != nil {
		r.Transport.Pending = f
	}
	if h.Kind != header.Body {
		l.Told(peer, 1)
	}
	l.peers[peer].queue.push(f)
	return f
}

// Sent takes back a frame that has left entirely.
func (l *Layer) Sent(f *Frame) {
	r, kind, peer := f.Request, f.Kind(), f.Peer
	l.recycle(f)
	if r == nil {
		if kind == header.Credit {
			l.returnCredit(peer)
		}
		return
	}
	if r.Transport.Pending == f {
		r.Transport.Pending = nil
	}
	switch kind {
	case header.Eager:
		switch {
		case r.Mode != rpi.Synchronous || r.Transport.Matched:
			l.Finish(r, undelivered(r))
		case l.Failed(peer) != nil: // while it was leaving: no answer comes
			l.Finish(r, l.Failed(peer))
		}
	case header.Body:
		l.Finish(r, nil)
	}
}

// Dropped takes back a frame that will never leave because its peer is gone.
func (l *Layer) Dropped(f *Frame) {
	if r := f.Request; r != nil {
		l.Finish(r, l.gone(f.Peer))
	}
	l.recycle(f)
}

func (l *Layer) recycle(f *Frame) {
	if f.coalesced {
		l.freeCoalesced(f)
	}
	switch f.Kind() {
	case header.None:
		l.peers[f.Peer].backlog.denied--
	case header.Credit:
		l.peers[f.Peer].owed.leaving--
	}
	if p := &l.peers[f.Peer]; p.copied == f {
		p.copied = nil
	}
	f.Body, f.Request = nil, nil
	f.Next = l.frames
	l.frames = f
}
