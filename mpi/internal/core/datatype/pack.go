package datatype

import (
	"sort"
	"unsafe"
)

// Pack copies what count elements at src hold into dst, in the order of sending: the bytes of the message from offset on,
// until dst is full or the message ends. It returns how many it copied. The memory must be that of Span, and count one for
// which Span has no error.
func (t *Type) Pack(dst []byte, src unsafe.Pointer, count, offset int64) int {
	return t.copy(dst, src, count, offset, false)
}

// Unpack is the opposite of Pack: it copies src to the elements at dst, as the bytes of the message from offset on.
func (t *Type) Unpack(dst unsafe.Pointer, count, offset int64, src []byte) int {
	return t.copy(src, dst, count, offset, true)
}

func (t *Type) copy(packed []byte, memory unsafe.Pointer, count, offset int64, unpack bool) int {
	total := count * t.Size()
	if count <= 0 || offset < 0 || offset >= total {
		return 0
	}
	if int64(len(packed)) > total-offset {
		packed = packed[:total-offset]
	}
	c := copier{packed, memory, unpack}
	l := t.times(count)
	c.loop(&l, 0, offset)
	return len(packed)
}

// copier copies between a packed message and memory.
type copier struct {
	packed []byte // what remains
	memory unsafe.Pointer
	unpack bool
}

// list copies a list at at, without its first skip bytes.
func (c *copier) list(l *list, at, skip int64) {
	i := l.find(&skip)
	for ; i < len(l.loops) && len(c.packed) > 0; i++ {
		p := &l.loops[i]
		if p.body == nil && p.count == 1 && skip == 0 && p.size <= int64(len(c.packed)) {
			c.run(at+p.disp, p.size)
			continue
		}
		c.loop(p, at, skip)
		skip = 0
	}
}

// find is the loop in which the byte skip of l is. It makes skip that within the loop.
func (l *list) find(skip *int64) int {
	if *skip == 0 || l.starts == nil {
		return 0
	}
	i := sort.Search(len(l.starts), func(i int) bool { return l.starts[i] > *skip }) - 1
	*skip -= l.starts[i]
	return i
}

func (c *copier) loop(l *loop, at, skip int64) {
	at += l.disp
	i := int64(0)
	if skip > 0 {
		i = skip / l.size
		skip -= i * l.size
	}
	at += i * l.stride
	if l.body != nil {
		if skip == 0 && l.body.record {
			n := min(l.count-i, int64(len(c.packed))/l.size)
			c.records(l.body.loops, at, l.stride, l.size, n)
			at += n * l.stride
			i += n
		}
		for ; i < l.count && len(c.packed) > 0; i++ {
			c.list(l.body, at, skip)
			at += l.stride
			skip = 0
		}
		return
	}
	if skip > 0 {
		c.run(at+skip, min(l.size-skip, int64(len(c.packed))))
		at += l.stride
		i++
	}
	if n := min(l.count-i, int64(len(c.packed))/l.size); n > 0 {
		c.runs(at, l.stride, l.size, n)
		at += n * l.stride
		i += n
	}
	if i < l.count && len(c.packed) > 0 {
		c.run(at, int64(len(c.packed)))
	}
}

// run copies one run of size bytes.
//
//go:nocheckptr
func (c *copier) run(at, size int64) {
	memory := unsafe.Slice((*byte)(unsafe.Add(c.memory, at)), size)
	if c.unpack {
		copy(memory, c.packed)
	} else {
		copy(c.packed, memory)
	}
	c.packed = c.packed[size:]
}

// short is how long a run may be that is copied in registers, in bytes.
const short = 64

// chunk is how many short runs are copied part by part: few enough to stay in the processor's cache.
const chunk = 32

// runs copies n runs of size bytes.
func (c *copier) runs(at, stride, size, n int64) {
	switch {
	case size <= 16 && size&(size-1) == 0:
		c.columns(0, size, at, stride, n, size)
		c.packed = c.packed[n*size:]
		return
	case size <= short:
		run := [...]loop{{size: size}}
		c.records(run[:], at, stride, size, n)
		return
	}
	for i := range n {
		c.run(at+i*stride, size)
	}
}

// records copies n records of size bytes, of which each is some short runs.
func (c *copier) records(runs []loop, at, stride, size, n int64) {
	for n > 0 {
		part, packed := min(n, chunk), int64(0)
		for i := range runs {
			memory := at + runs[i].disp
			for left := runs[i].size; left > 0; {
				width := c.columns(packed, size, memory, stride, part, left)
				packed, memory, left = packed+width, memory+width, left-width
			}
		}
		c.packed = c.packed[part*size:]
		at += part * stride
		n -= part
	}
}

// columns copies n values, each step bytes in the packed bytes and each stride bytes in memory. They are as wide as
// possible, and not wider than most: it returns how wide.
func (c *copier) columns(packed, step, at, stride, n, most int64) int64 {
	p := unsafe.Pointer(unsafe.SliceData(c.packed))
	switch {
	case most >= 16:
		return move[[2]uint64](p, c.memory, packed, step, at, stride, n, c.unpack)
	case most >= 8:
		return move[uint64](p, c.memory, packed, step, at, stride, n, c.unpack)
	case most >= 4:
		return move[uint32](p, c.memory, packed, step, at, stride, n, c.unpack)
	case most >= 2:
		return move[uint16](p, c.memory, packed, step, at, stride, n, c.unpack)
	}
	return move[uint8](p, c.memory, packed, step, at, stride, n, c.unpack)
}

// move copies n values and returns their size. No pointer is made to what is not copied: the garbage collector might see one
// beyond the buffer's end.
//
//go:nocheckptr
func move[T any](packed, memory unsafe.Pointer, to, step, at, stride, n int64, unpack bool) int64 {
	if unpack {
		for ; n > 0; n-- {
			*(*T)(unsafe.Add(memory, at)) = *(*T)(unsafe.Add(packed, to))
			at, to = at+stride, to+step
		}
	} else {
		for ; n > 0; n-- {
			*(*T)(unsafe.Add(packed, to)) = *(*T)(unsafe.Add(memory, at))
			at, to = at+stride, to+step
		}
	}
	return int64(unsafe.Sizeof(*(*T)(nil)))
}
