package mpi_test

import (
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// MPI 4.1, section 3.9: a persistent request sends or receives each time that it is started, what the buffer has then.
func TestPersistentMessages(t *testing.T) {
	modes := map[string]func(c *mpi.Comm, buf []int, dest, tag int) (*mpi.Request, error){
		"SendInit": mpi.SendInit[int], "SsendInit": mpi.SsendInit[int], "BsendInit": mpi.BsendInit[int], "RsendInit": mpi.RsendInit[int],
	}
	for name, send := range modes {
		t.Run(name, func(t *testing.T) {
			ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
				for _, length := range []int{1, 20_000} {
					buf := make([]int, length)
					r := must(t)(mpi.RecvInit(world, buf, 0, 1))
					if world.Rank() == 0 {
						r = must(t)(send(world, buf, 1, 1))
					}
					for round := range 3 {
						if world.Rank() == 0 {
							copy(buf, sequence(round, length))
						}
						require.NoError(t, r.Start())
						status := wait(t, r)
						if world.Rank() == 1 {
							require.Equal(t, mpi.Status{Source: 0, Tag: 1, Count: length, Bytes: 8 * length}, status)
							require.True(t, slices.Equal(sequence(round, length), buf))
						}
					}
					require.NoError(t, r.Free())
				}
			})
		})
	}
}

// Section 3.7.3: an inactive request counts as complete, with an empty status, and sets pass over it.
func TestInactiveRequests(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		if world.Rank() == 0 {
			require.NoError(t, mpi.Send(world, []int{1}, 1, 1))
			return
		}
		empty := mpi.Status{Source: mpi.AnySource, Tag: mpi.AnyTag}
		r := must(t)(mpi.RecvInit(world, make([]int, 1), 0, 1))
		inactive := func() {
			require.Equal(t, empty, wait(t, r))
			status, done, err := r.Test()
			require.NoError(t, err)
			require.True(t, done)
			require.Equal(t, empty, status)
			<-r.Done()
			require.NoError(t, r.Cancel())
			statuses, err := mpi.WaitAll(t.Context(), r, nil)
			require.NoError(t, err)
			require.Equal(t, []mpi.Status{empty, empty}, statuses)
			_, done, err = mpi.TestAll(r)
			require.NoError(t, err)
			require.True(t, done)
			i, status, err := mpi.WaitAny(t.Context(), r)
			require.NoError(t, err)
			require.Equal(t, -1, i)
			require.Equal(t, empty, status)
			indices, _, err := mpi.WaitSome(t.Context(), r, nil)
			require.NoError(t, err)
			require.Nil(t, indices)
		}
		inactive()
		require.NoError(t, r.Start())
		i, status, err := mpi.WaitAny(t.Context(), nil, r)
		require.NoError(t, err)
		require.Equal(t, 1, i)
		require.Equal(t, 1, status.Count)
		inactive()
		require.NoError(t, r.Free())
		inactive()
	})
}

// A receive that is not needed is cancelled, and started again.
func TestCancelPersistent(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		if world.Rank() == 0 {
			require.NoError(t, world.Barrier())
			require.NoError(t, mpi.Send(world, []int{1}, 1, 1))
			return
		}
		r := must(t)(mpi.RecvInit(world, make([]int, 1), 0, 1))
		require.NoError(t, r.Start())
		require.NoError(t, r.Cancel())
		require.True(t, wait(t, r).Cancelled)
		require.NoError(t, world.Barrier())
		require.NoError(t, r.Start())
		require.Equal(t, 1, wait(t, r).Count)
	})
}

func TestErrorsOfStart(t *testing.T) {
	require.NoError(t, mpi.RunLocal(1, func(world *mpi.Comm) error {
		var none *mpi.Request
		require.EqualError(t, none.Start(), "mpi.Start: invalid request: the request is nil")
		require.EqualError(t, none.Free(), "mpi.Free: invalid request: the request is nil")
		plain := must(t)(mpi.Irecv(world, make([]int, 1), 0, 1))
		require.EqualError(t, plain.Start(), "mpi.Start: invalid request: the request is of mpi.Irecv, and not persistent")
		r := must(t)(mpi.RecvInit(world, make([]int, 1), 0, 2))
		require.NoError(t, r.Start())
		require.EqualError(t, r.Start(), "mpi.Start: invalid request: the request of mpi.RecvInit is active: Wait or Test must have returned its outcome before")
		require.ErrorIs(t, mpi.StartAll(nil, r), mpi.ErrRequest)
		send := must(t)(mpi.SendInit(world, []int{7}, 0, 1))
		require.ErrorContains(t, mpi.StartAll(send, r), "request 1: mpi.StartAll: ")
		wait(t, send)
		wait(t, plain)
		require.NoError(t, mpi.Send(world, []int{1}, 0, 2))
		<-r.Done()
		require.ErrorIs(t, r.Start(), mpi.ErrRequest, "until its outcome has been asked for")
		wait(t, r)
		require.NoError(t, r.Free())
		require.EqualError(t, r.Start(), "mpi.Start: invalid request: the request has been freed")
		require.ErrorIs(t, r.Free(), mpi.ErrRequest)
		_, err := mpi.SendInit(world, []int{1}, 1, 1)
		require.ErrorIs(t, err, mpi.ErrRank)
		_, err = mpi.RecvInit(world, []int{1}, 0, -7)
		require.ErrorIs(t, err, mpi.ErrTag)
		_, err = mpi.RecvInit(world, []string{""}, 0, 1)
		require.ErrorIs(t, err, mpi.ErrType)
		return nil
	}))
}

// A persistent request is usable after the failure of a run, and after its communicator was freed.
func TestPersistentRequestsOutliveFailures(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		dup, err := world.Dup()
		require.NoError(t, err)
		if world.Rank() == 0 {
			require.NoError(t, mpi.Send(dup, []int{1, 2}, 1, 1))
			r := must(t)(mpi.SendInit(dup, []int{3}, 1, 1))
			require.NoError(t, dup.Free())
			require.NoError(t, r.Start())
			wait(t, r)
			require.NoError(t, r.Free())
			return
		}
		r := must(t)(mpi.RecvInit(dup, make([]int, 1), 0, 1))
		require.NoError(t, r.Start())
		_, err = r.Wait(t.Context())
		require.ErrorIs(t, err, mpi.ErrTruncate)
		require.ErrorContains(t, err, "mpi.RecvInit: ")
		wait(t, r) // it is inactive
		require.NoError(t, dup.Free())
		require.NoError(t, r.Start())
		require.Equal(t, 1, wait(t, r).Count)
		require.NoError(t, r.Free())
	})
}

// A freed request's message arrives all the same.
func TestFreeOfAnActiveRequest(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		buf := sequence(0, 100_000)
		if world.Rank() == 0 {
			r := must(t)(mpi.SendInit(world, buf, 1, 1))
			require.NoError(t, r.Start())
			require.NoError(t, r.Free())
			require.NoError(t, world.Barrier())
			wait(t, r)
			return
		}
		clear(buf)
		require.NoError(t, world.Barrier())
		_, err := mpi.Recv(world, buf, 0, 1)
		require.NoError(t, err)
		require.Equal(t, sequence(0, 100_000), buf)
	})
}

// The death of a peer fails the runs that need it.
func TestPersistentRequestsFailWhenTheirPeerDies(t *testing.T) {
	forEachFastTransport(t, func(t *testing.T, options ...mpi.Option) {
		err := mpi.RunLocal(2, func(world *mpi.Comm) error {
			if world.Rank() == 1 {
				require.NoError(t, world.Barrier())
				return errDisk
			}
			r := must(t)(mpi.RecvInit(world, make([]int, 1), 1, 1))
			require.NoError(t, r.Start())
			require.NoError(t, world.Barrier())
			for range 2 {
				_, err := r.Wait(t.Context())
				require.ErrorIs(t, err, mpi.ErrProcFailed)
				require.NoError(t, r.Start())
			}
			_, err := r.Wait(t.Context())
			require.ErrorIs(t, err, mpi.ErrProcFailed)
			return r.Free()
		}, options...)
		require.ErrorIs(t, err, errDisk)
	})
}

// Goroutines may wait for a request that others start again: each run's outcome is had by one of them.
func TestManyGoroutinesWaitForAPersistentRequest(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		const rounds = 100
		if world.Rank() == 0 {
			for i := range rounds {
				require.NoError(t, mpi.Ssend(world, []int{i}, 1, 1))
			}
			return
		}
		r := must(t)(mpi.RecvInit(world, make([]int, 1), 0, 1))
		for range rounds {
			require.NoError(t, r.Start())
			var mu sync.Mutex
			outcomes := 0
			count := func(status mpi.Status, err error) {
				assert.NoError(t, err)
				mu.Lock()
				defer mu.Unlock()
				outcomes += status.Count
			}
			var all sync.WaitGroup
			all.Go(func() { count(r.Wait(t.Context())) })
			all.Go(func() {
				_, status, err := mpi.WaitAny(t.Context(), nil, r)
				count(status, err)
			})
			all.Go(func() {
				statuses, err := mpi.WaitAll(t.Context(), r)
				count(statuses[0], err)
			})
			all.Wait()
			require.Equal(t, 1, outcomes)
		}
	})
}
