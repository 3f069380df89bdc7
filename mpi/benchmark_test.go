package mpi_test

import (
	"fmt"
	"testing"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// pingPong sends buf there and back; rank 1 does so until it gets an empty
// message.
func pingPong[T any](world *mpi.Comm, buf []T, rounds func(once func())) error {
	if world.Rank() == 1 {
		for {
			status, err := mpi.Recv(world, buf, 0, 0)
			if err != nil || status.Count == 0 {
				return err
			}
			if err := mpi.Send(world, buf, 0, 0); err != nil {
				return err
			}
		}
	}
	var failed error
	rounds(func() {
		if err := mpi.Send(world, buf, 1, 0); err != nil {
			failed = err
		}
		if _, err := mpi.Recv(world, buf, 1, 0); err != nil {
			failed = err
		}
	})
	if err := mpi.Send(world, buf[:0], 1, 0); err != nil {
		return err
	}
	return failed
}

// BenchmarkPingPong measures a round trip between two ranks of this process.
func BenchmarkPingPong(b *testing.B) {
	for _, name := range transports() {
		for _, length := range []int{8, 4 << 10, 1 << 20} {
			b.Run(fmt.Sprintf("%s/%dB", name, length), func(b *testing.B) {
				b.ReportAllocs()
				b.SetBytes(2 * int64(length))
				err := mpi.RunLocal(2, func(world *mpi.Comm) error {
					return pingPong(world, make([]byte, length), func(once func()) {
						for b.Loop() {
							once()
						}
					})
				}, mpi.WithTransport(name))
				if err != nil {
					b.Fatal(err)
				}
			})
		}
	}
}

// BenchmarkAllreduce measures sums over four ranks, on both sides of the
// length that changes the algorithm.
func BenchmarkAllreduce(b *testing.B) {
	for _, name := range transports() {
		for _, length := range []int{1, 1 << 10, 1 << 12, 1 << 17} {
			b.Run(fmt.Sprintf("%s/%d", name, length), func(b *testing.B) {
				b.ReportAllocs()
				b.SetBytes(8 * int64(length))
				n := b.N
				err := mpi.RunLocal(4, func(world *mpi.Comm) error {
					send, recv := make([]float64, length), make([]float64, length)
					for range n {
						if err := mpi.Allreduce(world, send, recv, mpi.Sum); err != nil {
							return err
						}
					}
					return nil
				}, mpi.WithTransport(name))
				if err != nil {
					b.Fatal(err)
				}
			})
		}
	}
}
