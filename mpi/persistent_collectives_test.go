package mpi_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// persistentCase is a collective operation in two forms. Each works on buffers of its own, which begin alike.
type persistentCase struct {
	name    string
	in, out int // lengths
	make    func(in, out []int) (*mpi.Request, error)
	call    func(in, out []int) error
}

// persistentCases has all operations, with vectors of n elements.
func persistentCases(c *mpi.Comm, n int) []persistentCase {
	size, me, root := c.Size(), c.Rank(), c.Size()-1
	counts := make([]int, size)
	total := 0
	for i := range counts {
		counts[i] = n + i
		total += counts[i]
	}
	layout := mpi.Layout{Counts: counts}
	same := mpi.Layout{Counts: slices.Repeat([]int{n}, size)}
	sum := mpi.Op[int](mpi.Sum[int])
	return []persistentCase{
		{"Barrier", 0, 0, func(_, _ []int) (*mpi.Request, error) { return c.BarrierInit() }, func(_, _ []int) error { return c.Barrier() }},
		{"Bcast", 0, n, func(_, out []int) (*mpi.Request, error) { return mpi.BcastInit(c, out, root) }, func(_, out []int) error { return mpi.Bcast(c, out, root) }},
		{
			"Gather", n, n * size,
			func(in, out []int) (*mpi.Request, error) { return mpi.GatherInit(c, in, out, root) },
			func(in, out []int) error { return mpi.Gather(c, in, out, root) },
		},
		{
			"Gatherv", counts[me], total,
			func(in, out []int) (*mpi.Request, error) { return mpi.GathervInit(c, in, out, layout, root) },
			func(in, out []int) error { return mpi.Gatherv(c, in, out, layout, root) },
		},
		{
			"Scatter", n * size, n,
			func(in, out []int) (*mpi.Request, error) { return mpi.ScatterInit(c, in, out, root) },
			func(in, out []int) error { return mpi.Scatter(c, in, out, root) },
		},
		{
			"Scatterv", total, counts[me],
			func(in, out []int) (*mpi.Request, error) { return mpi.ScattervInit(c, in, layout, out, root) },
			func(in, out []int) error { return mpi.Scatterv(c, in, layout, out, root) },
		},
		{
			"Allgather", n, n * size,
			func(in, out []int) (*mpi.Request, error) { return mpi.AllgatherInit(c, in, out) },
			func(in, out []int) error { return mpi.Allgather(c, in, out) },
		},
		{
			"Allgatherv", counts[me], total,
			func(in, out []int) (*mpi.Request, error) { return mpi.AllgathervInit(c, in, out, layout) },
			func(in, out []int) error { return mpi.Allgatherv(c, in, out, layout) },
		},
		{
			"Alltoall", n * size, n * size,
			func(in, out []int) (*mpi.Request, error) { return mpi.AlltoallInit(c, in, out) },
			func(in, out []int) error { return mpi.Alltoall(c, in, out) },
		},
		{
			"Alltoallv", n * size, n * size,
			func(in, out []int) (*mpi.Request, error) { return mpi.AlltoallvInit(c, in, same, out, same) },
			func(in, out []int) error { return mpi.Alltoallv(c, in, same, out, same) },
		},
		{
			"Reduce", n, n,
			func(in, out []int) (*mpi.Request, error) { return mpi.ReduceInit(c, in, out, sum, root) },
			func(in, out []int) error { return mpi.Reduce(c, in, out, sum, root) },
		},
		{
			"Allreduce", n, n,
			func(in, out []int) (*mpi.Request, error) { return mpi.AllreduceInit(c, in, out, sum) },
			func(in, out []int) error { return mpi.Allreduce(c, in, out, sum) },
		},
		{
			"Allreduce in place", 0, n,
			func(_, out []int) (*mpi.Request, error) { return mpi.AllreduceInit(c, out, out, sum) },
			func(_, out []int) error { return mpi.Allreduce(c, out, out, sum) },
		},
		{
			"Scan", n, n,
			func(in, out []int) (*mpi.Request, error) { return mpi.ScanInit(c, in, out, sum) },
			func(in, out []int) error { return mpi.Scan(c, in, out, sum) },
		},
		{
			"Exscan", n, n,
			func(in, out []int) (*mpi.Request, error) { return mpi.ExscanInit(c, in, out, sum) },
			func(in, out []int) error { return mpi.Exscan(c, in, out, sum) },
		},
		{
			"ReduceScatterBlock", n * size, n,
			func(in, out []int) (*mpi.Request, error) { return mpi.ReduceScatterBlockInit(c, in, out, sum) },
			func(in, out []int) error { return mpi.ReduceScatterBlock(c, in, out, sum) },
		},
		{
			"ReduceScatter", total, counts[me],
			func(in, out []int) (*mpi.Request, error) { return mpi.ReduceScatterInit(c, in, out, counts, sum) },
			func(in, out []int) error { return mpi.ReduceScatter(c, in, out, counts, sum) },
		},
	}
}

// MPI 4.1, section 6.13: a persistent collective operation does the same as the blocking one, each time that it is
// started. Ranks may start those of a communicator in different orders.
func TestPersistentCollectives(t *testing.T) {
	sizes := []int{1, 4}
	if long() {
		sizes = []int{1, 2, 3, 4, 5, 8}
	}
	for _, size := range sizes {
		t.Run(fmt.Sprintf("%d ranks", size), func(t *testing.T) {
			ranks(t, size, func(t *testing.T, world *mpi.Comm) {
				const rounds = 2
				me := world.Rank()
				for _, n := range []int{1, 3000} {
					cases := persistentCases(world, n)
					in, out := make([][]int, len(cases)), make([][]int, len(cases))
					requests := make([]*mpi.Request, len(cases))
					for i, c := range cases {
						in[i], out[i] = make([]int, c.in), make([]int, c.out)
						requests[i] = must(t)(c.make(in[i], out[i]))
					}
					for round := range rounds {
						order := sequence(0, len(cases))
						switch (me + round) % 3 {
						case 1:
							slices.Reverse(order)
						case 2:
							order = append(order[5:], order[:5]...)
						}
						for i := range cases {
							copy(in[i], sequence(100*me+round+i, len(in[i])))
							copy(out[i], sequence(1000*me+round+i, len(out[i])))
						}
						for _, i := range order {
							require.NoError(t, requests[i].Start(), cases[i].name)
						}
						_, err := mpi.WaitAll(t.Context(), requests...)
						require.NoError(t, err)
						for i, c := range cases {
							wantIn, want := sequence(100*me+round+i, len(in[i])), sequence(1000*me+round+i, len(out[i]))
							require.NoError(t, c.call(wantIn, want))
							require.True(t, slices.Equal(want, out[i]), "%s in round %d", c.name, round)
						}
					}
					for _, r := range requests {
						require.NoError(t, r.Free())
					}
				}
			})
		})
	}
}

// Programs may make and free requests as they like: what those had is used again.
func TestPersistentCollectivesUseContextsAgain(t *testing.T) {
	ranks(t, 3, func(t *testing.T, world *mpi.Comm) {
		comm := must2(t)(world.Dup())
		kept := must(t)(comm.BarrierInit())
		for i := range 12 {
			send, recv := []int{i + world.Rank()}, make([]int, 1)
			a, b := must(t)(mpi.AllreduceInit(comm, send, recv, mpi.Sum)), must(t)(comm.BarrierInit())
			require.NoError(t, mpi.StartAll(a, b, kept))
			_, err := mpi.WaitAll(t.Context(), a, b, kept)
			require.NoError(t, err)
			require.Equal(t, 3*i+3, recv[0])
			require.NoError(t, a.Free())
			if world.Rank() != i%3 { // it frees later, and then neither can be used again
				require.NoError(t, b.Free())
			} else {
				defer func() { require.NoError(t, b.Free()) }()
			}
		}
		require.NoError(t, comm.Free())
		require.NoError(t, kept.Start(), "a request keeps its communicator")
		wait(t, kept)
		require.NoError(t, kept.Free())
	})
}

// must2 takes the communicator of a call that must succeed.
func must2(t *testing.T) func(c *mpi.Comm, err error) *mpi.Comm {
	return func(c *mpi.Comm, err error) *mpi.Comm {
		t.Helper()
		require.NoError(t, err)
		return c
	}
}

func TestErrorsOfPersistentCollectives(t *testing.T) {
	ranks(t, 3, func(t *testing.T, world *mpi.Comm) {
		// What is wrong on one rank all ranks hear when they make the request.
		root := 0
		if world.Rank() == 1 {
			root = 7
		}
		_, err := mpi.BcastInit(world, []int{1}, root)
		require.ErrorIs(t, err, mpi.ErrRoot)
		require.ErrorContains(t, err, "mpi.BcastInit: ")
		// So they do if they differ.
		_, err = mpi.AllreduceInit(world, make([]int, 1+world.Rank()/2), make([]int, 1+world.Rank()/2), mpi.Sum)
		require.ErrorIs(t, err, mpi.ErrCount)
		r := must(t)(world.BarrierInit())
		if world.Rank() == 0 {
			require.NoError(t, r.Start())
			require.ErrorIs(t, r.Start(), mpi.ErrRequest)
			require.ErrorIs(t, r.Free(), mpi.ErrRequest, "it is under way")
			require.ErrorContains(t, r.Cancel(), "cannot be cancelled")
			for other := 1; other < 3; other++ {
				require.NoError(t, mpi.Send(world, []int{}, other, 0))
			}
		} else {
			_, err := mpi.Recv(world, []int{}, 0, 0)
			require.NoError(t, err)
			require.NoError(t, r.Start())
		}
		wait(t, r)
		require.NoError(t, r.Free())
		require.ErrorIs(t, r.Start(), mpi.ErrRequest)
	})
}

// A function of the program runs in calls of the program, in all modes of progress.
func TestPersistentReductionByAFunctionOfTheProgram(t *testing.T) {
	for _, mode := range []string{"hybrid", "event", "inline"} {
		t.Run(mode, func(t *testing.T) {
			ranks(t, 4, func(t *testing.T, world *mpi.Comm) {
				send, recv := make([]int, 1), make([]int, 1)
				r := must(t)(mpi.AllreduceInit(world, send, recv, func(left, right []int) { left[0] = max(left[0], right[0]) }))
				for round := range 3 {
					send[0] = round + world.Rank()
					require.NoError(t, r.Start())
					wait(t, r)
					require.Equal(t, round+3, recv[0])
				}
				require.NoError(t, r.Free())
			}, mpi.WithProgress(mode))
		})
	}
}

// A rank that dies fails the runs that need it, and no run waits for ever.
func TestPersistentCollectivesEndWhenARankDies(t *testing.T) {
	forEachFastTransport(t, func(t *testing.T, options ...mpi.Option) {
		err := mpi.RunLocal(4, func(world *mpi.Comm) error {
			recv := make([]int, 1000)
			requests := []*mpi.Request{
				must(t)(world.BarrierInit()), must(t)(mpi.AllreduceInit(world, make([]int, 1000), recv, mpi.Sum)),
			}
			require.NoError(t, mpi.StartAll(requests...))
			_, err := mpi.WaitAll(t.Context(), requests...)
			require.NoError(t, err)
			if world.Rank() == 2 {
				require.NoError(t, requests[1].Start())
				for range 3 {
					_, err := mpi.Recv(world, []int{}, mpi.AnySource, 0)
					require.NoError(t, err)
				}
				return errDisk
			}
			require.NoError(t, mpi.Send(world, []int{}, 2, 0))
			for range 2 {
				require.NoError(t, mpi.StartAll(requests...))
				_, err = requests[0].Wait(t.Context())
				require.ErrorIs(t, err, mpi.ErrProcFailed)
				_, _ = requests[1].Wait(t.Context()) // rank 2 may have done its part
			}
			return nil
		}, options...)
		require.ErrorIs(t, err, errDisk)
	})
}

// A rank that has nothing to exchange cannot tell whether the others do it in place.
func TestPersistentCollectivesOfRanksWithNothing(t *testing.T) {
	ranks(t, 3, func(t *testing.T, world *mpi.Comm) {
		me := world.Rank()
		finish := func(r *mpi.Request, err error) {
			must(t)(r, err)
			for range 2 {
				require.NoError(t, r.Start())
				wait(t, r)
			}
			require.NoError(t, r.Free())
		}
		// Ranks 0 and 2 exchange an element, in place; rank 1 has none.
		var v []int64
		mine := mpi.Layout{Counts: []int{0, 0, 0}}
		if me != 1 {
			v = []int64{int64(me)}
			mine.Counts[2-me] = 1
		}
		finish(mpi.AlltoallvInit(world, v, mine, v, mine))
		if me != 1 {
			require.EqualValues(t, me, v[0], "after two exchanges")
		}
		require.NoError(t, mpi.Alltoallv(world, v, mine, v, mine))
		if me != 1 {
			require.EqualValues(t, 2-me, v[0])
		}
	})
}

// The part of a rank that goes to itself may be nothing, of no type.
func TestNothingForOneself(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		me, got := world.Rank(), []int{0}
		some, nothing := mpi.Elements([]int{10 + me}), mpi.Elements([]int{})
		for _, own := range [][2]mpi.Data{{{}, {}}, {{}, nothing}, {nothing, {}}, {nothing, mpi.Elements([]float32{})}} {
			send, recv := []mpi.Data{some, some}, []mpi.Data{mpi.Elements(got), mpi.Elements(got)}
			send[me], recv[me] = own[0], own[1]
			got[0] = 0
			require.NoError(t, mpi.Alltoallw(world, send, recv))
			require.Equal(t, 11-me, got[0])
			got[0] = 0
			r := must(t)(mpi.AlltoallwInit(world, send, recv))
			require.NoError(t, r.Start())
			wait(t, r)
			require.NoError(t, r.Free())
			require.Equal(t, 11-me, got[0])
		}
		send, recv := make([]mpi.Data, 2), make([]mpi.Data, 2)
		recv[me] = mpi.Elements(got)
		require.ErrorContains(t, mpi.Alltoallw(world, send, recv), "this rank sends itself 0 elements, but expects 1")
	})
}
