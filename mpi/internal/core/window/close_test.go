package window

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// slow is a transport that cancels what it has, and calls before when it is about to get something.
type slow struct {
	deaf
	before func()
}

func (s *slow) Start(r *rpi.Request) {
	if f := s.before; f != nil {
		s.before = nil
		f()
	}
	s.deaf.Start(r)
}

func (s *slow) Cancel(r *rpi.Request) {
	if slices.Contains(s.started, r) && !r.Completed() {
		r.Status.Cancelled = true
		r.Complete(nil)
	}
}

func (s *slow) Release(matching.Context) {}

// One goroutine closes the window while another one is about to start a receive of it, which must not stay.
func TestWhatIsCancelledBeforeItsStartEnds(t *testing.T) {
	s := &slow{}
	w := New(&Process{Transport: s, Continuations: rpi.NewContinuations()}, pair{}, 0, 0, 2, nil)
	s.before = func() {
		w.mu.Lock()
		w.cancel(w.peers[1].watch)
		w.finish()
	}
	w.mu.Lock()
	p := w.peer(1)
	w.finish()
	require.Nil(t, p.watch)
	w.Close() // the transport has no Await: it does not wait
	require.Zero(t, w.open)
}
