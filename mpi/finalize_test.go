package mpi_test

import (
	"context"
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// MPI 4.1, section 11.2: all messages are received before Finalize. What was
// not is named.
func TestFinalizeNamesMessagesThatWereNeverReceived(t *testing.T) {
	forEachTransport(t, func(t *testing.T, options ...mpi.Option) {
		err := mpi.RunLocal(3, func(world *mpi.Comm) error {
			if world.Rank() == 2 {
				for _, tag := range []int{0, 0, 7} {
					require.NoError(t, mpi.Send(world, []int{1}, 1, tag))
				}
			}
			return nil
		}, options...)
		require.ErrorIs(t, err, mpi.ErrOther)
		// Where messages stay in the kernel, a tag's second one has not been seen.
		require.Regexp(t, `^rank 1: mpi.Finalize: [12] messages? from rank 2, tag 0; 1 message from rank 2, tag 7, were never received$`, err.Error())
	})
}

// A collective that other ranks have not called, and that did not need them, is noticed in
// the end.
func TestFinalizeNamesCollectivesThatDidNotMeet(t *testing.T) {
	forEachTransport(t, func(t *testing.T, options ...mpi.Option) {
		err := mpi.RunLocal(2, func(world *mpi.Comm) error {
			return mpi.Bcast(world, []int{1}, world.Rank())
		}, options...)
		for _, text := range []string{"rank 0: mpi.Finalize: rank 1 called Bcast, and", "rank 1: mpi.Finalize: rank 0 called Bcast, and"} {
			require.ErrorContains(t, err, text)
		}
	})
}

// A rank that calls a collective while the others call Finalize gets an error that says so,
// and so do they.
func TestCollectivesDoNotMatchFinalize(t *testing.T) {
	for name, call := range map[string]func(world *mpi.Comm) error{
		"Barrier":   (*mpi.Comm).Barrier,
		"Allreduce": func(world *mpi.Comm) error { return mpi.Allreduce(world, []int{1}, []int{0}, mpi.Sum) },
		"Bcast":     func(world *mpi.Comm) error { return mpi.Bcast(world, []int{1}, 0) },
		"Dup":       func(world *mpi.Comm) error { _, err := world.Dup(); return err },
	} {
		t.Run(name, func(t *testing.T) {
			forEachTransport(t, func(t *testing.T, options ...mpi.Option) {
				ended := make(chan struct{}, 2)
				err := mpi.RunLocal(2, func(world *mpi.Comm) error {
					var err error
					if world.Rank() == 0 {
						err = call(world)
					}
					if err == nil {
						err = world.Finalize()
					}
					ended <- struct{}{} // no rank returns before both have finalized
					for len(ended) < 2 {
						runtime.Gosched()
					}
					return err
				}, options...)
				require.ErrorContains(t, err, "rank 1 called Finalize where this rank called "+name)
				require.ErrorContains(t, err, "rank 0 called "+name+" where this rank called Finalize")
			})
		})
	}
}

// Finalize does not tear down what a collective needs that is under way in
// another goroutine.
func TestFinalizeDuringACollectiveIsRefused(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		dup, err := world.Dup()
		require.NoError(t, err)
		for _, c := range []*mpi.Comm{dup, world} {
			if world.Rank() == 0 {
				// Of two at a time one is refused: then the other is inside.
				results := make(chan error, 2)
				for range 2 {
					go func() { results <- c.Barrier() }()
				}
				require.ErrorIs(t, <-results, mpi.ErrComm)
				require.ErrorIs(t, world.Finalize(), mpi.ErrComm)
				require.NoError(t, mpi.Send(world, []int{1}, 1, 0))
				require.NoError(t, <-results)
				continue
			}
			_, err := mpi.Recv(world, []int{0}, 0, 0)
			require.NoError(t, err)
			assert.NoError(t, c.Barrier())
		}
	})
}

// sendsThatWait complete only if rank 1 receives them, with tag 3.
var sendsThatWait = map[string]func(world *mpi.Comm) error{
	"Ssend":       func(world *mpi.Comm) error { return mpi.Ssend(world, []int{1}, 1, 3) },
	"a long Send": func(world *mpi.Comm) error { return mpi.Send(world, make([]int, 4<<20), 1, 3) },
	"Issend": func(world *mpi.Comm) error {
		r, err := mpi.Issend(world, []int{1}, 1, 3)
		if err != nil {
			return err
		}
		_, err = r.Wait(context.Background())
		return err
	},
}

// A rank that sends to one which is in Finalize, and waits for it to receive, does not hang: the send
// fails and says why. The other rank names the message.
func TestSendsToARankInFinalizeFail(t *testing.T) {
	for name, send := range sendsThatWait {
		t.Run(name, func(t *testing.T) { requireSendToFinalizeFails(t, send) })
	}
	for _, mode := range []string{"event", "inline"} {
		t.Run(mode, func(t *testing.T) { requireSendToFinalizeFails(t, sendsThatWait["Ssend"], mpi.WithProgress(mode)) })
	}
}

const neverReceived = "rank 1: mpi.Finalize: 1 message from rank 0, tag 3, was never received"

func requireSendToFinalizeFails(t *testing.T, send func(world *mpi.Comm) error, more ...mpi.Option) {
	forEachTransport(t, func(t *testing.T, options ...mpi.Option) {
		err := mpi.RunLocal(3, func(world *mpi.Comm) error {
			if world.Rank() == 0 {
				requireRefused(t, send(world))
			}
			return nil
		}, append(options, more...)...)
		require.EqualError(t, err, neverReceived)
	})
}

// So it does when the sender ends because of it.
func TestFinalizeNamesWhatItHasRefusedToTheDead(t *testing.T) {
	forEachTransport(t, func(t *testing.T, options ...mpi.Option) {
		err := mpi.RunLocal(3, func(world *mpi.Comm) error {
			if world.Rank() == 0 {
				return mpi.Ssend(world, []int{1}, 1, 3)
			}
			return nil
		}, options...)
		require.ErrorContains(t, err, neverReceived)
		require.ErrorContains(t, err, "rank 0: mpi.Ssend: process failed: send to rank 1 with tag 3: rank 1 has called")
	})
}

func requireRefused(t *testing.T, err error) {
	t.Helper()
	require.ErrorIs(t, err, mpi.ErrProcFailed)
	require.Regexp(t, `^mpi\.(Send|Ssend|Isend|Issend): process failed: send to rank 1 with tag 3: `+
		`rank 1 has called Finalize without receiving this message$`, err.Error())
}

// A flood of short messages to a rank in Finalize ends too.
func TestFloodOfARankInFinalizeEnds(t *testing.T) {
	forEachTransport(t, func(t *testing.T, options ...mpi.Option) {
		const messages = 200
		err := mpi.RunLocal(2, func(world *mpi.Comm) error {
			if world.Rank() == 1 {
				return nil
			}
			var requests []*mpi.Request
			for range messages {
				requests = append(requests, must(t)(mpi.Isend(world, make([]int, 100), 1, 3)))
			}
			for _, r := range requests {
				if _, err := r.Wait(t.Context()); err != nil {
					requireRefused(t, err)
				}
			}
			requireRefused(t, mpi.Ssend(world, []int{1}, 1, 3))
			return nil
		}, append(options, mpi.WithUnexpectedLimit(16<<10))...)
		require.EqualError(t, err,
			fmt.Sprintf("rank 1: mpi.Finalize: %d messages from rank 0, tag 3, were never received", messages+1))
	})
}

// A process that sends itself what it does not receive does not hang either.
func TestSendsToOneselfInFinalizeFail(t *testing.T) {
	forEachTransport(t, func(t *testing.T, options ...mpi.Option) {
		var sent error
		err := mpi.RunLocal(2, func(world *mpi.Comm) error {
			if world.Rank() == 0 {
				return nil
			}
			r := must(t)(mpi.Issend(world, []int{1}, 1, 3))
			err := world.Finalize()
			_, sent = r.Wait(t.Context())
			return err
		}, options...)
		requireRefused(t, sent)
		require.EqualError(t, err, "rank 1: mpi.Finalize: 1 message from rank 1, tag 3, was never received")
	})
}

// What is sent to a rank in Finalize that has a receive for it arrives, and what other ranks send each other
// does in any case.
func TestFinalizeLetsOthersFinish(t *testing.T) {
	ranks(t, 3, func(t *testing.T, world *mpi.Comm) {
		const early, late, posted = 1, 2, 3
		switch world.Rank() {
		case 0:
			wait(t, must(t)(mpi.Isend(world, sequence(0, 10), 2, early)))
			require.NoError(t, mpi.Ssend(world, []int{posted}, 1, posted))
			require.NoError(t, mpi.Ssend(world, []int{1}, 2, late))
		case 1:
			must(t)(mpi.Irecv(world, make([]int, 1), 0, posted))
			require.NoError(t, world.Finalize())
		case 2:
			for _, tag := range []int{late, early} {
				_, err := mpi.Recv(world, make([]int, 10), 0, tag)
				require.NoError(t, err)
			}
		}
	})
}

// So does one that calls it on another communicator, which this rank will not do any more.
func TestCollectivesOfOtherCommunicatorsDoNotMatchFinalize(t *testing.T) {
	askSoon(t)
	disagreeing(t, 2, func(t *testing.T, world *mpi.Comm) {
		c, err := world.Dup()
		require.NoError(t, err)
		if world.Rank() == 0 {
			require.ErrorContains(t, c.Barrier(), "rank 1 called Finalize where this rank called Barrier")
		}
	})
}

// MPI 4.1, section 7.4.3: all ranks of a communicator free it. If one of them does not, no other waits for it in Finalize: all
// end, and hear what is wrong.
func TestFinalizeDoesNotWaitForARankThatKeepsACommunicator(t *testing.T) {
	askSoon(t)
	const keeper = 1
	for _, asked := range []bool{false, true} { // before it finalizes
		t.Run(fmt.Sprintf("asked before=%t", asked), func(t *testing.T) {
			forEachTransport(t, func(t *testing.T, options ...mpi.Option) {
				var freed atomic.Pointer[mpi.Comm]
				err := mpi.RunLocal(4, func(world *mpi.Comm) error {
					c, err := world.Dup()
					require.NoError(t, err)
					if world.Rank() != keeper {
						require.NoError(t, c.Free())
						freed.Store(c)
						return nil
					}
					for asked && (freed.Load() == nil || mpi.Looks(freed.Load()) < 3) {
						time.Sleep(time.Millisecond)
					}
					return nil
				}, options...)
				require.ErrorContains(t, err, "mpi.Free: rank 1 called Finalize where this rank called Free: all ranks must call the same")
			})
		})
	}
}
