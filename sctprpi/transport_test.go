package sctprpi

import (
	"fmt"
	"net/netip"
	"testing"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/rpitest"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// hasty opens sockets that give up early connecting to a process that has ended, as
// rpitest does a hundred times: after one attempt more.
func hasty(c socket.Config, local netip.Addr, port uint16) (socket.Socket, error) {
	c.InitRetransmissions = 1
	return listenEngine(c, local, port)
}

// opener makes transports with options.
func opener(o Options) rpi.Open {
	return func(cfg rpi.Config) (rpi.Transport, error) { return New(cfg, o) }
}

func TestTransport(t *testing.T) {
	for _, streams := range []int{1, 2, 16, 1024} {
		for _, interleave := range []bool{false, true} {
			t.Run(fmt.Sprintf("streams %d, interleaving %v", streams, interleave), func(t *testing.T) {
				rpitest.Run(t, opener(Options{Streams: streams, Interleave: interleave, Listen: hasty}))
			})
		}
	}
}

func BenchmarkTransport(b *testing.B) {
	for name, o := range map[string]Options{"fragments": {}, "interleaving": {Interleave: true}} {
		b.Run(name, func(b *testing.B) { rpitest.Benchmark(b, opener(o)) })
	}
}
