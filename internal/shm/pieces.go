package shm

import (
	"github.com/sctpmpi/sctpmpi/internal/header"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/progression"
)

// pieces are the frames that go through the ring in pieces, because they are too long for it and the peer cannot read this
// process's memory. A frame that takes part in matching goes from its beginning to its end, and others wait for it. The bodies of
// long messages are cut into fragments, one of each in turn, and other frames pass them.
type pieces struct {
	current *progression.Frame // of which the first piece is next, or a further one
	sent    int                // bytes of its body
	bodies  []body
}

type body struct {
	frame *progression.Frame
	sent  int
}

func (s *pieces) empty() bool { return s.current == nil && len(s.bodies) == 0 }

func (s *pieces) begin(f *progression.Frame) {
	if f.Kind() == header.Body {
		s.bodies = append(s.bodies, body{frame: f})
		return
	}
	s.current, s.sent = f, -1
}

// pop takes a frame out that will not go on, nil if there is none.
func (s *pieces) pop() (f *progression.Frame) {
	if f = s.current; f != nil {
		s.current = nil
		return f
	}
	if n := len(s.bodies); n > 0 {
		f = s.bodies[n-1].frame
		s.bodies = s.bodies[:n-1]
	}
	return f
}

func (s *pieces) each(show func(*progression.Frame)) {
	if s.current != nil {
		show(s.current)
	}
	for i := range s.bodies {
		show(s.bodies[i].frame)
	}
}

// putMore puts the next piece of a frame that takes part in matching.
func (l *Link) putMore(p *peer) bool {
	s, f := &p.pieces, p.pieces.current
	h, rest := &moreHeader, f.Body
	if s.sent < 0 {
		h = &f.Header
	} else {
		rest = rest[s.sent:]
	}
	piece := rest[:min(len(rest), p.out.Limit())]
	if !p.write(h, piece) {
		return false
	}
	if s.sent = max(s.sent, 0) + len(piece); s.sent == len(f.Body) {
		s.current = nil
		l.layer.Sent(f)
	}
	return true
}

// putFragment puts a fragment of the long message whose turn it is.
func (l *Link) putFragment(p *peer) bool {
	s := &p.pieces
	if len(s.bodies) == 0 {
		return false
	}
	b := s.bodies[0]
	piece := b.frame.Body[b.sent:]
	piece = piece[:min(len(piece), p.out.Limit())]
	var h recordHeader
	header.Append(h[:0], &header.Header{
		Kind: header.Body, RecvID: b.frame.RecvID, Offset: uint64(b.sent), Length: uint64(len(piece)),
	})
	if !p.write(&h, piece) {
		return false
	}
	b.sent += len(piece)
	n := copy(s.bodies, s.bodies[1:])
	if b.sent < len(b.frame.Body) {
		s.bodies[n] = b
		return true
	}
	s.bodies[n] = body{}
	s.bodies = s.bodies[:n]
	l.layer.Sent(b.frame)
	return true
}
