package sctprpi

import (
	"fmt"
	"os"
	"testing"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/rpitest"
)

// opener makes transports with options.
func opener(o Options) rpi.Open {
	return func(cfg rpi.Config) (rpi.Transport, error) { return New(cfg, o) }
}

func TestTransport(t *testing.T) {
	all := []Options{{Streams: 1}, {Streams: 16}, {Streams: 1024, Interleave: true}}
	if os.Getenv("SCTPMPI_TEST_LONG") != "" {
		all = append(all, Options{Streams: 2}, Options{Streams: 1024})
	}
	for _, o := range all {
		t.Run(fmt.Sprintf("streams %d, interleaving %v", o.Streams, o.Interleave), func(t *testing.T) {
			rpitest.Run(t, opener(o))
		})
	}
}

func TestProgress(t *testing.T) { rpitest.RunProgress(t, opener(Options{})) }

func BenchmarkTransport(b *testing.B) {
	for name, o := range map[string]Options{"fragments": {}, "interleaving": {Interleave: true}} {
		b.Run(name, func(b *testing.B) { rpitest.Benchmark(b, opener(o)) })
	}
}
