package simtest_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
	"github.com/sctpmpi/sctpmpi/mpi/simtest"
)

var transports = []string{"sctp-engine", "sctp-pertrc"}

// roundTrip returns the time of a round trip of so many bytes, when the connection is there.
func roundTrip(t *testing.T, network simtest.Network, bytes int) (took time.Duration) {
	t.Helper()
	require.NoError(t, simtest.Run(t, 2, &network, func(world *mpi.Comm) error {
		if err := world.Barrier(); err != nil {
			return err
		}
		data, other := make([]byte, bytes), 1-world.Rank()
		begun := time.Now()
		for i := range 2 {
			if i == world.Rank() {
				if err := mpi.Send(world, data, other, 1); err != nil {
					return err
				}
			} else if _, err := mpi.Recv(world, data, other, 1); err != nil {
				return err
			}
		}
		if world.Rank() == 0 {
			took = time.Since(begun)
		}
		return nil
	}))
	return took
}

func TestTimesAreThoseOfTheNetwork(t *testing.T) {
	for _, transport := range transports {
		t.Run(transport, func(t *testing.T) {
			n := simtest.Network{Transport: transport, Link: simtest.Link{Delay: 10 * time.Millisecond}}
			assert.InDelta(t, 20, roundTrip(t, n, 8).Seconds()*1000, 0.001)
			n.Link.Rate, n.Link.Overhead = 20e6, 28 // two packets, one each way, take 0.4 ms each for 1000 bytes and little more
			assert.InDelta(t, 20.8, roundTrip(t, n, 1000).Seconds()*1000, 0.1)
		})
	}
}

// All hosts' packets take the links of their own, so four senders move four times what one does, and one host's link is shared by all to
// which it sends.
func TestAHostsLinkIsSharedByItsPeers(t *testing.T) {
	const length = 1 << 20
	took := func(to int) (took time.Duration) {
		n := simtest.Network{Link: simtest.Link{Delay: time.Millisecond, Rate: 20e6, Queue: 1 << 20}}
		require.NoError(t, simtest.Run(t, 5, &n, func(world *mpi.Comm) error {
			if err := world.Barrier(); err != nil {
				return err
			}
			begun := time.Now()
			if rank := world.Rank(); rank == 0 {
				for i := range to {
					if err := mpi.Send(world, make([]byte, length), 1+i, 1); err != nil {
						return err
					}
				}
			} else if rank <= to {
				if _, err := mpi.Recv(world, make([]byte, length), 0, 1); err != nil {
					return err
				}
			}
			err := world.Barrier()
			if world.Rank() == 0 {
				took = time.Since(begun)
			}
			return err
		}))
		return took
	}
	assert.InDelta(t, 4, took(4).Seconds()/took(1).Seconds(), 0.2)
}

// What is lost is sent again, by timers that take virtual time, and all arrives.
func TestAllArrivesWhateverIsLost(t *testing.T) {
	for _, transport := range transports {
		t.Run(transport, func(t *testing.T) {
			n := simtest.Network{Transport: transport, Seed: 7, Link: simtest.Link{
				Delay: 50 * time.Millisecond, Rate: 20e6, Queue: 1 << 20, Loss: 0.02, Reorder: 0.25, ReorderBy: 5 * time.Millisecond,
			}}
			assert.NoError(t, simtest.Run(t, 4, &n, func(world *mpi.Comm) error {
				for range 20 {
					sum, err := mpi.AllreduceValue(world, 1<<world.Rank(), mpi.Sum)
					if err != nil {
						return err
					}
					if sum != 15 {
						return errors.New("a wrong sum")
					}
				}
				return nil
			}))
		})
	}
}

func TestErrorsOfRanksAreReturned(t *testing.T) {
	disk := errors.New("disk full")
	err := simtest.Run(t, 3, &simtest.Network{}, func(world *mpi.Comm) error {
		if world.Rank() == 1 {
			return disk
		}
		return nil
	})
	assert.ErrorIs(t, err, disk)
	assert.ErrorContains(t, err, "rank 1")
	err = simtest.Run(t, 2, &simtest.Network{Transport: "tcp-perpair"}, nil)
	assert.EqualError(t, err, `simtest: transport "tcp-perpair" is not simulated; sctp-engine and sctp-pertrc are`)
	err = simtest.Run(t, 251, &simtest.Network{}, nil)
	assert.EqualError(t, err, "simtest: 251 ranks; there can be 250")
}

func TestTheLinkChangesWhileAJobRuns(t *testing.T) {
	n := simtest.Network{}
	var took [2]time.Duration
	require.NoError(t, simtest.Run(t, 2, &n, func(world *mpi.Comm) error {
		if err := world.Barrier(); err != nil { // the connection is there
			return err
		}
		for i := range took {
			begun := time.Now()
			if world.Rank() == 0 {
				if err := mpi.SendValue(world, i, 1, 0); err != nil {
					return err
				}
			}
			if _, _, err := mpi.RecvValue[int](world, 1-world.Rank(), 0); err != nil {
				return err
			}
			if world.Rank() == 1 {
				if err := mpi.SendValue(world, i, 0, 0); err != nil {
					return err
				}
				continue
			}
			took[i] = time.Since(begun)
			n.SetLink(simtest.Link{Delay: time.Second})
		}
		return nil
	}))
	assert.Equal(t, [2]time.Duration{0, 2 * time.Second}, took)
}

// At a round trip of 1 ms a dozen packets, the window that 1% of loss leaves, are more than the link holds. So loss costs no more than what is
// sent again.
func TestLossCostsLittleWhereTheRoundTripIsShort(t *testing.T) {
	const messages, size, window = 200, 30 << 10, 100
	took := func(loss float64) (took time.Duration) {
		link := simtest.Link{Delay: 500 * time.Microsecond, Rate: 20e6, Queue: 100_000, Loss: loss}
		require.NoError(t, simtest.Run(t, 2, &simtest.Network{Link: link, Seed: 1}, func(world *mpi.Comm) error {
			begun := time.Now()
			buf := make([]byte, size)
			var sends []*mpi.Request
			for i := range messages {
				if world.Rank() == 1 {
					if _, err := mpi.Recv(world, buf, 0, i%10); err != nil {
						return err
					}
					took = time.Since(begun)
					continue
				}
				send, err := mpi.Isend(world, buf, 1, i%10)
				if err != nil {
					return err
				}
				if sends = append(sends, send); len(sends) > window {
					if _, err := sends[len(sends)-window].Wait(context.Background()); err != nil {
						return err
					}
				}
			}
			_, err := mpi.WaitAll(context.Background(), sends...)
			return err
		}))
		return took
	}
	without, with := took(0), took(0.01)
	require.Less(t, with, without+without/20, "%v without loss", without)
}
