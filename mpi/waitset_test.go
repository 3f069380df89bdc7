package mpi_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// pendingReceives starts receives from rank 0 with the tags 0 to n-1, with nil
// requests in between.
func pendingReceives(t *testing.T, world *mpi.Comm, n int) []*mpi.Request {
	reqs := make([]*mpi.Request, 2*n)
	for tag := range n {
		reqs[2*tag] = must(t)(mpi.Irecv(world, make([]int, 1), 0, tag))
	}
	return reqs
}

// MPI 4.1, section 3.7.5.
func TestWaitAllReturnsAllStatusesInOrder(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		const n = 10
		if world.Rank() == 0 {
			require.NoError(t, world.Barrier())
			for tag := n - 1; tag >= 0; tag-- {
				require.NoError(t, mpi.Send(world, []int{tag}, 1, tag))
			}
			return
		}
		reqs := pendingReceives(t, world, n)
		_, done, err := mpi.TestAll(reqs...)
		require.NoError(t, err)
		require.False(t, done)
		_, err = mpi.WaitAll(ended(errPatience), reqs...)
		require.ErrorIs(t, err, mpi.ErrPending)
		require.ErrorContains(t, err, "request 0: ")
		require.ErrorContains(t, err, "request 18: ")
		require.NoError(t, world.Barrier())
		for range 2 { // and again
			statuses, err := mpi.WaitAll(t.Context(), reqs...)
			require.NoError(t, err)
			for i, status := range statuses {
				if i%2 == 0 {
					require.Equal(t, mpi.Status{Source: 0, Tag: i / 2, Count: 1, Bytes: 8}, status)
				} else {
					require.Equal(t, mpi.Status{Source: mpi.AnySource, Tag: mpi.AnyTag}, status)
				}
			}
		}
		_, done, err = mpi.TestAll(reqs...)
		require.NoError(t, err)
		require.True(t, done)
	})
}

// The errors of a set name the requests; the others' statuses are there.
func TestWaitAllJoinsErrorsWithTheirIndex(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		if world.Rank() == 0 {
			for tag := range 3 {
				require.NoError(t, mpi.Send(world, make([]int, tag), 1, tag))
			}
			return
		}
		statuses, err := mpi.WaitAll(t.Context(), pendingReceives(t, world, 3)...)
		require.ErrorIs(t, err, mpi.ErrTruncate)
		require.EqualError(t, err, "request 4: mpi.Irecv: message truncated: 2 elements of int64 from rank 0 with tag 2 exceed the buffer of 1")
		require.Equal(t, 1, statuses[2].Count)
	})
}

// Section 3.7.5: WaitAny returns each completion once, and -1 in the end.
func TestWaitAnyAndWaitSomeReturnEachRequestOnce(t *testing.T) {
	const n = 12
	takers := map[string]func(t *testing.T, reqs []*mpi.Request) []int{
		"WaitAny": func(t *testing.T, reqs []*mpi.Request) []int {
			i, status, err := mpi.WaitAny(t.Context(), reqs...)
			require.NoError(t, err)
			if i < 0 {
				return nil
			}
			require.Equal(t, i/2, status.Tag)
			return []int{i}
		},
		"WaitSome": func(t *testing.T, reqs []*mpi.Request) []int {
			indices, statuses, err := mpi.WaitSome(t.Context(), reqs...)
			require.NoError(t, err)
			for k, i := range indices {
				require.Equal(t, i/2, statuses[k].Tag)
			}
			return indices
		},
	}
	for name, take := range takers {
		t.Run(name, func(t *testing.T) {
			ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
				if world.Rank() == 0 {
					for _, tag := range []int{5, 1, 7, 0, 11, 3, 2, 10, 4, 9, 8, 6} {
						require.NoError(t, mpi.Send(world, []int{tag}, 1, tag))
						_, err := mpi.Recv(world, []int{}, 1, 0) // one at a time
						require.NoError(t, err)
					}
					return
				}
				reqs := pendingReceives(t, world, n)
				var got []int
				for indices := take(t, reqs); indices != nil; indices = take(t, reqs) {
					for range indices {
						require.NoError(t, mpi.Send(world, []int{}, 0, 0))
					}
					got = append(got, indices...)
				}
				require.Equal(t, []int{10, 2, 14, 0, 22, 6, 4, 20, 8, 18, 16, 12}, got)
			})
		})
	}
}

// TestAny and TestSome do not wait.
func TestTestAnyAndTestSome(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		if world.Rank() == 0 {
			require.NoError(t, world.Barrier())
			require.NoError(t, mpi.Send(world, []int{1}, 1, 1))
			require.NoError(t, mpi.Send(world, []int{1}, 1, 0))
			return
		}
		reqs := pendingReceives(t, world, 2)
		i, _, found, err := mpi.TestAny(reqs...)
		require.NoError(t, err)
		require.False(t, found)
		require.Equal(t, -1, i)
		indices, _, err := mpi.TestSome(reqs...)
		require.NoError(t, err)
		require.Empty(t, indices)
		require.NoError(t, world.Barrier())
		<-reqs[0].Done()
		<-reqs[2].Done()
		i, status, found, err := mpi.TestAny(reqs...)
		require.NoError(t, err)
		require.True(t, found)
		require.Equal(t, 0, i)
		require.Equal(t, 0, status.Tag)
		indices, statuses, err := mpi.TestSome(reqs...)
		require.NoError(t, err)
		require.Equal(t, []int{2}, indices)
		require.Equal(t, 1, statuses[0].Tag)
		i, _, found, err = mpi.TestAny(reqs...)
		require.NoError(t, err)
		require.True(t, found, "nothing is active any more")
		require.Equal(t, -1, i)
	})
}

// With nothing to wait for there is no waiting.
func TestWaitingForNothing(t *testing.T) {
	statuses, err := mpi.WaitAll(t.Context())
	require.NoError(t, err)
	require.Empty(t, statuses)
	i, _, err := mpi.WaitAny(t.Context(), nil, nil)
	require.NoError(t, err)
	require.Equal(t, -1, i)
	indices, _, err := mpi.WaitSome(t.Context(), nil, nil)
	require.NoError(t, err)
	require.Nil(t, indices)
}

// WaitAny and WaitSome give up like Wait, and the requests go on.
func TestSetsGiveUpWithoutCancelling(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		if world.Rank() == 0 {
			require.NoError(t, world.Barrier())
			require.NoError(t, mpi.Send(world, []int{1}, 1, 0))
			return
		}
		reqs := pendingReceives(t, world, 1)
		i, _, err := mpi.WaitAny(ended(errPatience), reqs...)
		require.Equal(t, -1, i)
		require.EqualError(t, err, "mpi.WaitAny: operation pending: no request of 2 has completed: out of patience")
		_, _, err = mpi.WaitSome(ended(errPatience), reqs...)
		require.ErrorIs(t, err, mpi.ErrPending)
		require.ErrorIs(t, err, errPatience)
		require.NoError(t, world.Barrier())
		<-reqs[0].Done()
		i, _, err = mpi.WaitAny(ended(errPatience), reqs...)
		require.NoError(t, err, "what has completed is returned whatever the context says")
		require.Zero(t, i)
	})
}

// Goroutines that share a set share its completions: none is lost or doubled.
func TestManyGoroutinesWaitForOneSet(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		const n, takers = 60, 6
		if world.Rank() == 0 {
			for tag := range n {
				require.NoError(t, mpi.Send(world, []int{tag}, 1, tag))
			}
			return
		}
		reqs := pendingReceives(t, world, n)
		var mu sync.Mutex
		var got []int
		var all sync.WaitGroup
		for taker := range takers {
			all.Go(func() {
				for {
					var indices []int
					var err error
					if taker%2 == 0 {
						var i int
						if i, _, err = mpi.WaitAny(t.Context(), reqs...); i >= 0 {
							indices = []int{i}
						}
					} else {
						indices, _, err = mpi.WaitSome(t.Context(), reqs...)
					}
					if err != nil {
						t.Error(err)
					}
					if len(indices) == 0 {
						return
					}
					mu.Lock()
					got = append(got, indices...)
					mu.Unlock()
				}
			})
		}
		all.Wait()
		slices.Sort(got)
		require.Len(t, got, n)
		require.Len(t, slices.Compact(got), n, fmt.Sprint(got))
	})
}

// Goroutines that share a request all get its outcome, and never that of the operation which
// has its place by then.
func TestManyGoroutinesWaitForOneRequest(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		const rounds = 100
		if world.Rank() == 0 {
			for tag := range rounds {
				require.NoError(t, mpi.Send(world, sequence(tag, 1+tag%3), 1, tag))
			}
			return
		}
		for tag := range rounds {
			r := must(t)(mpi.Irecv(world, make([]int, 3), 0, tag))
			outcome := func(status mpi.Status, err error) {
				assert.NoError(t, err)
				assert.Equal(t, mpi.Status{Source: 0, Tag: tag, Count: 1 + tag%3, Bytes: 8 * (1 + tag%3)}, status)
				_, err = mpi.Sendrecv(world, []int{tag}, 1, rounds, make([]int, 1), 1, rounds)
				assert.NoError(t, err)
			}
			var all sync.WaitGroup
			all.Go(func() { outcome(r.Wait(t.Context())) })
			all.Go(func() {
				<-r.Done()
				status, done, err := r.Test()
				assert.True(t, done)
				outcome(status, err)
			})
			all.Go(func() {
				statuses, err := mpi.WaitAll(t.Context(), r)
				outcome(statuses[0], err)
			})
			all.Go(func() {
				if i, status, err := mpi.WaitAny(t.Context(), r); i >= 0 { // else others have been faster
					outcome(status, err)
				}
			})
			all.Wait()
		}
	})
}
