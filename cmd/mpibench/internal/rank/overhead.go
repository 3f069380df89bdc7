package rank

import (
	"context"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// The CPU-overlap test of Bell et al., "An Evaluation of Current High-Performance Networks" (2003):
// a rank computes between its messages, longer than the gap between them. The time per message is
// then that of the computation and of the rank's own work for the message, the overhead.

// overheadWindow is so large that the answer at the end of a window is negligible.
const overheadWindow = 512

// sendOverhead measures with a first rank that computes between its sends.
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

// receiveOverhead measures with a first rank that computes between its receives, while the other
// rank floods it.
func receiveOverhead(s *session) (Figures, error) {
	units, alone, err := s.longerThanGap()
	if err != nil {
		return nil, err
	}
	f := newFlooder(s, 0)
	f.sends, f.receives = f.receives, f.sends // rank 0, which has the clock, receives
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

// longerThanGap measures the gap, and returns a computation that takes several times as long: in
// units, and as its time on an otherwise idle core.
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

// overhead measures windows. With each message the first rank computes, which takes the time alone
// on an otherwise idle core.
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
