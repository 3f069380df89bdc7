package mpi_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// Collective operations may be under way at the same time. Ranks start them in the same order and wait for them in
// different ones.
func TestNonblockingCollectives(t *testing.T) {
	const n, size = 12, 5
	ranks(t, size, func(t *testing.T, world *mpi.Comm) {
		me := world.Rank()
		var requests []*mpi.Request
		var checks []func()
		add := func(r *mpi.Request, err error) { requests = append(requests, must(t)(r, err)) }
		for i := range n {
			length := 1 << i
			one := sequence(me*1000+i, length)
			all := make([]int, size*length)
			sum := make([]int, length)
			big := sequence(0, length)
			if me != i%size {
				clear(big)
			}
			add(mpi.Iallgather(world, one, all))
			add(world.Ibarrier())
			add(mpi.Iallreduce(world, one, sum, mpi.Sum))
			add(mpi.Ibcast(world, big, i%size))
			checks = append(checks, func() {
				for rank := range size {
					equal(t, sequence(rank*1000+i, length), all[rank*length:(rank+1)*length])
				}
				equal(t, steps(size*i+1000*(size*(size-1)/2), size, length), sum)
				equal(t, sequence(0, length), big)
			})
		}
		require.NoError(t, world.Barrier())
		for i := range requests {
			if me%2 == 1 {
				i = len(requests) - 1 - i
			}
			wait(t, requests[i])
		}
		for _, check := range checks {
			check()
		}
	})
}

// A function of the program is called in calls of the program alone, in all modes of progress.
func TestNonblockingReductionByAFunctionOfTheProgram(t *testing.T) {
	for _, mode := range []string{"hybrid", "event", "inline"} {
		t.Run(mode, func(t *testing.T) {
			ranks(t, 4, func(t *testing.T, world *mpi.Comm) {
				send, recv := []int{world.Rank() + 1, 2}, make([]int, 2)
				r, err := mpi.Iallreduce(world, send, recv, func(left, right []int) {
					for i := range left {
						left[i] = 10*left[i] + right[i]
					}
				})
				wait(t, must(t)(r, err))
				require.Contains(t, [][]int{{1234, 2222}, {10*12 + 34, 22*10 + 22}}, recv)
			}, mpi.WithProgress(mode))
		})
	}
}

// A rank that waits for something else calls the functions of its program all the same: the others wait for them.
func TestFunctionsOfTheProgramRunInCallsForSomethingElse(t *testing.T) {
	for _, mode := range []string{"hybrid", "event", "inline"} {
		t.Run(mode, func(t *testing.T) {
			ranks(t, 4, func(t *testing.T, world *mpi.Comm) {
				me, total := world.Rank(), make([]int, 1)
				r := must(t)(mpi.Iallreduce(world, []int{me}, total, func(left, right []int) { left[0] += right[0] }))
				left, right := (me+3)%4, (me+1)%4
				if me == 0 {
					_, err := mpi.Recv(world, make([]byte, 1), left, 1)
					require.NoError(t, err)
				}
				wait(t, r)
				require.NoError(t, mpi.Send(world, []byte{1}, right, 1))
				if me != 0 {
					_, err := mpi.Recv(world, make([]byte, 1), left, 1)
					require.NoError(t, err)
				}
				require.Equal(t, []int{6}, total)
			}, mpi.WithProgress(mode))
		})
	}
}

func TestNonblockingCollectivesCannotBeCancelled(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		r := must(t)(world.Ibarrier())
		if err := r.Cancel(); err != nil { // it may have completed
			require.ErrorIs(t, err, mpi.ErrRequest)
		}
		wait(t, r)
	})
}

// Errors of arguments are returned at once, and the other ranks hear of them by their requests.
func TestNonblockingCollectiveWithAWrongArgument(t *testing.T) {
	ranks(t, 3, func(t *testing.T, world *mpi.Comm) {
		buf := []int{1}
		root := 0
		if world.Rank() == 1 {
			root = 7
		}
		r, err := mpi.Ibcast(world, buf, root)
		if world.Rank() == 1 {
			require.ErrorIs(t, err, mpi.ErrRoot)
			require.ErrorContains(t, err, "mpi.Ibcast: ")
			require.Nil(t, r)
		} else if world.Rank() == 2 && err == nil {
			_, err = r.Wait(t.Context())
			if err != nil {
				require.ErrorIs(t, err, mpi.ErrRoot)
			}
		} else if err == nil {
			_, _ = r.Wait(t.Context())
		}
		require.NoError(t, world.Barrier())
	})
}

// A rank that dies fails the operations under way that need it, of whatever number, and no operation waits for ever.
func TestNonblockingCollectivesEndWhenARankDies(t *testing.T) {
	for _, c := range carriers {
		if c.impaired {
			continue
		}
		c.run(t, func(t *testing.T, transport string) {
			err := mpi.RunLocal(4, func(world *mpi.Comm) error {
				var requests []*mpi.Request
				for i := range 6 {
					vector := make([]float64, 1<<(3*i))
					requests = append(requests, must(t)(mpi.Iallreduce(world, vector, make([]float64, len(vector)), mpi.Sum)))
					requests = append(requests, must(t)(mpi.Ibcast(world, make([]int, 100), i%4)))
				}
				if world.Rank() == 2 {
					return errDisk
				}
				// Operations that rank 2 has not begun depend on it.
				for range 3 {
					r, err := world.Ibarrier()
					requests = append(requests, must(t)(r, err))
				}
				failed := 0
				for _, r := range requests {
					if _, err := r.Wait(t.Context()); err != nil {
						require.ErrorIs(t, err, mpi.ErrProcFailed)
						failed++
					}
				}
				require.GreaterOrEqual(t, failed, 3)
				return nil
			}, mpi.WithTransport(transport))
			require.ErrorIs(t, err, errDisk)
		})
	}
}
