package pertrc

import (
	"math"
	"testing"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/rpitest"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/associations"
)

// opener makes transports with options.
func opener(o associations.Options) rpi.Open {
	return func(cfg rpi.Config) (rpi.Transport, error) { return New(cfg, o) }
}

func TestTransport(t *testing.T) { rpitest.Run(t, Open) }

func TestProgress(t *testing.T) { rpitest.RunProgress(t, Open) }

func BenchmarkTransport(b *testing.B) { rpitest.Benchmark(b, Open) }

// A limit that is as large as a user may think of is no error: what a peer may have unread is bounded by what the engine can do.
func TestLimitsOfAllSizes(t *testing.T) {
	for _, limit := range []int{1, rpi.DefaultUnexpectedLimit, math.MaxInt} {
		openJob(t, 2, associations.Options{}, func(cfg *rpi.Config) { cfg.UnexpectedLimit = limit })
	}
}
