package rank

import (
	"fmt"
	"maps"
	"slices"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// oneSidedOperations are what rank 0 does to so many elements of rank 1's memory, with a buffer.
var oneSidedOperations = map[string]func(w *mpi.Win[int64], buf []int64) error{
	"put":            func(w *mpi.Win[int64], buf []int64) error { return w.Put(buf, 1, 0) },
	"get":            func(w *mpi.Win[int64], buf []int64) error { return w.Get(buf, 1, 0) },
	"accumulate":     func(w *mpi.Win[int64], buf []int64) error { return w.Accumulate(buf, mpi.Sum, 1, 0) },
	"fetchandop":     func(w *mpi.Win[int64], buf []int64) error { return w.FetchAndOp(1, &buf[0], mpi.Sum, 1, 0) },
	"compareandswap": func(w *mpi.Win[int64], buf []int64) error { return w.CompareAndSwap(0, 1, &buf[0], 1, 0) },
}

// oneSided measures a one-sided operation, from the call that begins it to the return of the Flush that completes it. The target waits
// for a message meanwhile, so that a library which needs it to take part is at its best.
func oneSided(s *session) (Figures, error) {
	operation, known := oneSidedOperations[s.Operation]
	if !known {
		return nil, fmt.Errorf("%q is none of the one-sided operations %q", s.Operation, slices.Sorted(maps.Keys(oneSidedOperations)))
	}
	buf := make([]int64, max(s.Size/8, 1))
	w, err := mpi.WinAllocate[int64](s.world, len(buf))
	if err != nil {
		return nil, err
	}
	if err := w.LockAll(); err != nil {
		return nil, err
	}
	span, err := s.measure(func(n int) error {
		if !s.first() {
			return nil
		}
		for range n {
			if err := operation(w, buf); err != nil {
				return err
			}
			if err := w.Flush(1); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if err := w.UnlockAll(); err != nil {
		return nil, err
	}
	return span.figures(), w.Free()
}
