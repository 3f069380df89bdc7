package rank

import (
	"context"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// The CPU-overlap test of Bell et al., "An Evaluation of Current High-Performance
// Networks" (2003): a rank that computes between its messages, longer than the gap between
// them, takes its computation and its own part of the work for a message, the overhead.

// overheadWindow is so large that the answer at its end does not count.
const overheadWindow = 512

// sendOverhead has the first rank compute between sends.
func sendOverhead(s *session) (Figures, error) {
	units, alone, err := s.longerThanGap()
	if err != nil {
		return nil, err
	}
	f := newFlooder(s, 0)
	return s.overhead(alone, func() error {
		if !s.first() {
			return f.window()
		}
		f.requests = f.requests[:0]
		for range s.Window {
			if err := f.add(mpi.Isend(s.world, f.out, s.peer(), tagWork)); err != nil {
				return err
			}
			compute(units)
		}
		if _, err := mpi.WaitAll(context.Background(), f.requests...); err != nil {
			return err
		}
		return f.answer()
	})
}

// receiveOverhead has the first rank compute between receives, while the other floods it.
func receiveOverhead(s *session) (Figures, error) {
	units, alone, err := s.longerThanGap()
	if err != nil {
		return nil, err
	}
	f := newFlooder(s, 0)
	f.sends, f.receives = f.receives, f.sends // the first rank has the clock
	f.in, f.out = nil, make([]byte, s.Size)
	in := make([]byte, s.Size*s.Window)
	return s.overhead(alone, func() error {
		if !s.first() {
			return f.window()
		}
		f.requests = f.requests[:0]
		for i := range s.Window {
			if err := f.add(mpi.Irecv(s.world, in[i*s.Size:(i+1)*s.Size], s.peer(), tagWork)); err != nil {
				return err
			}
		}
		for _, r := range f.requests {
			compute(units)
			if _, err := r.Wait(context.Background()); err != nil {
				return err
			}
		}
		return f.answer()
	})
}

// longerThanGap finds the gap, and how much to compute that takes several times as long:
// in units, and in time with nothing else.
func (s *session) longerThanGap() (units int, alone time.Duration, err error) {
	s.Window = overheadWindow
	f := newFlooder(s, 0)
	span, err := s.measure(func(n int) error {
		for range n {
			if err := f.window(); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil || !s.first() {
		return 0, 0, err
	}
	gap := span.wall / time.Duration(span.count*s.Window)
	units = max(inUnits(4*gap), 1)
	return units, time.Duration(units) * unit(), nil
}

// overhead measures windows in which the first rank computes for the time alone at each
// message.
func (s *session) overhead(alone time.Duration, window func() error) (Figures, error) {
	span, err := s.measure(func(n int) error {
		for range n {
			if err := window(); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	f := span.figures()
	f["overhead_us"] = span.each()/float64(s.Window) - alone.Seconds()*1e6
	return f, nil
}
