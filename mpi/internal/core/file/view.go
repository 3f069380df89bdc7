package file

import (
	"iter"
	"math/bits"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// view is what a rank sees of the file: copies of the filetype, one after the other, from disp on. A position is a byte of
// that, from 0; an offset is a byte of the file. Positions that follow each other have offsets that do too, with gaps.
type view struct {
	disp     int64
	etype    *datatype.Type // of the view of another rank bytes instead
	rep      Datarep
	unit     int64 // bytes of the etype
	filetype *datatype.Type
	size     int64 // of the filetype, in the view
	extent   int64 // of the filetype, in the file
	first    int64 // displacement of its first byte
	parts    int64 // pieces of the filetype
	dense    bool  // there are no gaps
	overlaps bool  // some bytes of the file have several positions, which only readers may have
}

// farthest is the offset that no access may reach: some numbers like it can be added.
const farthest = 1 << 60

// mostLoops bounds the blocks that are written one by one in a filetype, each of which is looked at: so many take less than a second.
const mostLoops = 1 << 27

// newView checks etype and filetype as the standard demands it (section 14.3).
func newView(op string, disp int64, etype, filetype *datatype.Type, rep Datarep, writes bool) (*view, error) {
	v := &view{disp: disp, etype: etype, rep: rep, unit: etype.Size(), filetype: filetype, size: filetype.Size(), extent: filetype.Extent()}
	wrong := func(format string, args ...any) (*view, error) {
		return nil, mpierr.Invalid(op, rpi.ErrArg, format, args...)
	}
	switch {
	case disp < 0 || disp >= farthest:
		return wrong("the displacement is %d", disp)
	case v.unit == 0 || v.size == 0:
		return wrong("the etype has %s, the filetype %d: both need some", mpierr.Plural(int(v.unit), "byte"), v.size)
	case v.size%v.unit != 0:
		return wrong("the filetype has %d bytes, the etype %d: a filetype is made of whole etypes", v.size, v.unit)
	case v.extent <= 0 || v.extent > farthest || filetype.TrueExtent() > farthest || filetype.TrueLowerBound() > farthest:
		return wrong("the filetype has an extent of %d bytes, the bytes in it %d, from %d on", v.extent, filetype.TrueExtent(), filetype.TrueLowerBound())
	}
	v.dense = filetype.Dense()
	order, known := filetype.PieceOrder(mostLoops)
	switch low := filetype.TrueLowerBound(); {
	case low < 0:
		return wrong("the filetype has a displacement of %d, before the beginning of the view", low)
	case !known:
		return wrong("the filetype is made of more than %d blocks: make it of fewer, longer ones", mostLoops)
	case order.Descends:
		return wrong("the filetype has a displacement of %d after one of %d: they must not decrease", order.At, order.After)
	}
	v.first, v.parts = order.First, order.Pieces
	next := order.First + v.extent // of the next copy of the filetype
	if next < order.Last {
		return wrong("a copy of the filetype begins %d bytes after the one before, which has a displacement of %d after its first", v.extent, order.Last-order.First)
	}
	v.overlaps = order.Overlaps || next < order.End
	if v.overlaps && writes {
		return wrong("the filetype has bytes of the file several times, which is for files that are only read")
	}
	return v, nil
}

// reaches reports whether all positions before end have offsets.
func (v *view) reaches(end int64) bool {
	high, low := bits.Mul64(uint64(end/v.size)+1, uint64(v.extent))
	return high == 0 && low < farthest && v.disp+int64(low)+v.first+v.filetype.TrueExtent() < farthest
}

// offset is where a position is in the file.
func (v *view) offset(position int64) int64 {
	if v.dense {
		return v.disp + position
	}
	tile := position / v.size
	position -= tile * v.size
	for at := range v.filetype.Pieces(1, position, position+1) {
		return v.disp + tile*v.extent + at
	}
	return 0 // not reached: the position is within the filetype
}

// before is the first of the positions from low to high whose offset is not less than offset, else high. The view has no
// overlaps.
func (v *view) before(offset, low, high int64) int64 {
	var p int64
	switch tile := (offset - v.disp - v.first) / v.extent; {
	case offset <= v.disp+v.first:
	case v.dense:
		p = offset - v.disp
	default:
		// All of the tiles before is before offset, and nothing of the next one.
		p = tile * v.size
		for end := p + v.size; p < end; {
			if middle := p + (end-p)/2; v.offset(middle) < offset {
				p = middle + 1
			} else {
				end = middle
			}
		}
	}
	return min(max(p, low), high)
}

// pieces are the parts of the file from position from to position to: offset and length. Those that touch are one.
func (v *view) pieces(from, to int64) iter.Seq2[int64, int64] {
	return func(yield func(offset, size int64) bool) {
		if from >= to {
			return
		}
		if v.dense {
			yield(v.disp+from, to-from)
			return
		}
		tile := from / v.size
		base, skip := v.disp+tile*v.extent, tile*v.size
		at, size := int64(0), int64(0)
		for disp, n := range v.filetype.Pieces((to-1)/v.size-tile+1, from-skip, to-skip) {
			switch {
			case size > 0 && base+disp == at+size:
				size += n
				continue
			case size > 0 && !yield(at, size):
				return
			}
			at, size = base+disp, n
		}
		if size > 0 {
			yield(at, size)
		}
	}
}
