package pertrc

import (
	"fmt"
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

// The contract holds with few streams too. Sends of more TRCs than those have wait for receives.
func TestTransportWithFewStreams(t *testing.T) {
	for _, streams := range []int{16, 1024} {
		t.Run(fmt.Sprintf("%d streams", streams), func(t *testing.T) {
			if streams > 16 && !rpitest.Long() {
				t.Skip("this runs with SCTPMPI_TEST_LONG=1 only")
			}
			rpitest.RunVariantUnread(t, opener(associations.Options{Streams: streams}), min(streams-1, 200))
		})
	}
}

func TestProgress(t *testing.T) { rpitest.RunProgress(t, Open) }

func BenchmarkTransport(b *testing.B) { rpitest.Benchmark(b, Open) }

// A limit that is as large as a user may think of is no error: what a peer may have unread is bounded by what the engine can do.
func TestLimitsOfAllSizes(t *testing.T) {
	for _, limit := range []int{1, rpi.DefaultUnexpectedLimit, math.MaxInt} {
		openJob(t, 2, associations.Options{}, func(cfg *rpi.Config) { cfg.UnexpectedLimit = limit })
	}
}
