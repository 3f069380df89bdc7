package mpi_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// halves runs fn over an intercommunicator between the first ranks of a world and the others. first says in which this one is.
func halves(t *testing.T, first, second int, fn func(t *testing.T, world, inter *mpi.Comm, inFirst bool)) {
	ranks(t, first+second, func(t *testing.T, world *mpi.Comm) {
		inter, inFirst := halved(t, world, first)
		fn(t, world, inter, inFirst)
		require.NoError(t, inter.Free())
	})
}

// halved returns an intercommunicator between the first ranks of a world and the others.
func halved(t *testing.T, world *mpi.Comm, first int) (inter *mpi.Comm, inFirst bool) {
	inFirst = world.Rank() < first
	color, remote := 0, first
	if !inFirst {
		color, remote = 1, 0
	}
	half, err := world.Split(color, 0)
	require.NoError(t, err)
	between := world
	if half.Rank() != 0 {
		between = nil
	}
	inter, err = half.CreateIntercomm(0, between, remote, 7)
	require.NoError(t, err)
	require.NoError(t, half.Free())
	return inter, inFirst
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

		_, err = inter.CreateGroup(inter.Group(), 0)
		require.ErrorIs(t, err, mpi.ErrComm)
		_, err = world.Merge(true)
		require.ErrorIs(t, err, mpi.ErrComm)
	})
}

// A leader that cannot go on tells the other one. So both groups fail, none waits, and the next call is in order.
func TestBothGroupsHearOfALeaderThatFails(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	ranks(t, 4, func(t *testing.T, world *mpi.Comm) {
		me := world.Rank()
		half, err := world.Split(me/2, 0)
		require.NoError(t, err)
		inter, _ := halved(t, world, 2)
		remote := (me/2*2 + 2) % 4
		for _, test := range []struct {
			class          mpi.Class
			group, between *mpi.Comm // of ranks 0 and 1
		}{
			{mpi.ErrCancelled, half, world.WithContext(ended)},
			{mpi.ErrCancelled, half.WithContext(ended), world.WithContext(ended)},
			{mpi.ErrComm, inter, world},
		} {
			if me > 1 {
				test.group, test.between = half, world
			}
			made, err := test.group.CreateIntercomm(0, test.between, remote, 7)
			require.ErrorIs(t, err, test.class)
			require.Nil(t, made)
			if me == 2 {
				require.ErrorContains(t, err, "it failed on rank 0: ")
			}
			made, err = half.CreateIntercomm(0, world, remote, 7)
			require.NoError(t, err)
			require.NoError(t, made.Barrier())
		}
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

// Persistent requests, messages in partitions, and the forms for single values, between groups.
func TestOtherFormsBetweenGroups(t *testing.T) {
	halves(t, 1, 2, func(t *testing.T, _, inter *mpi.Comm, inFirst bool) {
		part := 0
		if inFirst {
			part = mpi.Root
		}
		number, sum := []int{0}, []int{0}
		bcast := must(t)(mpi.BcastInit(inter, number, part))
		allreduce := must(t)(mpi.AllreduceInit(inter, number, sum, mpi.Sum))
		var parts []*mpi.Request // a message to each rank of the second group
		for r := range inter.RemoteSize() {
			if inFirst {
				parts = append(parts, must(t)(mpi.PsendInit(inter, number, 1, r, 5)))
			} else {
				parts = append(parts, must(t)(mpi.PrecvInit(inter, sum, 1, r, 5)))
			}
		}
		for round := range 3 {
			if inFirst {
				number[0] = 10 + round
			}
			require.NoError(t, bcast.Start())
			wait(t, bcast)
			require.Equal(t, 10+round, number[0])
			require.NoError(t, allreduce.Start())
			wait(t, allreduce)
			require.Equal(t, inter.RemoteSize()*(10+round), sum[0])
			for _, p := range parts {
				require.NoError(t, p.Start())
				if inFirst {
					require.NoError(t, p.Pready(0))
				}
			}
			for _, p := range parts {
				wait(t, p)
			}
			if !inFirst {
				require.Equal(t, 10+round, sum[0])
			}
		}
		for _, p := range append(parts, bcast, allreduce) {
			require.NoError(t, p.Free())
		}

		mine, theirs := 1, []int{2, 3} // ranks of the first group give 1, those of the second 2 and 3
		if !inFirst {
			mine, theirs = 2+inter.Rank(), []int{1}
		}
		all, err := mpi.AllgatherValues(inter, mine)
		require.NoError(t, err)
		require.Equal(t, theirs, all)
		gathered, err := mpi.GatherValues(inter, mine, part)
		require.NoError(t, err)
		if inFirst {
			require.Equal(t, theirs, gathered)
		} else {
			require.Empty(t, gathered)
		}
		value, err := mpi.BcastValue(inter, mine, part)
		require.NoError(t, err)
		require.Equal(t, 1, value)
		own, err := mpi.ScatterValues(inter, gathered, part)
		require.NoError(t, err)
		if !inFirst {
			require.Equal(t, mine, own, "the root sends back what it has gathered")
		}
		total, err := mpi.AllreduceValue(inter, mine, mpi.Sum)
		require.NoError(t, err)
		require.Equal(t, map[bool]int{true: 5, false: 1}[inFirst], total)
	})
}

// What intercommunicators do not have is refused on each rank alone, and harms nothing.
func TestWhatIntercommunicatorsDoNotHave(t *testing.T) {
	halves(t, 1, 1, func(t *testing.T, _, inter *mpi.Comm, _ bool) {
		number := []int{1}
		for name, err := range map[string]error{
			"CartCreate":              second(inter.CartCreate([]int{1}, nil, false)),
			"CartMap":                 second(inter.CartMap([]int{1}, nil)),
			"GraphCreate":             second(inter.GraphCreate([]int{0}, nil, false)),
			"GraphMap":                second(inter.GraphMap([]int{0}, nil)),
			"DistGraphCreate":         second(inter.DistGraphCreate(nil, false)),
			"DistGraphCreateAdjacent": second(inter.DistGraphCreateAdjacent(mpi.Adjacent{}, mpi.Adjacent{}, false)),
			"NeighborAllgather":       mpi.NeighborAllgather(inter, number, number),
			"CreateGroup":             second(inter.CreateGroup(inter.Group(), 0)),
			"CreateIntercomm":         second(inter.CreateIntercomm(0, inter, 0, 0)),
			"Scan":                    mpi.Scan(inter, number, []int{0}, mpi.Sum),
			"Exscan":                  mpi.Exscan(inter, number, []int{0}, mpi.Sum),
			"ScanValue":               second(mpi.ScanValue(inter, 1, mpi.Sum)),
			"WinCreate":               second(mpi.WinCreate(inter, number)),
			"WinAllocate":             second(mpi.WinAllocate[int](inter, 1)),
			"WinAllocateShared":       second(mpi.WinAllocateShared[int](inter, 1)),
			"WinCreateDynamic":        second(mpi.WinCreateDynamic[int](inter)),
			"OpenFile":                second(mpi.OpenFile(inter, "/none", mpi.ReadOnly, nil)),
			"BcastSlice":              second(mpi.BcastSlice(inter, number, 0)),
			"GatherSlices":            second(mpi.GatherSlices(inter, number, 0)),
			"AllgatherSlices":         second(mpi.AllgatherSlices(inter, number)),
			"ScatterSlices":           second(mpi.ScatterSlices(inter, [][]int{number}, 0)),
			"AlltoallSlices":          second(mpi.AlltoallSlices(inter, [][]int{number})),
			"BcastObject":             second(mpi.BcastObject(inter, "word", 0)),
			"GatherObjects":           second(mpi.GatherObjects(inter, "word", mpi.Root)),
			"AllgatherObjects":        second(mpi.AllgatherObjects(inter, "word")),
			"ScatterObjects":          second(mpi.ScatterObjects(inter, []string{"word"}, 0)),
			"AlltoallObjects":         second(mpi.AlltoallObjects(inter, []string{"word"})),
		} {
			require.ErrorIs(t, err, mpi.ErrComm, name)
			require.ErrorContains(t, err, "mpi."+name+": invalid communicator: the communicator is an intercommunicator", name)
		}
		require.NoError(t, inter.Barrier())
	})
}

// second is the error of a call with a result.
func second[T any](_ T, err error) error { return err }

// The death of a rank fails what those of the other group want of it.
func TestDeathOfARankOfTheOtherGroup(t *testing.T) {
	forEachFastTransport(t, func(t *testing.T, options ...mpi.Option) {
		err := mpi.RunLocal(3, func(world *mpi.Comm) error {
			inter, inFirst := halved(t, world, 2)
			if !inFirst {
				return errDisk
			}
			_, err := mpi.Recv(inter, []int{0}, 0, 0)
			require.ErrorIs(t, err, mpi.ErrProcFailed)
			_, err = mpi.Recv(inter, []int{0}, mpi.AnySource, 0)
			require.ErrorIs(t, err, mpi.ErrProcFailed)
			require.ErrorIs(t, mpi.Ssend(inter, []int{0}, 0, 0), mpi.ErrProcFailed)
			require.ErrorIs(t, inter.Barrier(), mpi.ErrProcFailed)
			_, err = must(t)(mpi.Ibcast(inter, []int{0}, 0)).Wait(t.Context())
			require.ErrorIs(t, err, mpi.ErrProcFailed)
			// Within its own group all goes on.
			_, err = mpi.Sendrecv(world, []int{1}, 1-world.Rank(), 0, []int{0}, 1-world.Rank(), 0)
			return err
		}, options...)
		require.EqualError(t, err, "rank 2: disk full")
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

// Persistent operations have a context of their own between groups too, which no communicator of one of them has.
func TestContextsOfPersistentOperationsBetweenGroups(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		dup := must2(t)(world.Dup()) // of which rank 0 has chosen the context
		inter, inFirst := halved(t, world, 1)
		number := []int{0}
		barrier, bcast := must(t)(inter.BarrierInit()), must(t)(mpi.BcastInit(inter, number, map[bool]int{true: mpi.Root, false: 0}[inFirst]))
		for round := range 3 {
			if inFirst {
				number[0] = round
			}
			require.NoError(t, mpi.StartAll(barrier, bcast))
			require.NoError(t, world.Barrier())
			require.NoError(t, dup.Barrier())
			wait(t, barrier)
			wait(t, bcast)
			require.Equal(t, round, number[0])
		}
		require.NoError(t, barrier.Free())
		require.NoError(t, bcast.Free())
		require.NoError(t, inter.Free())
		require.NoError(t, dup.Free())
	})
}

// The other ranks of the root's group take part in making a persistent operation, although they know nothing of what is exchanged.
func TestPersistentOperationsBetweenGroupsWithARoot(t *testing.T) {
	halves(t, 3, 2, func(t *testing.T, _, inter *mpi.Comm, inFirst bool) {
		const root = 1
		part := root
		if inFirst {
			part = mpi.ProcNull
			if inter.Rank() == root {
				part = mpi.Root
			}
		}
		var number, all, parts, own, sum []float64
		switch part {
		case mpi.Root:
			number, all, parts, own, sum = []float64{7, 8}, make([]float64, 4), []float64{1, 2, 3, 4}, nil, make([]float64, 2)
		case root:
			number, all, parts, own, sum = make([]float64, 2), nil, nil, make([]float64, 2), nil
		}
		mine := []float64{float64(inter.Rank()), 10}
		layout := mpi.Layout{Counts: filled(inter.RemoteSize(), 2)}
		requests := []*mpi.Request{
			must(t)(mpi.BcastInit(inter, number, part)),
			must(t)(mpi.GatherInit(inter, mine, all, part)),
			must(t)(mpi.ScatterInit(inter, parts, own, part)),
			must(t)(mpi.ReduceInit(inter, mine, sum, mpi.Sum, part)),
			must(t)(mpi.GathervInit(inter, mine, all, layout, part)),
			must(t)(mpi.ScattervInit(inter, parts, layout, own, part)),
			must(t)(mpi.BcastDataInit(inter, mpi.Data{}, map[bool]int{true: part, false: root}[inFirst])),
		}
		for range 2 {
			for _, r := range requests {
				require.NoError(t, r.Start())
				wait(t, r)
			}
			switch part {
			case mpi.Root:
				require.Equal(t, [][]float64{{0, 10, 1, 10}, {1, 20}}, [][]float64{all, sum})
			case root:
				require.Equal(t, [][]float64{{7, 8}, parts2(inter.Rank())}, [][]float64{number, own})
			}
		}
		for _, r := range requests {
			require.NoError(t, r.Free())
		}
	})
}

// parts2 is the part of a rank of 1, 2, 3, 4.
func parts2(rank int) []float64 { return []float64{float64(2*rank + 1), float64(2*rank + 2)} }
