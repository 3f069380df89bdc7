package datatype

import (
	"encoding/binary"
	"errors"
	"math"
)

// MaxBinary is how many bytes AppendBinary makes at most, and Parse takes.
const MaxBinary = 16 << 20

// form is the first byte of what AppendBinary makes.
const form = 1

// maxDepth is how deep Parse follows lists. A valid type has no more.
const maxDepth = 62

// AppendBinary appends the loops and the bounds of t, so that another process can use it for its own memory (the target's
// datatype of one-sided operations). It fails if they take more than MaxBinary bytes.
func (t *Type) AppendBinary(b []byte) ([]byte, error) {
	start := len(b)
	b = append(b, form, byte(t.unit))
	b = append(b, byte(t.marked))
	if t.marked != 0 {
		b = binary.AppendVarint(binary.AppendVarint(b, t.low), t.high)
	}
	b, ok := t.list.appendBinary(b, start+MaxBinary)
	if !ok {
		return b[:start], invalid(ErrType, "%s has too many irregular blocks: their description has more than %d bytes", t.Name(), MaxBinary)
	}
	return b, nil
}

func (l *list) appendBinary(b []byte, limit int) ([]byte, bool) {
	b = binary.AppendUvarint(b, uint64(len(l.loops)))
	for i := range l.loops {
		p := &l.loops[i]
		b = append(b, byte(p.kind))
		b = binary.AppendUvarint(binary.AppendVarint(b, p.disp), uint64(p.count))
		if p.count > 1 {
			b = binary.AppendVarint(b, p.stride)
		}
		ok := true
		if p.body == nil {
			b = binary.AppendUvarint(b, uint64(p.size/kinds[p.kind].size))
		} else {
			b, ok = p.body.appendBinary(b, limit)
		}
		if !ok || len(b) > limit {
			return b, false
		}
	}
	return b, true
}

// Parse makes a committed type of what AppendBinary made, perhaps in a process that is not to be trusted. The memory and time
// that it takes are proportional to the length of b. What the type describes may lie anywhere: ask Span before using it.
func Parse(b []byte) (*Type, error) {
	t, err := parse(b)
	if err != nil {
		return nil, invalid(ErrType, "the description of a remote type: %v", err)
	}
	t.Commit()
	if t.unit != Invalid {
		unit := basics[t.unit].prepare()
		if t.Size() == 0 || t.pattern.one != unit.pattern.one || t.Size()%unit.Size() != 0 {
			return nil, invalid(ErrType, "the description of a remote type: it is not made of %v", t.unit)
		}
	}
	return t, nil
}

func parse(b []byte) (*Type, error) {
	if len(b) < 3 || len(b) > MaxBinary || b[0] != form {
		return nil, errors.New("wrong length or form")
	}
	t := &Type{unit: Kind(b[1]), contents: Contents{Combiner: CombinerParsed}}
	if t.unit != Invalid && !t.unit.Valid() {
		return nil, errors.New("unknown unit")
	}
	r := reader{rest: b[3:]}
	var a assembly
	switch marked := marks(b[2]); {
	case marked > lower|upper:
		return nil, errors.New("unknown form of bounds")
	case marked != 0:
		low, high := r.signed(), r.signed()
		a.mark(marked, low, high)
	}
	a.loops = r.list(&a.builder, 0).loops
	t.shape = a.shape()
	switch {
	case r.bad:
		return nil, errors.New("wrong numbers, or too few")
	case a.overflow:
		return nil, errors.New("its size, extent or a displacement does not fit into 64 bits")
	case len(r.rest) > 0:
		return nil, errors.New("too many bytes")
	}
	return t, nil
}

// reader takes numbers from bytes and notes whether one was wrong.
type reader struct {
	rest []byte
	bad  bool
}

func (r *reader) fail() int64 {
	r.bad, r.rest = true, nil
	return 0
}

func (r *reader) signed() int64 {
	v, n := binary.Varint(r.rest)
	if n <= 0 {
		return r.fail()
	}
	r.rest = r.rest[n:]
	return v
}

// unsigned reads a number of least or more.
func (r *reader) unsigned(least uint64) int64 {
	v, n := binary.Uvarint(r.rest)
	if n <= 0 || v < least || v > math.MaxInt64 {
		return r.fail()
	}
	r.rest = r.rest[n:]
	return int64(v)
}

func (r *reader) list(b *builder, depth int) *list {
	n := r.unsigned(0)
	if n > int64(len(r.rest))/4 || depth > maxDepth { // a loop takes four bytes at least
		r.fail()
		n = 0
	}
	var loops []loop
	for ; n > 0 && !r.bad && !b.overflow; n-- {
		kind := Invalid
		if len(r.rest) > 0 {
			kind, r.rest = Kind(r.rest[0]), r.rest[1:]
		}
		disp, count, stride := r.signed(), r.unsigned(1), int64(0)
		if count > 1 {
			stride = r.signed()
		}
		switch {
		case kind == Invalid && count > 1:
			loops = b.place(loops, r.list(b, depth+1), disp, count, stride)
		case kind.basic():
			size := b.mul(r.unsigned(1), kinds[kind].size)
			if r.bad {
				break
			}
			loops = b.push(loops, b.tidy(loop{disp: disp, count: count, stride: stride, size: size, kind: kind}))
		default:
			r.fail()
		}
	}
	return b.list(loops)
}
