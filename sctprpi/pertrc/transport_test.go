package pertrc

import (
	"testing"

	"github.com/sctpmpi/sctpmpi/mpi/rpi/rpitest"
)

func TestTransport(t *testing.T) { rpitest.Run(t, Open) }

func TestProgress(t *testing.T) { rpitest.RunProgress(t, Open) }

func BenchmarkTransport(b *testing.B) { rpitest.Benchmark(b, Open) }
