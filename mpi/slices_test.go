package mpi_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// owned is what rank from has for rank to: of a length that nothing but the two
// ranks and round says, often none.
func owned(round, from, to int) []int {
	random := rand.New(rand.NewPCG(uint64(round), uint64(from<<8|to)))
	s := sequence(1000*from+to, []int{0, 1, random.IntN(20), random.IntN(3000)}[random.IntN(4)])
	return s[:len(s):len(s)]
}

// Slices of any lengths get where they belong, although only their owners know
// how long they are.
func TestSlicesOfUnknownLengths(t *testing.T) {
	test := func(t *testing.T, world *mpi.Comm) {
		me, size := world.Rank(), world.Size()
		for round := range 8 {
			root := round % size
			from := func(to int) (all [][]int) {
				for rank := range size {
					all = append(all, owned(round, rank, to))
				}
				return all
			}
			var mine [][]int // for each rank
			for to := range size {
				mine = append(mine, owned(round, me, to))
			}

			one, err := mpi.BcastSlice(world, mine[0], root)
			require.NoError(t, err)
			equal(t, owned(round, root, 0), one)
			all, err := mpi.GatherSlices(world, mine[root], root)
			require.NoError(t, err)
			if me == root {
				equalAll(t, from(root), all)
			} else {
				require.Nil(t, all)
			}
			all, err = mpi.AllgatherSlices(world, mine[0])
			require.NoError(t, err)
			equalAll(t, from(0), all)
			all, err = mpi.AlltoallSlices(world, mine)
			require.NoError(t, err)
			equalAll(t, from(me), all)
			if me != root {
				mine = nil
			}
			one, err = mpi.ScatterSlices(world, mine, root)
			require.NoError(t, err)
			equal(t, owned(round, root, me), one)
		}
	}
	ranks(t, 3, test, mpi.WithEagerLimit(eagerLimit))
	for i, size := range []int{1, 2, 6} {
		forATransportInTurn(t, i, func(t *testing.T, options ...mpi.Option) {
			require.NoError(t, mpi.RunLocal(size, func(world *mpi.Comm) error {
				test(t, world)
				return nil
			}, append(options, mpi.WithEagerLimit(eagerLimit))...))
		})
	}
}

// equalAll is equal for a slice of each rank. None may grow into the next one.
func equalAll(t *testing.T, want, got [][]int) {
	t.Helper()
	require.Len(t, got, len(want))
	for i := range want {
		equal(t, want[i], got[i])
		require.Equal(t, len(got[i]), cap(got[i]))
	}
}

// mover is an operation on slices of three elements.
type mover struct {
	name   string
	rooted bool
	call   func(c *mpi.Comm, root int) error
}

func movers[T any]() []mover {
	three := make([]T, 3)
	each := func(c *mpi.Comm) (all [][]T) {
		for range c.Size() {
			all = append(all, three)
		}
		return all
	}
	return []mover{
		{"BcastSlice", true, func(c *mpi.Comm, root int) error { _, err := mpi.BcastSlice(c, three, root); return err }},
		{"GatherSlices", true, func(c *mpi.Comm, root int) error { _, err := mpi.GatherSlices(c, three, root); return err }},
		{"ScatterSlices", true, func(c *mpi.Comm, root int) error { _, err := mpi.ScatterSlices(c, each(c), root); return err }},
		{"AllgatherSlices", false, func(c *mpi.Comm, _ int) error { _, err := mpi.AllgatherSlices(c, three); return err }},
		{"AlltoallSlices", false, func(c *mpi.Comm, _ int) error { _, err := mpi.AlltoallSlices(c, each(c)); return err }},
	}
}

// A rank that cannot take part keeps no other one waiting, and the next calls of
// all ranks belong together.
func TestSlicesThatFailOnOneRank(t *testing.T) {
	for odd := range 3 {
		disagreeing(t, 3, func(t *testing.T, world *mpi.Comm) {
			isOdd := world.Rank() == odd
			others := movers[float32]()
			for i, m := range movers[int]() {
				c, root, another := world, 0, m
				if isOdd {
					c, root, another = world.WithContext(ended(errPatience)), 3, others[i]
				}
				if err := m.call(c, 0); isOdd {
					require.ErrorIs(t, err, errPatience, m.name)
					require.ErrorContains(t, err, "mpi."+m.name+": ")
				} else if err != nil {
					require.ErrorIs(t, err, mpi.ErrCancelled, m.name)
				}
				if err := m.call(world, root); isOdd && m.rooted {
					require.ErrorIs(t, err, mpi.ErrRoot, m.name)
				}
				failed, err := mpi.AllreduceValue(world, another.call(world, 0) != nil, mpi.LogicalOr)
				require.NoError(t, err)
				require.True(t, failed, m.name)
			}
			require.NoError(t, world.Barrier())
		})
	}
}

// Nor does a type that cannot be sent.
func TestSlicesThatCannotBeSent(t *testing.T) {
	ranks(t, 3, func(t *testing.T, world *mpi.Comm) {
		for _, unsendable := range [][]mover{movers[string](), movers[struct{}]()} {
			for _, m := range unsendable {
				require.ErrorIs(t, m.call(world, 1), mpi.ErrType, m.name)
			}
		}
		require.NoError(t, world.Barrier())
	})
}

// What a rank tells of itself in place of a length reaches all.
func TestWrongNumberOfSlicesFailsAllRanks(t *testing.T) {
	ranks(t, 3, func(t *testing.T, world *mpi.Comm) {
		for odd := range 3 {
			n, want := 3, "it failed on rank "
			if world.Rank() == odd {
				n, want = 2, "2 slices for 3 ranks"
			}
			_, err := mpi.AlltoallSlices(world, make([][]int, n))
			require.ErrorIs(t, err, mpi.ErrCount)
			require.ErrorContains(t, err, want)
			_, err = mpi.ScatterSlices(world, make([][]int, n), odd)
			require.ErrorIs(t, err, mpi.ErrCount)
			require.ErrorContains(t, err, want)
		}
		require.NoError(t, world.Barrier())
	})
}

func TestSlicesOfANilCommunicator(t *testing.T) {
	for _, m := range movers[int]() {
		require.ErrorIs(t, m.call(nil, 0), mpi.ErrComm, m.name)
	}
}
