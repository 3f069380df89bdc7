package datatype

import "math/bits"

// loop repeats a run of elements or a list of loops.
type loop struct {
	disp   int64 // of the first repetition
	count  int64 // of repetitions, at least 1
	stride int64 // bytes from one repetition to the next, 0 if there is one only
	size   int64 // packed bytes of one repetition
	body   *list // nil: a run of size bytes
	kind   Kind  // of the elements of a run
}

// list is what loops have in order. It does not change any more. Lists are nested at most 62 deep: a list in a loop is
// there twice at least, and the size of all has 63 bits.
type list struct {
	loops     []loop
	starts    []int64 // where each loop begins in the packed bytes; nil if there is one only
	size      int64   // packed bytes
	elements  int64
	external  int64 // bytes in external32
	low, high int64 // displacements of the first byte and behind the last one
	align     int64
	record    bool // all loops are short runs, of which there is one each
}

// builder makes lists and notes whether a number did not fit.
type builder struct {
	overflow bool
}

func (b *builder) add(x, y int64) int64 {
	sum := x + y
	if (x < 0) == (y < 0) && (sum < 0) != (x < 0) {
		b.overflow = true
	}
	return sum
}

func (b *builder) mul(x, y int64) int64 {
	product, ok := multiply(x, y)
	b.overflow = b.overflow || !ok
	return product
}

// multiply returns the product and whether it fits. The smallest int64 never does.
func multiply(x, y int64) (product int64, ok bool) {
	high, low := bits.Mul64(magnitude(x), magnitude(y))
	if high != 0 || low > 1<<63-1 {
		return 0, false
	}
	return x * y, true
}

func magnitude(x int64) uint64 {
	if x < 0 {
		return -uint64(x)
	}
	return uint64(x)
}

// roundUp is the next multiple of align, which is a power of two.
func roundUp(x, align int64) int64 { return (x + align - 1) &^ (align - 1) }

// place appends count copies of inner, the first at disp.
func (b *builder) place(dst []loop, inner *list, disp, count, stride int64) []loop {
	if count == 0 || inner.size == 0 {
		return dst
	}
	if count == 1 {
		for _, l := range inner.loops {
			l.disp = b.add(l.disp, disp)
			dst = b.push(dst, l)
		}
		return dst
	}
	if len(inner.loops) == 1 {
		l := inner.loops[0]
		l.disp = b.add(l.disp, disp)
		if l.count == 1 {
			l.count, l.stride = count, stride
			return b.push(dst, b.tidy(l))
		}
		if span, ok := multiply(l.count, l.stride); ok && span == stride {
			l.count = b.mul(l.count, count)
			return b.push(dst, l)
		}
	}
	return b.push(dst, loop{disp: disp, count: count, stride: stride, size: inner.size, body: inner})
}

// tidy makes one run of runs without gaps.
func (b *builder) tidy(l loop) loop {
	if l.body == nil && l.count > 1 && l.stride == l.size {
		l.size, l.count = b.mul(l.size, l.count), 1
	}
	if l.count == 1 {
		l.stride = 0
	}
	return l
}

// push appends l, or makes it part of the last loop if it continues that.
func (b *builder) push(dst []loop, l loop) []loop {
	if len(dst) == 0 {
		return append(dst, l)
	}
	p := &dst[len(dst)-1]
	if p.body != l.body || p.kind != l.kind {
		return append(dst, l)
	}
	switch {
	case p.body == nil && p.count == 1 && l.count == 1 && p.disp+p.size == l.disp:
		p.size = b.add(p.size, l.size)
	case p.size != l.size:
		return append(dst, l)
	case p.count > 1 && (l.count == 1 || l.stride == p.stride) && l.disp == p.disp+p.count*p.stride:
		p.count = b.add(p.count, l.count)
	case p.count == 1 && l.count > 1 && l.disp == p.disp+l.stride:
		p.count, p.stride = b.add(l.count, 1), l.stride
	default:
		return append(dst, l)
	}
	return dst
}

// alike reports whether two loops differ in their displacement only.
func (l loop) alike(m loop) bool {
	m.disp = l.disp
	return l == m
}

// steps makes loops of loops that are alike and at equal distances.
func (b *builder) steps(loops []loop) []loop {
	out := loops[:0]
	for i := 0; i < len(loops); {
		l, n := loops[i], 1
		var stride int64
		for i+n < len(loops) && l.alike(loops[i+n]) {
			step := loops[i+n].disp - loops[i+n-1].disp
			if n > 1 && step != stride {
				break
			}
			stride = step
			n++
		}
		switch {
		case n == 1:
		case l.count == 1:
			l.count, l.stride = int64(n), stride
			l = b.tidy(l)
		default:
			inner := l
			inner.disp = 0
			body := b.list([]loop{inner})
			l = loop{disp: l.disp, count: int64(n), stride: stride, size: body.size, body: body}
		}
		i += n
		out = append(out, l)
	}
	return out
}

// list ends the making of a list. It takes the loops over.
func (b *builder) list(loops []loop) *list {
	for n := len(loops) + 1; len(loops) > 1 && len(loops) < n; {
		n = len(loops)
		loops = b.steps(loops)
	}
	l := &list{loops: loops, align: 1, record: true}
	if len(loops) > 1 {
		l.starts = make([]int64, len(loops))
	}
	for i, p := range loops {
		low, high, elements, external := int64(0), p.size, int64(0), int64(0)
		l.record = l.record && p.body == nil && p.count == 1 && p.size <= short
		if p.body == nil {
			l.align = max(l.align, kinds[p.kind].align)
			elements = p.size / kinds[p.kind].size
			external = elements * kinds[p.kind].external
		} else {
			low, high, elements, external = p.body.low, p.body.high, p.body.elements, p.body.external
			l.align = max(l.align, p.body.align)
		}
		last := b.mul(p.count-1, p.stride)
		low = b.add(p.disp, b.add(low, min(0, last)))
		high = b.add(p.disp, b.add(high, max(0, last)))
		if i == 0 {
			l.low, l.high = low, high
		} else {
			l.starts[i] = l.size
			l.low, l.high = min(l.low, low), max(l.high, high)
		}
		l.size = b.add(l.size, b.mul(p.count, p.size))
		l.elements = b.add(l.elements, b.mul(p.count, elements))
		l.external = b.add(l.external, b.mul(p.count, external))
	}
	return l
}

// erase returns l without kinds: what touches is one run. Lists that are in several places are done once.
func (b *builder) erase(l *list, done map[*list]*list) *list {
	if e, ok := done[l]; ok {
		return e
	}
	var loops []loop
	for _, p := range l.loops {
		if p.body != nil {
			loops = b.place(loops, b.erase(p.body, done), p.disp, p.count, p.stride)
			continue
		}
		p.kind = Byte
		loops = b.push(loops, p)
	}
	e := b.list(loops)
	done[l] = e
	return e
}
