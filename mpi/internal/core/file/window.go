package file

import (
	"iter"
	"math/bits"
)

// window is the part of the file that an aggregator has in memory.
type window struct {
	at   int64
	data []byte
	// covered has a bit for each byte that some rank has written.
	covered []uint64
}

// reset makes w the bytes from at to end, of which none is covered.
func (w *window) reset(at, end int64) {
	n := int(end - at)
	if cap(w.data) < n {
		w.data = make([]byte, n)
		w.covered = make([]uint64, (n+63)/64)
	}
	w.at, w.data, w.covered = at, w.data[:n], w.covered[:(n+63)/64]
	clear(w.covered)
}

// put copies b to an offset, and covers it.
func (w *window) put(offset int64, b []byte) {
	from := int(offset - w.at)
	copy(w.data[from:], b)
	to := from + len(b)
	first, last := from/64, (to-1)/64
	low, high := ^uint64(0)<<(from%64), ^uint64(0)>>(63-(to-1)%64)
	if first == last {
		w.covered[first] |= low & high
		return
	}
	w.covered[first] |= low
	for i := first + 1; i < last; i++ {
		w.covered[i] = ^uint64(0)
	}
	w.covered[last] |= high
}

// runs are the parts that are covered: from where to where in data.
func (w *window) runs() iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		for from := w.next(0, 0); from < len(w.data); {
			to := w.next(from, ^uint64(0))
			if !yield(from, to) {
				return
			}
			from = w.next(to, 0)
		}
	}
}

// next is the first byte from i on whose bit differs from those of same, which are all 0 or all 1; the end if there is none.
func (w *window) next(i int, same uint64) int {
	for i < len(w.data) {
		if word := (w.covered[i/64] ^ same) >> (i % 64); word != 0 {
			return min(i+bits.TrailingZeros64(word), len(w.data))
		}
		i = (i/64 + 1) * 64
	}
	return len(w.data)
}
