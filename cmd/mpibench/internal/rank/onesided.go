package rank

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// oneSidedOperations are what rank 0 does to so many elements of rank 1's memory, with a buffer. Flush completes each.
var oneSidedOperations = map[string]func(w *mpi.Win[int64], buf []int64) error{
	"put":            func(w *mpi.Win[int64], buf []int64) error { return w.Put(buf, 1, 0) },
	"get":            func(w *mpi.Win[int64], buf []int64) error { return w.Get(buf, 1, 0) },
	"accumulate":     func(w *mpi.Win[int64], buf []int64) error { return w.Accumulate(buf, mpi.Sum, 1, 0) },
	"fetchandop":     func(w *mpi.Win[int64], buf []int64) error { return w.FetchAndOp(1, &buf[0], mpi.Sum, 1, 0) },
	"compareandswap": func(w *mpi.Win[int64], buf []int64) error { return w.CompareAndSwap(0, 1, &buf[0], 1, 0) },
}

// oneSidedEpochs are epochs in which rank 0 puts a buffer into rank 1's memory. Both ranks call them.
var oneSidedEpochs = map[string]func(s *session, w *mpi.Win[int64], buf []int64, peer *mpi.Group) error{
	"lock":   putLocked,
	"fence":  putFenced,
	"groups": putPosted,
}

func putLocked(s *session, w *mpi.Win[int64], buf []int64, _ *mpi.Group) error {
	if !s.first() {
		return nil
	}
	return errors.Join(w.Lock(mpi.LockExclusive, 1), w.Put(buf, 1, 0), w.Unlock(1))
}

func putFenced(s *session, w *mpi.Win[int64], buf []int64, _ *mpi.Group) error {
	if !s.first() {
		return w.Fence()
	}
	return errors.Join(w.Put(buf, 1, 0), w.Fence())
}

func putPosted(s *session, w *mpi.Win[int64], buf []int64, peer *mpi.Group) error {
	if !s.first() {
		return errors.Join(w.Post(peer), w.Wait())
	}
	return errors.Join(w.Start(peer), w.Put(buf, 1, 0), w.Complete())
}

// oneSided measures a one-sided operation, from the call that begins it to the return of the Flush that completes it, or an epoch with a Put.
// Where the target need not take part it waits for a message meanwhile, so that a library which needs it is at its best.
func oneSided(s *session) (Figures, error) {
	operation, epoch := oneSidedOperations[s.Operation], oneSidedEpochs[s.Operation]
	if operation == nil && epoch == nil {
		known := slices.AppendSeq(slices.Sorted(maps.Keys(oneSidedOperations)), maps.Keys(oneSidedEpochs))
		return nil, fmt.Errorf("%q is none of the one-sided operations and epochs %q", s.Operation, known)
	}
	buf := make([]int64, max(s.Size/8, 1))
	w, err := mpi.WinAllocate[int64](s.world, len(buf))
	if err != nil {
		return nil, err
	}
	var step func(n int) error
	if operation != nil {
		if err := w.LockAll(); err != nil {
			return nil, err
		}
		step = func(n int) error { return flushed(s, w, n, func() error { return operation(w, buf) }) }
	} else {
		peer, err := s.world.Group().Include(s.peer())
		if err != nil {
			return nil, err
		}
		if s.Operation == "fence" {
			if err := w.Fence(); err != nil {
				return nil, err
			}
		}
		step = func(n int) error { return repeat(n, func() error { return epoch(s, w, buf, peer) }) }
	}
	span, err := s.measure(step)
	switch {
	case err != nil:
		return nil, err
	case operation != nil:
		err = w.UnlockAll()
	case s.Operation == "fence":
		err = w.Fence(mpi.NoSucceed)
	}
	if err != nil {
		return nil, err
	}
	return span.figures(), w.Free()
}

// flushed has rank 0 do an operation so many times, with a Flush after each.
func flushed(s *session, w *mpi.Win[int64], n int, operation func() error) error {
	if !s.first() {
		return nil
	}
	return repeat(n, func() error { return errors.Join(operation(), w.Flush(1)) })
}

// repeat calls f so many times, until it fails.
func repeat(n int, f func() error) error {
	for range n {
		if err := f(); err != nil {
			return err
		}
	}
	return nil
}
