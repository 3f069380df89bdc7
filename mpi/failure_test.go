package mpi_test

import (
	"errors"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// A rank whose test has failed is a goroutine that has ended, and no firewall is between two goroutines.
func TestRankThatEndsItsGoroutineIsNotBehindAFirewall(t *testing.T) {
	for _, transport := range []string{"sctp-engine", "sctp-pertrc", "tcp-perpair", "tcp-pertrc"} {
		err := mpi.RunLocal(2, func(world *mpi.Comm) error {
			if world.Rank() == 1 {
				runtime.Goexit()
			}
			_, err := mpi.Recv(world, []int{0}, 1, 0)
			require.ErrorIs(t, err, mpi.ErrProcFailed)
			require.ErrorIs(t, mpi.Ssend(world, []int{0}, 1, 0), mpi.ErrProcFailed)
			return err
		}, mpi.WithTransport(transport))
		require.ErrorContains(t, err, "rank 1: fn ended its goroutine")
		require.NotContains(t, err.Error(), "firewall", transport)
	}
}

var errDisk = errors.New("disk full")

// MPI 4.1, section 9.4 and the fault tolerance chapter of its users: the death
// of a process fails the operations that need it, and no others.
func TestDeathOfARankFailsWhatNeedsIt(t *testing.T) {
	forEachFastTransport(t, func(t *testing.T, options ...mpi.Option) {
		err := mpi.RunLocal(4, func(world *mpi.Comm) error {
			half, err := world.Split(world.Rank()/2, 0) // {0, 1} and {2, 3}
			if err != nil {
				return err
			}
			if world.Rank() == 3 {
				return errDisk
			}
			if world.Rank() == 2 {
				for name, call := range map[string]func() error{
					"Recv":   func() error { _, err := mpi.Recv(world, []int{0}, 3, 0); return err },
					"Probe":  func() error { _, err := world.Probe(3, 0); return err },
					"Mprobe": func() error { _, _, err := world.Mprobe(3, 0); return err },
					"Ssend":  func() error { return mpi.Ssend(world, []int{0}, 3, 0) },
					"Irecv": func() error {
						r := must(t)(mpi.Irecv(half, []int{0}, 1, 0))
						_, err := r.Wait(t.Context())
						return err
					},
					"Bcast": func() error { return mpi.Bcast(half, []int{0}, 1) },
				} {
					err := call()
					require.ErrorIs(t, err, mpi.ErrProcFailed, name)
				}
				// A send may end as soon as its message is buffered, where no rendezvous is needed;
				// but not once it is known that it will not be received.
				require.ErrorIs(t, mpi.Send(world, make([]int, 100_000), 3, 0), mpi.ErrProcFailed)
				_, err := mpi.Recv(half, []int{0}, 1, 0)
				require.ErrorContains(t, err, "mpi.Recv: process failed: receive from rank 1 (3 of the job) with tag 0: rank 1 (3 of the job) is gone: ")
			}
			// All ranks that are left fail in a collective of all.
			require.ErrorIs(t, world.Barrier(), mpi.ErrProcFailed)
			require.ErrorIs(t, mpi.Allreduce(world, []int{1}, []int{0}, mpi.Sum), mpi.ErrProcFailed)
			if world.Rank() < 2 { // they do not need rank 3
				all := make([]int, 2)
				require.NoError(t, mpi.Allgather(half, []int{world.Rank()}, all))
				require.Equal(t, []int{0, 1}, all)
			}
			_, err = mpi.Recv(world, []int{0}, 3, 0) // now all know that it is dead
			require.ErrorIs(t, err, mpi.ErrProcFailed)
			_, err = world.AckFailed(world.Size())
			require.NoError(t, err)
			got := make([]int, 1)
			_, err = mpi.Sendrecv(world, []int{world.Rank()}, (world.Rank()+1)%3, 0, got, mpi.AnySource, 0)
			require.NoError(t, err)
			require.Equal(t, (world.Rank()+2)%3, got[0])
			return nil
		}, options...)
		require.EqualError(t, err, "rank 3: disk full")
		require.ErrorIs(t, err, errDisk)
	})
}

// A receive from any source of a communicator fails when all its other ranks are gone, though
// others of the job live.
func TestWildcardsEndWithTheirCommunicator(t *testing.T) {
	forEachFastTransport(t, func(t *testing.T, options ...mpi.Option) {
		err := mpi.RunLocal(5, func(world *mpi.Comm) error {
			half, err := world.Split(min(world.Rank()/3, 1), -world.Rank()) // {2, 1, 0} and {4, 3}
			if err != nil {
				return err
			}
			twin, err := half.Dup()
			if err != nil {
				return err
			}
			switch world.Rank() {
			case 1, 2:
				return errDisk
			case 0:
				for _, c := range []*mpi.Comm{half, twin} {
					_, err = mpi.Recv(c, []int{0}, mpi.AnySource, 0)
					require.ErrorIs(t, err, mpi.ErrProcFailed)
					_, err = c.Probe(mpi.AnySource, mpi.AnyTag)
					require.ErrorIs(t, err, mpi.ErrProcFailed)
				}
				require.NoError(t, mpi.Send(world, []int{1}, 3, 0))
			default:
				got := []int{0}
				if world.Rank() == 4 {
					return mpi.Send(half, []int{2}, 1, 0)
				}
				_, err = mpi.Recv(half, got, mpi.AnySource, 0)
				require.NoError(t, err)
				require.Equal(t, 2, got[0])
				for dead := 1; dead <= 2; dead++ {
					_, err = mpi.Recv(world, got, dead, 0)
					require.ErrorIs(t, err, mpi.ErrProcFailed)
				}
				_, err = world.AckFailed(world.Size())
				require.NoError(t, err)
				_, err = mpi.Recv(world, got, mpi.AnySource, 0) // of a communicator of which rank 0 lives
				require.NoError(t, err)
				require.Equal(t, 1, got[0])
			}
			return nil
		}, options...)
		require.ErrorIs(t, err, errDisk)
	})
}

// What had arrived before its sender died can be received.
func TestMessagesOutliveTheirSender(t *testing.T) {
	forEachFastTransport(t, func(t *testing.T, options ...mpi.Option) {
		err := mpi.RunLocal(2, func(world *mpi.Comm) error {
			if world.Rank() == 0 {
				if err := mpi.Send(world, []int{42}, 1, 0); err != nil {
					return err
				}
				if err := mpi.Ssend(world, []int{43}, 1, 1); err != nil { // so that both have arrived
					return err
				}
				return errDisk
			}
			got := make([]int, 1)
			_, err := mpi.Recv(world, got, 0, 1)
			require.NoError(t, err)
			_, err = mpi.Recv(world, got, 0, 2)
			require.ErrorIs(t, err, mpi.ErrProcFailed)
			_, err = mpi.Recv(world, got, 0, 0)
			require.NoError(t, err)
			require.Equal(t, 42, got[0])
			return nil
		}, options...)
		require.EqualError(t, err, "rank 0: disk full")
	})
}

// A panic is an error of its rank, with the stack, and no other rank hangs.
func TestRunLocalReportsPanics(t *testing.T) {
	forEachFastTransport(t, func(t *testing.T, options ...mpi.Option) {
		err := mpi.RunLocal(3, func(world *mpi.Comm) error {
			if world.Rank() == 1 {
				panic(errDisk)
			}
			_, err := mpi.Recv(world, []int{0}, 1, 0)
			return err
		}, options...)
		require.ErrorContains(t, err, "rank 1: mpi.RunLocal: panic: disk full")
		require.ErrorContains(t, err, "failure_test.go", "the stack")
		require.ErrorIs(t, err, errDisk)
		require.ErrorIs(t, err, mpi.ErrProcFailed)
		require.ErrorContains(t, err, "rank 0: mpi.Recv: process failed")
		require.ErrorContains(t, err, "rank 2: mpi.Recv: process failed")
	})
}

// Nor does another rank hang when one ends its goroutine, as FailNow does.
func TestRunLocalReportsGoexit(t *testing.T) {
	forEachFastTransport(t, func(t *testing.T, options ...mpi.Option) {
		err := mpi.RunLocal(2, func(world *mpi.Comm) error {
			if world.Rank() == 0 {
				runtime.Goexit()
			}
			return nil
		}, options...)
		require.ErrorContains(t, err, "rank 0: fn ended its goroutine")
	})
}

// Abort ends all ranks.
func TestAbortEndsTheJob(t *testing.T) {
	forEachFastTransport(t, func(t *testing.T, options ...mpi.Option) {
		err := mpi.RunLocal(3, func(world *mpi.Comm) error {
			if world.Rank() == 2 {
				require.NoError(t, world.Abort(7))
				require.ErrorIs(t, world.Abort(7), mpi.ErrClosed)
				require.ErrorContains(t, world.Barrier(), "the process has called Abort")
				return nil
			}
			_, err := mpi.Recv(world, []int{0}, 1-world.Rank(), 0)
			require.Error(t, err)
			return nil
		}, options...)
		require.ErrorContains(t, err, "rank 2: aborted the job with code 7")
	})
}

// A rank that has finished waits in Finalize for the others, and does not fail
// because one of them does.
func TestFinalizeSurvivesTheDeathOfOthers(t *testing.T) {
	forEachFastTransport(t, func(t *testing.T, options ...mpi.Option) {
		err := mpi.RunLocal(5, func(world *mpi.Comm) error {
			if world.Rank() == 3 {
				return errDisk
			}
			return nil
		}, options...)
		require.EqualError(t, err, "rank 3: disk full")
	})
}

// A program that goes on after a failure leaves operations behind which have failed, and which nothing waits for. Some messages of
// them are still being taken back when it finalizes: here rank 1 does not answer before.
func TestFinalizeAfterOperationsThatHaveFailed(t *testing.T) {
	forEachTransport(t, func(t *testing.T, options ...mpi.Option) {
		left := make(chan struct{})
		err := mpi.RunLocal(3, func(world *mpi.Comm) error {
			dup, err := world.Dup()
			if err != nil {
				return err
			}
			switch world.Rank() {
			case 0:
				defer close(left)
				if _, err := mpi.Ibcast(dup, make([]byte, 4<<20), 0); err != nil {
					return err
				}
				return dup.Revoke()
			case 1:
				<-left
				return nil
			}
			return errDisk
		}, append(options, mpi.WithProgress("inline"))...)
		require.NotErrorIs(t, err, mpi.ErrComm) // rank 2 may die before the others have made the communicator
	})
}

// Connections can be made beforehand.
func TestEagerConnect(t *testing.T) {
	ranks(t, 4, func(t *testing.T, world *mpi.Comm) {
		require.NoError(t, world.Barrier())
	}, mpi.WithConnect("eager"))
}

// Ranks that live are not suspected, and asking does not need a failure. What is suspected after what time the transports' tests show.
func TestRanksThatLiveAreNotSuspected(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		require.NoError(t, world.Barrier())
		suspected, err := world.GetSuspected()
		require.NoError(t, err)
		require.Zero(t, suspected.Size())
		twin, err := world.Dup()
		require.NoError(t, err)
		require.NoError(t, twin.Free())
		_, err = twin.GetSuspected()
		require.ErrorIs(t, err, mpi.ErrComm)
		require.ErrorContains(t, err, "mpi.Comm.GetSuspected: ")
	})
}
