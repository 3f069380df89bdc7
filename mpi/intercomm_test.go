package mpi_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// halves runs fn over an intercommunicator between the first ranks of a world and the others. first says in which this one is.
func halves(t *testing.T, first, second int, fn func(t *testing.T, world, inter *mpi.Comm, inFirst bool)) {
	ranks(t, first+second, func(t *testing.T, world *mpi.Comm) {
		inFirst, color, remote := world.Rank() < first, 0, first
		if !inFirst {
			color, remote = 1, 0
		}
		half, err := world.Split(color, 0)
		require.NoError(t, err)
		between := world
		if half.Rank() != 0 {
			between = nil
		}
		inter, err := half.CreateIntercomm(0, between, remote, 7)
		require.NoError(t, err)
		require.NoError(t, half.Free())
		fn(t, world, inter, inFirst)
		require.NoError(t, inter.Free())
	})
}

func TestIntercommunicator(t *testing.T) {
	halves(t, 2, 3, func(t *testing.T, world, inter *mpi.Comm, inFirst bool) {
		near, far := 2, 3
		if !inFirst {
			near, far = far, near
		}
		require.True(t, inter.Inter())
		require.False(t, world.Inter())
		require.Equal(t, []int{near, far, world.Rank() - map[bool]int{true: 0, false: 2}[inFirst]}, []int{inter.Size(), inter.RemoteSize(), inter.Rank()})
		require.Equal(t, near, inter.Group().Size())
		require.Equal(t, mpi.Identical, world.Group().Difference(inter.Group()).Compare(inter.RemoteGroup()))

		// Each rank sends to all of the other group, and receives from any.
		for to := range far {
			must(t)(mpi.Isend(inter, []int{world.Rank()}, to, 3))
		}
		sum := 0
		for range far {
			got := make([]int, 1)
			status, err := mpi.Recv(inter, got, mpi.AnySource, 3)
			require.NoError(t, err)
			job, err := inter.RemoteGroup().Translate([]int{status.Source}, world.Group())
			require.NoError(t, err)
			require.Equal(t, got[0], job[0])
			sum += got[0]
		}
		require.Equal(t, map[bool]int{true: 2 + 3 + 4, false: 0 + 1}[inFirst], sum)
		require.ErrorIs(t, mpi.Send(inter, []int{1}, far, 0), mpi.ErrRank)

		dup, err := inter.Dup()
		require.NoError(t, err)
		same, err := inter.Compare(dup)
		require.NoError(t, err)
		require.Equal(t, mpi.Congruent, same)
		require.NoError(t, dup.Barrier())
		require.NoError(t, dup.Free())

		_, err = inter.Split(0, 0)
		require.ErrorIs(t, err, mpi.ErrComm)
		_, err = inter.CreateGroup(inter.Group(), 0)
		require.ErrorIs(t, err, mpi.ErrComm)
		_, err = world.Merge(true)
		require.ErrorIs(t, err, mpi.ErrComm)
	})
}

func TestMerge(t *testing.T) {
	halves(t, 2, 3, func(t *testing.T, world, inter *mpi.Comm, inFirst bool) {
		for _, high := range []bool{false, true} { // of the first group
			all, err := inter.Merge(inFirst == high)
			require.NoError(t, err)
			want := world.Rank()
			if high {
				want = (world.Rank() + 3) % 5
			}
			require.Equal(t, want, all.Rank())
			require.Equal(t, 5, rankSum(t, all, 1))
			require.NoError(t, all.Free())
		}
		_, err := inter.Merge(inter.Rank() == 0)
		require.ErrorIs(t, err, mpi.ErrArg)
	})
}

// TestCollectivesBetweenGroups runs each operation, in all forms, with each rank of both groups as the root.
func TestCollectivesBetweenGroups(t *testing.T) {
	halves(t, 2, 3, func(t *testing.T, _, inter *mpi.Comm, inFirst bool) {
		near, far := inter.Size(), inter.RemoteSize()
		// value is what a rank of a group gives.
		value := func(first bool, rank int) int { return map[bool]int{true: 100, false: 200}[first] + rank }
		mine := []int{value(inFirst, inter.Rank()), inter.Rank()}
		var theirs []int
		for r := range far {
			theirs = append(theirs, value(!inFirst, r), r)
		}
		total := make([]int, 2)
		for i, v := range theirs {
			total[i%2] += v
		}
		finish := func(r *mpi.Request, err error) { wait(t, must(t)(r, err)) }
		require.NoError(t, inter.Barrier())
		finish(inter.Ibarrier())
		for _, rootFirst := range []bool{true, false} {
			roots := map[bool]int{true: near, false: far}[rootFirst == inFirst]
			for root := range roots {
				part := root
				if rootFirst == inFirst {
					part = mpi.ProcNull
					if root == inter.Rank() {
						part = mpi.Root
					}
				}
				got := make([]int, 2)
				if part == mpi.Root {
					copy(got, mine)
				}
				require.NoError(t, mpi.Bcast(inter, got, part))
				finish(mpi.Ibcast(inter, got, part))
				if part >= 0 {
					require.Equal(t, []int{value(rootFirst, root), root}, got)
				}
				all := make([]int, 2*far)
				require.NoError(t, mpi.Gather(inter, mine, all, part))
				finish(mpi.Igatherv(inter, mine, all, mpi.Layout{Counts: filled(far, 2)}, part))
				if part == mpi.Root {
					require.Equal(t, theirs, all)
				}
				own := make([]int, 2)
				require.NoError(t, mpi.Scatter(inter, all, own, part))
				finish(mpi.Iscatterv(inter, all, mpi.Layout{Counts: filled(far, 2)}, own, part))
				if part >= 0 {
					require.Equal(t, mine, own, "the root sends back what it has gathered")
				}
				sum := make([]int, 2)
				require.NoError(t, mpi.Reduce(inter, mine, sum, mpi.Sum, part))
				finish(mpi.Ireduce(inter, mine, sum, mpi.Sum, part))
				if part == mpi.Root {
					require.Equal(t, total, sum)
				}
			}
		}
		all := make([]int, 2*far)
		require.NoError(t, mpi.Allgather(inter, mine, all))
		require.Equal(t, theirs, all)
		clear(all)
		finish(mpi.Iallgatherv(inter, mine, all, mpi.Layout{Counts: filled(far, 2)}))
		require.Equal(t, theirs, all)
		sum := make([]int, 2)
		require.NoError(t, mpi.Allreduce(inter, mine, sum, mpi.Sum))
		require.Equal(t, total, sum)
		clear(sum)
		finish(mpi.Iallreduce(inter, mine, sum, mpi.Sum))
		require.Equal(t, total, sum)

		out, in := make([]int, far), make([]int, far)
		for i := range out {
			out[i] = 10*mine[0] + i
		}
		require.NoError(t, mpi.Alltoall(inter, out, in))
		finish(mpi.Ialltoallv(inter, out, mpi.Layout{Counts: filled(far, 1)}, in, mpi.Layout{Counts: filled(far, 1)}))
		for i := range in {
			require.Equal(t, 10*value(!inFirst, i)+inter.Rank(), in[i])
		}
		// The groups give vectors of equal lengths, each group divides the other's result by its own ranks.
		vector, piece := make([]int, 6), make([]int, 6/near)
		for i := range vector {
			vector[i] = mine[0] * (i + 1)
		}
		require.NoError(t, mpi.ReduceScatterBlock(inter, vector, piece, mpi.Sum))
		finish(mpi.IreduceScatter(inter, vector, piece, filled(near, 6/near), mpi.Sum))
		for i := range piece {
			require.Equal(t, total[0]*(inter.Rank()*6/near+i+1), piece[i])
		}
		require.ErrorIs(t, mpi.Scan(inter, mine, sum, mpi.Sum), mpi.ErrComm)
		require.ErrorIs(t, mpi.Allreduce(inter, sum, sum, mpi.Sum), mpi.ErrBuffer)
	})
}

// filled has n times the same number.
func filled(n, number int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = number
	}
	return s
}
