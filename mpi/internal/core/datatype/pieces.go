package datatype

import (
	"iter"
	"unsafe"
)

// Pieces are the pieces of memory of which bytes from to to of a message of count elements consist, in the order of sending:
// displacement and length in bytes. Pieces that touch within the type are one; where two elements of it touch they may be
// two. What is said of count at Pack holds here too.
func (t *Type) Pieces(count, from, to int64) iter.Seq2[int64, int64] {
	return func(yield func(disp, size int64) bool) {
		if count <= 0 || t.Size() == 0 {
			return
		}
		w := walker{left: min(to, count*t.Size()) - from, yield: yield}
		if from < 0 || w.left <= 0 {
			return
		}
		l := t.times(count)
		w.loop(&l, 0, from)
	}
}

// Gather appends the pieces of a message of count elements at memory, from the byte offset on, to pieces. It stops after
// limit bytes, and when pieces has most entries, and returns how many bytes it has appended. Unpacking is done through the
// same pieces. See Pack for count and memory.
//
//go:nocheckptr
func (t *Type) Gather(pieces [][]byte, memory unsafe.Pointer, count, offset, limit int64, most int) ([][]byte, int64) {
	limit = min(limit, count*t.Size()-offset)
	bytes, end := int64(0), int64(0)
	for disp, size := range t.Pieces(count, offset, offset+limit) {
		switch last := len(pieces) - 1; {
		case bytes > 0 && disp == end:
			pieces[last] = unsafe.Slice(unsafe.SliceData(pieces[last]), int64(len(pieces[last]))+size)
		case len(pieces) >= most:
			return pieces, bytes
		default:
			pieces = append(pieces, unsafe.Slice((*byte)(unsafe.Add(memory, disp)), size))
		}
		bytes, end = bytes+size, disp+size
	}
	return pieces, bytes
}

// walker visits runs. It is copier without the copying.
type walker struct {
	left  int64 // bytes still to visit
	yield func(disp, size int64) bool
}

func (w *walker) list(l *list, at, skip int64) {
	for i := l.find(&skip); i < len(l.loops) && w.left > 0; i++ {
		w.loop(&l.loops[i], at, skip)
		skip = 0
	}
}

func (w *walker) loop(l *loop, at, skip int64) {
	i := skip / l.size
	skip -= i * l.size
	at += l.disp + i*l.stride
	for ; i < l.count && w.left > 0; i++ {
		if l.body != nil {
			w.list(l.body, at, skip)
		} else {
			size := min(l.size-skip, w.left)
			w.left -= size
			if !w.yield(at+skip, size) {
				w.left = 0
			}
		}
		at += l.stride
		skip = 0
	}
}
