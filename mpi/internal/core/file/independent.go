package file

import (
	"errors"
	"io"
)

// part is an access: bytes from a position of a view, from or to a stream.
type part struct {
	*view
	position int64
	stream   *stream
}

// end is the position after the last byte.
func (p *part) end() int64 { return p.position + p.stream.size }

// bounds are where the access begins and ends in the file. It is not empty.
func (p *part) bounds() (from, to int64) {
	from, to = p.offset(p.position), p.offset(p.end()-1)+1
	if p.overlaps { // an earlier piece may end behind the last one
		to = p.disp + (p.end()-1)/p.size*p.extent + p.first + p.filetype.TrueExtent()
	}
	return from, to
}

// chunk is how many bytes of memory that is not dense are packed at once.
const chunk = 1 << 20

// write writes the access, and returns how many bytes of the stream are in the file.
func (f *File) write(p part) (int64, error) {
	if p.stream.size == 0 {
		return 0, nil
	}
	f.dirty.Store(true)
	sieves := f.hints.Load().sieveWrites
	if f.atomic.Load() || sieves {
		release, err := f.exclude(true, p)
		if err != nil {
			return 0, err
		}
		defer release()
	}
	if sieves && f.readable {
		return f.sieveWrite(p)
	}
	step := p.stream.size
	if p.stream.dense == nil {
		step = chunk
	}
	for done := int64(0); done < p.stream.size; {
		from := done
		data := p.stream.bytes(from, min(from+step, p.stream.size))
		for offset, n := range p.pieces(p.position+from, p.position+from+int64(len(data))) {
			written, err := f.os.WriteAt(data[done-from:done-from+n], offset)
			done += int64(written)
			if err != nil {
				return done, err
			}
		}
	}
	return p.stream.size, nil
}

// read reads the access, and returns how many bytes of the stream were in the file.
func (f *File) read(p part) (int64, error) {
	if p.stream.size == 0 {
		return 0, nil
	}
	if f.atomic.Load() {
		release, err := f.exclude(false, p)
		if err != nil {
			return 0, err
		}
		defer release()
	}
	done := int64(0)
	for g := range p.groups(f.hints.Load().sieve) {
		n, err := f.readGroup(p, &g)
		done += n
		if err != nil || n < g.bytes {
			return done, err
		}
	}
	return done, nil
}

// readGroup reads one group, and returns how many of its bytes were in the file.
func (f *File) readGroup(p part, g *group) (int64, error) {
	into := f.buffer
	direct := len(g.pieces) == 1 && p.stream.dense != nil
	if direct {
		start := g.position - p.position
		into = func(int64) []byte { return p.stream.dense[start : start+g.bytes] }
	}
	data := into(g.to - g.from)
	if !direct {
		defer f.recycle(data)
	}
	n, err := readAt(f, data, g.from)
	if err != nil || direct {
		return n, err
	}
	done, at := int64(0), g.position-p.position
	for _, piece := range g.pieces {
		start := piece.offset - g.from
		there := min(piece.size, max(0, n-start))
		p.stream.set(at+done, data[start:start+there])
		done += there
		if there < piece.size {
			break
		}
	}
	return done, nil
}

// readAt reads what there is of data. The end of the file is no error.
func readAt(f *File, data []byte, offset int64) (int64, error) {
	n, err := f.os.ReadAt(data, offset)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return int64(n), err
}

// exclude keeps others from the part of the file in which p is. In one process the operations of a file wait for each other, as
// the lock is that of the open file.
func (f *File) exclude(write bool, p part) (release func(), err error) {
	from, to := p.bounds()
	f.exclusion.Lock()
	if err := lock(f.os, write, from, to); err != nil {
		f.exclusion.Unlock()
		return nil, err
	}
	return func() {
		_ = unlock(f.os, from, to) // the range was locked, so there is nothing to fail
		f.exclusion.Unlock()
	}, nil
}
