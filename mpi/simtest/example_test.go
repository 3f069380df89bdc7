package simtest_test

import (
	"testing"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi"
	"github.com/sctpmpi/sctpmpi/mpi/simtest"
)

// A test of a program under latency and loss: an hour of it takes no longer than what it computes.
func ExampleRun() {
	test := func(t *testing.T) {
		lossy := &simtest.Network{Link: simtest.Link{Delay: 50 * time.Millisecond, Rate: 20e6, Loss: 0.01}, Seed: 1}
		err := simtest.Run(t, 4, lossy, func(world *mpi.Comm) error {
			time.Sleep(time.Hour)
			return world.Barrier()
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	_ = test // TestProgram, say
}

// A test of what a program does when a host vanishes, and when one is far away.
func ExampleNetwork_Cut() {
	test := func(t *testing.T) {
		network := &simtest.Network{Link: simtest.Link{Delay: time.Millisecond}, Seed: 7}
		err := simtest.Run(t, 4, network, func(world *mpi.Comm) error {
			if err := world.Barrier(); err != nil {
				return err
			}
			switch world.Rank() {
			case 1:
				network.SetLinkOf(1, simtest.Link{Delay: 100 * time.Millisecond, Loss: 0.02})
			case 3:
				network.Cut(3)
			}
			return program(world)
		}, mpi.WithPeerTimeout(10*time.Second))
		if err == nil {
			t.Fatal("rank 3 must fail")
		}
	}
	_ = test // TestSurvivors, say
}

func program(*mpi.Comm) error { return nil }
