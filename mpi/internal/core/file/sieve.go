package file

import "iter"

// piece is bytes of the file that lie together.
type piece struct{ offset, size int64 }

// group is pieces that are read at once, with what is between them: that is faster than a system call for each.
type group struct {
	position int64 // of its first byte
	bytes    int64 // in its pieces
	from, to int64 // in the file
	pieces   []piece
}

// widest is how many bytes between two pieces are read rather than left out: as many as are copied in the time of a call.
const widest = 8 << 10

// mostPieces bounds the pieces of a group.
const mostPieces = 16 << 10

// groups are the pieces of the access in groups of span bytes of the file at most. Longer pieces are cut, unless they can be read
// into dense memory without a buffer.
func (p part) groups(span int64) iter.Seq[group] {
	return func(yield func(group) bool) {
		g := group{position: p.position}
		flush := func() bool {
			ok := len(g.pieces) == 0 || yield(g)
			g = group{position: g.position + g.bytes, pieces: g.pieces[:0]}
			return ok
		}
		for offset, size := range p.pieces(p.position, p.end()) {
			for size > 0 {
				n := size
				if p.stream.dense == nil || size < span {
					n = min(size, span)
				}
				if len(g.pieces) > 0 && (offset < g.from || offset-g.to > widest || offset+n-g.from > span || len(g.pieces) == mostPieces) && !flush() {
					return
				}
				if len(g.pieces) == 0 {
					g.from, g.to = offset, offset
				}
				g.pieces = append(g.pieces, piece{offset, n})
				g.bytes, g.to = g.bytes+n, max(g.to, offset+n)
				offset, size = offset+n, size-n
			}
		}
		flush()
	}
}

// sieveWrite writes groups of pieces at once, with what is between them in the file. The part of the file is locked, and all
// others lock what they write.
func (f *File) sieveWrite(p part) (int64, error) {
	done := int64(0)
	for g := range p.groups(f.hints.Load().sieve) {
		if err := f.writeGroup(p, &g); err != nil {
			return done, err
		}
		done += g.bytes
	}
	return done, nil
}

func (f *File) writeGroup(p part, g *group) error {
	at := g.position - p.position
	if len(g.pieces) == 1 {
		_, err := f.os.WriteAt(p.stream.bytes(at, at+g.bytes), g.from)
		return err
	}
	data := f.buffer(g.to - g.from)
	defer f.recycle(data)
	if g.bytes < int64(len(data)) { // there are gaps
		n, err := readAt(f, data, g.from)
		if err != nil {
			return err
		}
		clear(data[n:])
	}
	for _, piece := range g.pieces {
		start := piece.offset - g.from
		p.stream.copyTo(data[start:start+piece.size], at)
		at += piece.size
	}
	_, err := f.os.WriteAt(data, g.from)
	return err
}
