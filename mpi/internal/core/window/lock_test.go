package window

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Locks are had in the order in which they are asked for: a shared one does not overtake an exclusive one that waits.
func TestLocksAreGrantedInOrder(t *testing.T) {
	w := New(&Process{Transport: &deaf{}, Continuations: rpi.NewContinuations()}, pair{}, 0, 0, 6, nil)
	ask := func(rank int, v verb, l LockType) {
		w.mu.Lock()
		defer w.finish()
		w.take(w.peer(rank), header{verb: v, lock: l}, nil)
	}
	holders := func() (held []int) {
		for rank, p := range w.peers {
			if p != nil && p.held != noLock {
				held = append(held, rank)
			}
		}
		return held
	}
	ask(1, lock, Shared)
	ask(2, lock, Exclusive)
	ask(3, lock, Shared)
	ask(4, lock, Shared)
	ask(5, lock, Exclusive)
	require.Equal(t, []int{1}, holders())
	ask(1, lock, Shared) // an error, which changes nothing
	require.Equal(t, []int{1}, holders())
	ask(1, unlock, noLock)
	require.Equal(t, []int{2}, holders())
	w.mu.Lock()
	w.lose(w.peer(2), rpi.ErrClosed) // it dies
	w.lose(w.peer(5), rpi.ErrClosed)
	w.finish()
	require.Equal(t, []int{3, 4}, holders())
	require.Empty(t, w.grants.queue)
}
