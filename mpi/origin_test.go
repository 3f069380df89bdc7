package mpi_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// collectives are collective operations of 5 ranks, of which each that has them needs rank 1.
func collectives(t *testing.T, world *mpi.Comm) map[string]func() error {
	const n = 5
	ring := must2(t)(world.CartCreate([]int{n}, []bool{true}, false))
	side := 0
	if world.Rank() > 1 {
		side = 1
	}
	half := must2(t)(world.Split(side, 0))
	inter := must2(t)(half.CreateIntercomm(0, world, 2*(1-side), 1))
	v, w, all, more := make([]int, 100), make([]int, 100), make([]int, 100*n), make([]int, 100*n)
	far := make([]int, 100*inter.RemoteSize())
	kept := must(t)(mpi.AllreduceInit(world, v, w, mpi.Sum))
	keptAround := must(t)(mpi.NeighborAllgatherInit(ring, v, make([]int, 200)))
	waits := func(r *mpi.Request, err error) error {
		if err == nil {
			_, err = r.Wait(t.Context())
		}
		return err
	}
	starts := func(r *mpi.Request) error {
		if err := r.Start(); err != nil {
			return err
		}
		return waits(r, nil)
	}
	return map[string]func() error{
		"Allreduce":             func() error { return mpi.Allreduce(world, v, w, mpi.Sum) },
		"Barrier":               func() error { return world.Barrier() },
		"Bcast":                 func() error { return mpi.Bcast(world, v, 1) },
		"Reduce":                func() error { return mpi.Reduce(world, v, w, mpi.Sum, 0) },
		"Gather":                func() error { return mpi.Gather(world, v, all, 4) },
		"Scatter":               func() error { return mpi.Scatter(world, all, v, 1) },
		"Allgather":             func() error { return mpi.Allgather(world, v, all) },
		"Alltoall":              func() error { return mpi.Alltoall(world, all, more) },
		"Scan":                  func() error { return mpi.Scan(world, v, w, mpi.Sum) },
		"ReduceScatterBlock":    func() error { return mpi.ReduceScatterBlock(world, all, v, mpi.Sum) },
		"AllgatherSlices":       func() error { return second(mpi.AllgatherSlices(world, v)) },
		"BcastObject":           func() error { return second(mpi.BcastObject(world, "text", 1)) },
		"Iallreduce":            func() error { return waits(mpi.Iallreduce(world, v, w, mpi.Sum)) },
		"Ibarrier":              func() error { return waits(world.Ibarrier()) },
		"AllreduceInit":         func() error { return starts(kept) },
		"NeighborAllgather":     func() error { return mpi.NeighborAllgather(ring, v, make([]int, 200)) },
		"NeighborAllgatherInit": func() error { return starts(keptAround) },
		"Allgather between":     func() error { return mpi.Allgather(inter, v, far) },
		"Barrier between":       func() error { return inter.Barrier() },
		"Iallreduce between":    func() error { return waits(mpi.Iallreduce(inter, v, w, mpi.Sum)) },
		"Dup":                   func() error { return second(world.Dup()) },
		"Split":                 func() error { return second(world.Split(0, 0)) },
		"CreateGroup":           func() error { return second(world.CreateGroup(world.Group(), 3)) },
		"CreateIntercomm":       func() error { return second(half.CreateIntercomm(1-side, world, 2-side, 2)) },
		"WinCreate":             func() error { return second(mpi.WinCreate(world, v)) },
	}
}

// Ranks that do not talk with the rank that is gone hear of it from others, which live. All errors name the dead one, in the terms of the
// communicator.
func TestCollectivesNameTheRankThatIsGone(t *testing.T) {
	for i, name := range collectiveNames(t) {
		test := func(t *testing.T, world *mpi.Comm) error {
			call := collectives(t, world)[name]
			if world.Rank() == 1 {
				for range 4 { // until all have come so far
					require.NoError(t, second(mpi.Recv(world, []int{0}, mpi.AnySource, 9)))
				}
				return errDisk
			}
			require.NoError(t, mpi.Send(world, []int{0}, 1, 9))
			if err := call(); err != nil {
				assert.ErrorIs(t, err, mpi.ErrProcFailed)
				assert.Regexp(t, `: rank 1( of the job)? is gone: `, err.Error())
				e, ok := errors.AsType[*mpi.Error](err)
				assert.True(t, ok)
				assert.Contains(t, []int{1, mpi.Undefined}, e.Rank, "%v", err)
			}
			_, _ = world.Agree(0) // none leaves before all have failed
			return nil
		}
		t.Run(name, func(t *testing.T) {
			forATransportInTurn(t, i, func(t *testing.T, options ...mpi.Option) { dyingOver(t, 5, test, options...) })
		})
	}
}

func collectiveNames(t *testing.T) (names []string) {
	require.NoError(t, mpi.RunLocal(5, func(world *mpi.Comm) error {
		for name := range collectives(t, world) {
			if world.Rank() == 0 {
				names = append(names, name)
			}
		}
		return nil
	}))
	slices.Sort(names)
	return names
}

// So it is with a rank that fails first for another reason: those that hear of it from third ranks learn which it was.
func TestCollectivesNameTheRankThatFailedFirst(t *testing.T) {
	for size := 2; size <= 9; size++ {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			ranks(t, size, func(t *testing.T, world *mpi.Comm) {
				c, v, last := world, make([]int, 300), size-1
				if world.Rank() == last {
					c = world.WithContext(ended(errPatience))
				}
				for i, err := range []error{
					mpi.Allreduce(c, v, make([]int, 300), mpi.Sum),
					c.Barrier(),
					mpi.Bcast(c, v, last),
					second(c.CreateGroup(world.Group(), 3)),
				} {
					require.ErrorIs(t, err, mpi.ErrCancelled, "call %d", i)
					if world.Rank() != last {
						about(t, last, err)
						require.ErrorContains(t, err, fmt.Sprintf("it failed on rank %d: operation cancelled", last))
					}
				}
				require.NoError(t, world.Barrier())
			})
		})
	}
}
