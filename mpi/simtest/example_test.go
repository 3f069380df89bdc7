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
