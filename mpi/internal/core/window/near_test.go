package window

import (
	"context"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// near returns the window of rank 0 of three, which has rank 1's memory of 64 elements.
func near(t *testing.T) (w *Window, m *mail, memory []byte) {
	s, _, err := NewSegment(64*8, 1, 3, true)
	require.NoError(t, err)
	t.Cleanup(s.Close)
	w, m, _ = three(make([]byte, 8))
	w.Near(1, s, 0, s.Bytes(), 8)
	w.epochs.all = true // as if LockAll had been called
	return w, m, s.Bytes()
}

// An origin that has the target's memory operates there itself, and its operations are complete at once.
func TestMemoryThatIsNearNeedsNoMessages(t *testing.T) {
	w, m, memory := near(t)
	ctx, at := t.Context(), Place{Rank: 1, Disp: 2}
	el := Elements{Op: collective.BitXor, Kind: datatype.Uint8}
	into := make([]byte, 4)

	require.NoError(t, w.Put(ctx, "Put", []byte("data"), at, nil))
	require.Equal(t, "data", string(memory[16:20]))
	e := w.Event()
	require.NoError(t, w.Get(ctx, "Get", into, at, e))
	e.Started()
	require.True(t, e.Completed())
	require.Equal(t, "data", string(into))
	require.NoError(t, w.Accumulate(ctx, "Accumulate", []byte("data"), el, at))
	require.Equal(t, make([]byte, 4), memory[16:20])
	require.NoError(t, w.GetAccumulate(ctx, "GetAccumulate", []byte{1, 2, 3, 4}, into, el, at, nil))
	require.Equal(t, make([]byte, 4), into)
	require.Equal(t, []byte{1, 2, 3, 4}, memory[16:20])
	require.NoError(t, w.CompareAndSwap(ctx, "CompareAndSwap", []byte{1, 9}, into[:1], datatype.Uint8, at))
	require.EqualValues(t, 1, into[0])
	require.EqualValues(t, 9, memory[16])

	evens := Shape{Count: 4, Type: every(t, 2)}
	require.NoError(t, w.Shaped(ctx, "Put", []byte{5, 6, 7, 8}, Elements{}, at, evens, Result{}))
	require.Equal(t, []byte{5, 2, 6, 4, 7, 0, 8}, memory[16:23])
	require.NoError(t, w.Shaped(ctx, "Get", nil, Elements{}, at, evens, Result{Into: into}))
	require.Equal(t, []byte{5, 6, 7, 8}, into)

	require.NoError(t, w.Flush(ctx, "Flush", 1))
	require.Empty(t, m.sent)
}

// every is a type of one byte and a gap, so that elements are so many bytes apart.
func every(t *testing.T, bytes int64) *datatype.Type {
	spread, err := datatype.Resized(datatype.Basic(datatype.Uint8), 0, bytes)
	require.NoError(t, err)
	return spread
}

// What is wrong with an operation is told by the next synchronization, as of a target that is far.
func TestErrorsNearByAreThoseOfATarget(t *testing.T) {
	w, m, _ := near(t)
	ctx, beyond := t.Context(), Place{Rank: 1, Disp: 64}
	require.NoError(t, w.Put(ctx, "Put", []byte("data"), beyond, nil))
	require.NoError(t, w.Get(ctx, "Get", make([]byte, 4), beyond, nil))
	err := w.Flush(ctx, "Flush", 1)
	require.ErrorIs(t, err, rpi.ErrRMARange)
	require.ErrorContains(t, err, "at rank 1: 4 bytes from displacement 64 on are not within the window there, which has 64 units of 8 bytes")
	require.NoError(t, w.Flush(ctx, "Flush", 1), "it is told once")

	e := w.Event()
	require.NoError(t, w.Get(ctx, "Get", make([]byte, 4), beyond, e))
	e.Started()
	require.ErrorIs(t, e.Outcome("Get"), rpi.ErrRMARange)
	require.NoError(t, w.Flush(ctx, "Flush", 1), "a request has told it")
	require.Empty(t, m.sent)
}

// Messages are moved meanwhile, as a program may do nothing else until another rank has done something.
func TestOperationsNearByMoveMessages(t *testing.T) {
	w, m, _ := near(t)
	for range 10 * advanceEvery {
		require.NoError(t, w.Get(t.Context(), "Get", make([]byte, 4), Place{Rank: 1}, nil))
	}
	require.Equal(t, 10, m.advanced)
}

// Epochs with memory that is near are words in it. A rank that may be blocked gets a message, once.
func TestEpochsNearByNeedNoMessages(t *testing.T) {
	w, m, _ := near(t)
	w.epochs.all = false
	ctx, c := t.Context(), w.near[1].control
	require.EqualValues(t, 1, c.slots[0].attached.Load())
	require.NoError(t, w.Lock(ctx, "Lock", Exclusive, 1))
	require.Equal(t, []int{0}, c.holders())
	c.ask(1, Shared, false)
	c.ask(2, Shared, true) // by a message to rank 1
	require.NoError(t, w.Unlock(ctx, "Unlock", 1))
	require.Equal(t, []int{1, 2}, c.holders())
	require.Empty(t, m.sent)

	c.slots[0].posts.Add(1)
	require.NoError(t, w.Start(ctx, "Start", []int{1}))
	require.NoError(t, w.Put(ctx, "Put", []byte("data"), Place{Rank: 1}, nil))
	c.slots[1].asleep.Store(1)
	require.NoError(t, w.Complete(ctx, "Complete"))
	require.EqualValues(t, 1, c.slots[0].completions.Load())
	require.Len(t, m.sent, 1)
	require.Zero(t, c.slots[1].asleep.Load())
}

// An operation that waits for the latch of a process that has been stopped ends with its context, and messages are moved meanwhile.
func TestTheLatchOfAProcessThatIsStopped(t *testing.T) {
	w, m, memory := near(t)
	w.near[1].control.latch.Store(uint32(os.Getppid())) // as if it had been stopped amid an update
	ctx, cancel := context.WithCancel(t.Context())
	m.then = func() {
		if m.advanced > 3 {
			cancel()
		}
	}
	require.ErrorIs(t, w.Put(ctx, "Put", []byte("data"), Place{Rank: 1}, nil), rpi.ErrCancelled)
	require.Equal(t, make([]byte, 4), memory[:4])
	w.near[1].control.latch.Store(0)
	require.NoError(t, w.Put(t.Context(), "Put", []byte("data"), Place{Rank: 1}, nil))
}
