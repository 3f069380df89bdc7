package simtest_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
	"github.com/sctpmpi/sctpmpi/mpi/simtest"
)

// One rank is far away: what it sends is late, what others send is not.
func TestOneRankIsFarAway(t *testing.T) {
	for _, transport := range transports {
		t.Run(transport, func(t *testing.T) {
			n := simtest.Network{Transport: transport}
			var took [3]time.Duration
			require.NoError(t, simtest.Run(t, 3, &n, func(world *mpi.Comm) error {
				mpi.Must(world.Barrier())
				if world.Rank() == 0 {
					time.Sleep(time.Minute) // of virtual time: all others have left the barrier
					n.SetLinkOf(2, simtest.Link{Delay: time.Second})
					for from := 1; from <= 2; from++ {
						begun := time.Now()
						mpi.Must(mpi.SendValue(world, 0, from, 0))
						mpi.Must2(mpi.RecvValue[int](world, from, 0))
						took[from] = time.Since(begun)
					}
				} else {
					mpi.Must2(mpi.RecvValue[int](world, 0, 0))
					mpi.Must(mpi.SendValue(world, 0, 0, 0))
				}
				return nil
			}))
			assert.Less(t, took[1], time.Second/2)
			assert.InDelta(t, 1, took[2].Seconds(), 0.1)
		})
	}
}

// A host is off the network for a while, which is shorter than the time-out of peers: nothing is lost.
func TestAHostComesBack(t *testing.T) {
	for _, transport := range transports {
		t.Run(transport, func(t *testing.T) {
			n := simtest.Network{Transport: transport}
			require.NoError(t, simtest.Run(t, 3, &n, func(world *mpi.Comm) error {
				mpi.Must(world.Barrier())
				if world.Rank() == 0 {
					time.Sleep(time.Minute)
					n.Cut(1)
					n.Cut(2)
					for to := 1; to <= 2; to++ {
						mpi.Must(mpi.SendValue(world, to, to, 0))
					}
					time.Sleep(20 * time.Second)
					n.Heal()
					return nil
				}
				begun := time.Now()
				value, _ := mpi.Must2(mpi.RecvValue[int](world, 0, 0))
				assert.Equal(t, world.Rank(), value)
				assert.GreaterOrEqual(t, time.Since(begun), 80*time.Second)
				return nil
			}))
		})
	}
}

// A host vanishes: the others wait for it as long as the time-out of peers says, and go on.
func TestAHostVanishes(t *testing.T) {
	for _, transport := range transports {
		t.Run(transport, func(t *testing.T) {
			n := simtest.Network{Transport: transport, Link: simtest.Link{Delay: time.Millisecond}}
			err := simtest.Run(t, 3, &n, func(world *mpi.Comm) error {
				mpi.Must(world.Barrier())
				if world.Rank() == 2 {
					time.Sleep(time.Minute)
					n.Cut(2)
					_, _, err := mpi.RecvValue[int](world, 0, 0)
					return err
				}
				begun := time.Now()
				_, _, err := mpi.RecvValue[int](world, 2, 0)
				var failed *mpi.Error
				assert.ErrorIs(t, err, mpi.ErrProcFailed)
				assert.True(t, errors.As(err, &failed) && failed.Rank == 2, "%v", err)
				assert.InDelta(t, 70, time.Since(begun).Seconds(), 3)
				sum := mpi.Must1(mpi.AllreduceValue(mpi.Must1(world.Shrink()), 1, mpi.Sum))
				assert.Equal(t, 2, sum)
				return nil
			}, mpi.WithPeerTimeout(10*time.Second))
			require.ErrorContains(t, err, "rank 2: ")
			require.NotContains(t, err.Error(), "rank 0: ")
		})
	}
}
