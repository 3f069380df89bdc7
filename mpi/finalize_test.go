package mpi_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// MPI 4.1, section 11.2: all messages are received before Finalize. What was
// not is named.
func TestFinalizeNamesMessagesThatWereNeverReceived(t *testing.T) {
	forEachTransport(t, func(t *testing.T, options ...mpi.Option) {
		err := mpi.RunLocal(3, func(world *mpi.Comm) error {
			if world.Rank() == 2 {
				for _, tag := range []int{0, 0, 7} {
					require.NoError(t, mpi.Send(world, []int{1}, 1, tag))
				}
			}
			return nil
		}, options...)
		require.ErrorIs(t, err, mpi.ErrOther)
		// Where messages stay in the kernel, a tag's second one has not been seen.
		require.Regexp(t, `^rank 1: mpi.Finalize: [12] messages? from rank 2, tag 0; 1 message from rank 2, tag 7, were never received$`, err.Error())
	})
}

// A collective that other ranks have not called, and that did not need them, is noticed in
// the end.
func TestFinalizeNamesCollectivesThatDidNotMeet(t *testing.T) {
	forEachTransport(t, func(t *testing.T, options ...mpi.Option) {
		err := mpi.RunLocal(2, func(world *mpi.Comm) error {
			return mpi.Bcast(world, []int{1}, world.Rank())
		}, options...)
		for _, text := range []string{"rank 0: mpi.Finalize: rank 1 called Bcast, and", "rank 1: mpi.Finalize: rank 0 called Bcast, and"} {
			require.ErrorContains(t, err, text)
		}
	})
}

// A rank that calls a collective while the others call Finalize gets an error that says so,
// and so do they.
func TestCollectivesDoNotMatchFinalize(t *testing.T) {
	for name, call := range map[string]func(world *mpi.Comm) error{
		"Barrier":   (*mpi.Comm).Barrier,
		"Allreduce": func(world *mpi.Comm) error { return mpi.Allreduce(world, []int{1}, []int{0}, mpi.Sum) },
		"Bcast":     func(world *mpi.Comm) error { return mpi.Bcast(world, []int{1}, 0) },
		"Dup":       func(world *mpi.Comm) error { _, err := world.Dup(); return err },
	} {
		t.Run(name, func(t *testing.T) {
			forEachTransport(t, func(t *testing.T, options ...mpi.Option) {
				ended := make(chan struct{}, 2)
				err := mpi.RunLocal(2, func(world *mpi.Comm) error {
					var err error
					if world.Rank() == 0 {
						err = call(world)
					}
					if err == nil {
						err = world.Finalize()
					}
					ended <- struct{}{} // nobody leaves before both have heard
					for len(ended) < 2 {
						runtime.Gosched()
					}
					return err
				}, options...)
				require.ErrorContains(t, err, "rank 1 called Finalize where this rank called "+name)
				require.ErrorContains(t, err, "rank 0 called "+name+" where this rank called Finalize")
			})
		})
	}
}

// Finalize does not tear down what a collective needs that is under way in
// another goroutine.
func TestFinalizeDuringACollectiveIsRefused(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		dup, err := world.Dup()
		require.NoError(t, err)
		for _, c := range []*mpi.Comm{dup, world} {
			if world.Rank() == 0 {
				// Of two at a time one is refused: then the other is inside.
				results := make(chan error, 2)
				for range 2 {
					go func() { results <- c.Barrier() }()
				}
				require.ErrorIs(t, <-results, mpi.ErrComm)
				require.ErrorIs(t, world.Finalize(), mpi.ErrComm)
				require.NoError(t, mpi.Send(world, []int{1}, 1, 0))
				require.NoError(t, <-results)
				continue
			}
			_, err := mpi.Recv(world, []int{0}, 0, 0)
			require.NoError(t, err)
			assert.NoError(t, c.Barrier())
		}
	})
}

// A rank that sends to one which has called Finalize, and waits for it to receive, does
// not hang: the other fails.
func TestFinalizeFailsIfSendersWaitForIt(t *testing.T) {
	beSuspicious(t)
	for name, send := range map[string]func(world *mpi.Comm) error{
		"Ssend":      func(world *mpi.Comm) error { return mpi.Ssend(world, []int{1}, 1, 3) },
		"a long one": func(world *mpi.Comm) error { return mpi.Send(world, make([]int, 4<<20), 1, 3) },
	} {
		t.Run(name, func(t *testing.T) {
			forEachTransport(t, func(t *testing.T, options ...mpi.Option) {
				err := mpi.RunLocal(3, func(world *mpi.Comm) error {
					if world.Rank() == 0 {
						return send(world)
					}
					return nil
				}, options...)
				require.ErrorContains(t, err, "rank 1: mpi.Finalize: 1 message from rank 0, tag 3, was never received")
				require.ErrorContains(t, err, "rank 0: mpi.")
				require.ErrorIs(t, err, mpi.ErrProcFailed)
			})
		})
	}
}
