package progression

import (
	"github.com/sctpmpi/sctpmpi/internal/header"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

const (
	// coalescedSize is the size of a frame that coalesces messages, in bytes. coalescedLimit bounds the
	// bytes of all such frames that have not left: beyond it no message is copied.
	coalescedSize  = 8 << 10
	coalescedLimit = 1 << 20
	// maxCoalesced is the longest message, in bytes, that is coalesced. Copying a longer one costs more
	// time than a frame of its own.
	maxCoalesced = 2 << 10
)

// coalesce copies a short message into the last frame that is queued for its peer, if that frame
// coalesces messages, has room and does not leave yet. If others are likely to follow it makes a
// new such frame. Then it completes the send, and returns true. One frame for many messages costs
// both transports no more than one for each would.
//
// With rpi.Inline no such frame is made: no goroutine would send it if the program made no more
// calls.
func (l *Layer) coalesce(r *rpi.Request, h *header.Header, others bool) bool {
	size := header.Size + len(r.Buf)
	f := l.peers[r.Peer].coalescing
	if f != nil && (f.Started || f.Len()+size > coalescedSize || !l.inOrder(f, r)) {
		f = nil
	}
	switch {
	case len(r.Buf) > maxCoalesced:
		return false
	case f != nil:
		f.Body = header.Append(f.Body, h)
		f.Messages++
		l.Told(f.Peer, 1)
		l.ready.add(f.Peer)
	case !others || l.Config.Progress == rpi.Inline || l.coalesced+coalescedSize > coalescedLimit:
		return false
	default:
		l.coalesced += coalescedSize
		f = l.queue(r.Peer, h, l.Buffers.Get(coalescedSize)[:0], nil)
		f.coalesced, l.peers[r.Peer].coalescing = true, f
	}
	f.Body = append(f.Body, r.Buf...)
	l.Finish(r, nil)
	return true
}

// inOrder reports whether the transport delivers the message of r in order with f, so that both may
// share a frame.
func (l *Layer) inOrder(f *Frame, r *rpi.Request) bool {
	return l.order == InOneOrder || f.Context == r.Context && (f.Tag == r.Tag || r.Context&rpi.InOrder != 0)
}

// freeCoalesced takes the memory back from a frame of coalesced messages.
func (l *Layer) freeCoalesced(f *Frame) {
	l.Buffers.Put(f.Body)
	l.coalesced -= coalescedSize
	f.coalesced = false
	if p := &l.peers[f.Peer]; p.coalescing == f {
		p.coalescing = nil
	}
}
