package mpi_test

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// MPI 4.1, chapter 4: partitions are sent in whatever order they become ready, by several goroutines. The receiver may have
// other partitions than the sender.
func TestPartitionedMessages(t *testing.T) {
	for _, partitions := range [][2]int{{1, 1}, {4, 6}, {6, 4}, {12, 1}} {
		t.Run(fmt.Sprint(partitions), func(t *testing.T) {
			ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
				for _, length := range []int{12, 12 * 2000} {
					buf := make([]int, length)
					if world.Rank() == 0 {
						r := must(t)(mpi.PsendInit(world, buf, partitions[0], 1, 5))
						for round := range 3 {
							require.NoError(t, r.Start())
							var all sync.WaitGroup
							part := length / partitions[0]
							for i := range partitions[0] {
								all.Go(func() {
									copy(buf[i*part:], sequence(round+i*part, part))
									assert.NoError(t, r.Pready(i))
								})
							}
							all.Wait()
							wait(t, r)
						}
						require.NoError(t, r.Free())
						continue
					}
					r := must(t)(mpi.PrecvInit(world, buf, partitions[1], 0, 5))
					for round := range 3 {
						clear(buf)
						require.NoError(t, r.Start())
						part := length / partitions[1]
						if round < 2 {
							for i := partitions[1] - 1; i >= 0; i-- {
								for {
									arrived, err := r.Parrived(i)
									require.NoError(t, err)
									if arrived {
										break
									}
									runtime.Gosched()
								}
								require.True(t, slices.Equal(sequence(round+i*part, part), buf[i*part:(i+1)*part]))
							}
						}
						require.Equal(t, mpi.Status{Source: 0, Tag: 5, Count: length, Bytes: 8 * length}, wait(t, r))
						require.True(t, slices.Equal(sequence(round, length), buf))
					}
					require.NoError(t, r.Free())
				}
			})
		})
	}
}

// A partition arrives while others are not ready.
func TestPartitionsDoNotWaitForEachOther(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		buf := []int{1, 2, 3}
		if world.Rank() == 0 {
			r := must(t)(mpi.PsendInit(world, buf, 3, 1, 0))
			require.NoError(t, r.Start())
			for _, i := range []int{2, 0, 1} {
				require.NoError(t, r.Pready(i))
				_, err := mpi.Recv(world, []int{}, 1, 1) // it has come
				require.NoError(t, err)
			}
			wait(t, r)
			return
		}
		clear(buf)
		r := must(t)(mpi.PrecvInit(world, buf, 3, 0, 0))
		require.NoError(t, r.Start())
		for _, i := range []int{2, 0, 1} {
			for arrived := false; !arrived; {
				var err error
				arrived, err = r.Parrived(i)
				require.NoError(t, err)
			}
			require.Equal(t, i+1, buf[i])
			require.NoError(t, mpi.Send(world, []int{}, 0, 1))
		}
		wait(t, r)
	})
}

// Section 4.3: requests with the same tag match in the order in which they were made, whenever they are started, and never
// with other messages.
func TestPartitionedRequestsMatchInOrder(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		const n = 4
		requests, bufs := make([]*mpi.Request, n), make([][]int, n)
		if world.Rank() == 0 {
			require.NoError(t, mpi.Send(world, []int{77, 77}, 1, 3))
		}
		for i := range n {
			bufs[i] = make([]int, 2)
			if world.Rank() == 0 {
				bufs[i] = []int{10 * i, 10*i + 1}
				requests[i] = must(t)(mpi.PsendInit(world, bufs[i], 2, 1, 3))
			} else {
				requests[i] = must(t)(mpi.PrecvInit(world, bufs[i], 2, 0, 3))
			}
		}
		order := sequence(0, n)
		if world.Rank() == 1 {
			slices.Reverse(order)
		}
		for _, i := range order {
			require.NoError(t, requests[i].Start())
			if world.Rank() == 0 {
				require.NoError(t, requests[i].PreadyRange(0, 1))
			}
		}
		_, err := mpi.WaitAll(t.Context(), requests...)
		require.NoError(t, err)
		if world.Rank() == 1 {
			for i := range n {
				require.Equal(t, []int{10 * i, 10*i + 1}, bufs[i])
			}
			_, err := mpi.Recv(world, bufs[0], 0, 3)
			require.NoError(t, err)
			require.Equal(t, []int{77, 77}, bufs[0])
		}
	})
}

func TestErrorsOfPartitionedMessages(t *testing.T) {
	require.NoError(t, mpi.RunLocal(1, func(world *mpi.Comm) error {
		buf := make([]int, 6)
		for _, partitions := range []int{0, -1, 4} {
			_, err := mpi.PsendInit(world, buf, partitions, 0, 0)
			require.Error(t, err)
			_, err = mpi.PrecvInit(world, buf, partitions, 0, 0)
			require.Error(t, err)
		}
		_, err := mpi.PrecvInit(world, buf, 2, mpi.AnySource, 0)
		require.ErrorIs(t, err, mpi.ErrRank)
		_, err = mpi.PrecvInit(world, buf, 2, 0, mpi.AnyTag)
		require.ErrorIs(t, err, mpi.ErrTag)
		send, recv := must(t)(mpi.PsendInit(world, buf, 3, 0, 0)), must(t)(mpi.PrecvInit(world, make([]int, 6), 2, 0, 0))
		require.ErrorContains(t, send.Pready(0), "is inactive: start it first")
		arrived, err := recv.Parrived(1)
		require.NoError(t, err)
		require.True(t, arrived, "it is inactive")
		require.NoError(t, mpi.StartAll(send, recv))
		require.ErrorContains(t, send.Pready(3), "partition 3 is not one of 3")
		require.ErrorIs(t, send.PreadyRange(2, 1), mpi.ErrArg)
		require.NoError(t, send.PreadyList(2, 0))
		require.ErrorContains(t, send.Pready(0), "partition 0 is ready already")
		require.ErrorIs(t, recv.Pready(0), mpi.ErrRequest)
		_, err = send.Parrived(0)
		require.ErrorIs(t, err, mpi.ErrRequest)
		_, err = recv.Parrived(-1)
		require.ErrorIs(t, err, mpi.ErrArg)
		require.ErrorIs(t, send.Cancel(), mpi.ErrRequest)
		require.ErrorIs(t, recv.Free(), mpi.ErrRequest)
		require.NoError(t, send.Pready(1))
		wait(t, send)
		wait(t, recv)

		// A buffer that is too short, or of another type.
		long, short := must(t)(mpi.PsendInit(world, buf, 3, 0, 1)), must(t)(mpi.PrecvInit(world, make([]int, 4), 2, 0, 1))
		require.NoError(t, mpi.StartAll(long, short))
		_, err = short.Wait(t.Context())
		require.ErrorIs(t, err, mpi.ErrTruncate)
		whole, other := must(t)(mpi.PsendInit(world, buf, 3, 0, 2)), must(t)(mpi.PrecvInit(world, make([]float64, 6), 2, 0, 2))
		require.NoError(t, mpi.StartAll(whole, other))
		_, err = other.Wait(t.Context())
		require.ErrorIs(t, err, mpi.ErrType)

		null := must(t)(mpi.PsendInit(world, buf, 3, mpi.ProcNull, 1))
		none := must(t)(mpi.PrecvInit(world, buf, 3, mpi.ProcNull, 1))
		require.NoError(t, mpi.StartAll(null, none))
		require.NoError(t, null.PreadyRange(0, 2))
		wait(t, null)
		require.Equal(t, mpi.ProcNull, wait(t, none).Source)
		return nil
	}))
}

// The death of a peer fails what is open, before and after the two have met.
func TestPartitionedMessagesFailWhenTheirPeerDies(t *testing.T) {
	forEachFastTransport(t, func(t *testing.T, options ...mpi.Option) {
		err := mpi.RunLocal(2, func(world *mpi.Comm) error {
			buf := make([]int, 4)
			if world.Rank() == 1 {
				r := must(t)(mpi.PsendInit(world, buf, 2, 0, 0))
				require.NoError(t, r.Start())
				require.NoError(t, r.Pready(0))
				_, err := mpi.Recv(world, []int{}, 0, 9)
				require.NoError(t, err)
				return errDisk
			}
			met, alone := must(t)(mpi.PrecvInit(world, buf, 2, 1, 0)), must(t)(mpi.PrecvInit(world, buf, 2, 1, 1))
			require.NoError(t, mpi.StartAll(met, alone))
			for arrived := false; !arrived; {
				var err error
				arrived, err = met.Parrived(0)
				require.NoError(t, err)
			}
			require.NoError(t, mpi.Send(world, []int{}, 1, 9))
			for range 2 {
				_, err := met.Wait(t.Context())
				require.ErrorIs(t, err, mpi.ErrProcFailed)
				_, err = alone.Wait(t.Context())
				require.ErrorIs(t, err, mpi.ErrProcFailed)
				_, err = alone.Parrived(0)
				require.NoError(t, err, "it is inactive")
				require.NoError(t, mpi.StartAll(met, alone))
			}
			_, _ = mpi.WaitAll(context.Background(), met, alone)
			_, err := met.Parrived(0)
			require.NoError(t, err)
			return nil
		}, options...)
		require.ErrorIs(t, err, errDisk)
	})
}

// Columns of a matrix, partition by partition: neither side has them in one piece.
func TestPartitionedColumns(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		const rows, columns = 12, 3
		matrix := make([]int, rows*columns)
		column := mpi.Strided(matrix, rows, 1, columns)
		other := 1 - world.Rank()
		for round := range 2 {
			if world.Rank() == 0 {
				r := must(t)(mpi.PsendDataInit(world, column, 4, 1, 0))
				for i := range rows {
					matrix[i*columns] = 100*round + i
				}
				require.NoError(t, r.Start())
				require.NoError(t, r.PreadyList(3, 1, 0, 2))
				wait(t, r)
			} else {
				r := must(t)(mpi.PrecvDataInit(world, column, 3, 0, 0))
				require.NoError(t, r.Start())
				for arrived := false; !arrived; {
					var err error
					arrived, err = r.Parrived(1)
					require.NoError(t, err)
				}
				require.Equal(t, 100*round+7, matrix[7*columns])
				matrix[7*columns] = -1 // it is the program's again
				require.Equal(t, rows, wait(t, r).Count)
				for i := range rows {
					if i != 7 {
						require.Equal(t, 100*round+i, matrix[i*columns])
					}
				}
				require.Equal(t, -1, matrix[7*columns])
				require.Zero(t, matrix[1], "what lies between stays as it is")
			}
			mine := matrix[columns]
			_, err := mpi.SendrecvReplaceData(world, column, other, 1, other, 1)
			require.NoError(t, err)
			require.Equal(t, mine, matrix[columns], "both have the same there")
		}
	})
}
