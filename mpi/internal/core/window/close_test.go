package window

import (
	"context"
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

func (s *slow) AwaitRequest(ctx context.Context, r *rpi.Request, _ func(*rpi.Request) error) error {
	if r.Completed() {
		return nil
	}
	return context.Cause(ctx)
}

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

// A Flush that is given up before it could ask the target leaves the next one to do so.
func TestAFlushThatIsGivenUpIsStillToBeDone(t *testing.T) {
	s := &slow{}
	w := New(&Process{Transport: s, Continuations: rpi.NewContinuations()}, pair{}, 0, 0, 2, nil)
	w.mu.Lock()
	p := w.peer(1)
	p.access.lock, p.sending = Shared, maxSending // there is no room for another message
	w.finish()
	p.unsure.Store(true)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, w.Flush(ctx, "Flush", 1), rpi.ErrCancelled)
	require.True(t, p.unsure.Load())
	w.mu.Lock()
	p.sending = 0
	w.finish()
	before := len(s.started)
	require.ErrorIs(t, w.Flush(ctx, "Flush", 1), rpi.ErrCancelled, "now it waits for the answer")
	require.Len(t, s.started[before:], 1)
}

// A message that wakes a rank may still be on its way when that one has seen what it tells of. Settle waits for it; and if the rank has closed the
// window all the same, as another one is gone, Close withdraws it.
func TestAStirThatIsNotReceivedIsWithdrawn(t *testing.T) {
	s := &slow{}
	w := New(&Process{Transport: s, Continuations: rpi.NewContinuations()}, pair{}, 0, 0, 2, nil)
	w.mu.Lock()
	c := w.control()
	c.slots[1].asleep.Store(1)
	w.wake(c, 1)
	w.finish()
	require.Len(t, w.stirs, 1)
	require.Equal(t, rpi.Synchronous, w.stirs[0].Mode)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.Error(t, w.Settle(ctx))
	w.Close()
	require.Empty(t, w.stirs)
	require.Zero(t, w.open)
}
