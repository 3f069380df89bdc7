package mpi_test

import (
	"errors"
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

// The benchmarks compare transports: the ranks, though of one process, share no memory.

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
				}, mpi.WithTransport(name), mpi.WithSharedMemory("off"))
				if err != nil {
					b.Fatal(err)
				}
			})
		}
	}
}

// BenchmarkPingPongBesideAWait measures a round trip of 8 bytes while another goroutine of each rank waits for a message.
func BenchmarkPingPongBesideAWait(b *testing.B) {
	const last = 1 // the tag of that message
	for _, name := range transports() {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			err := mpi.RunLocal(2, func(world *mpi.Comm) error {
				peer := 1 - world.Rank()
				served := make(chan error)
				go func() {
					_, err := mpi.Recv(world, []int{0}, peer, last)
					served <- err
				}()
				err := pingPong(world, make([]byte, 8), func(once func()) {
					for b.Loop() {
						once()
					}
				})
				return errors.Join(err, mpi.Send(world, []int{0}, peer, last), <-served)
			}, mpi.WithTransport(name), mpi.WithSharedMemory("off"))
			if err != nil {
				b.Fatal(err)
			}
		})
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
				}, mpi.WithTransport(name), mpi.WithSharedMemory("off"))
				if err != nil {
					b.Fatal(err)
				}
			})
		}
	}
}

// BenchmarkTest measures a look in vain, while no goroutine of the rank waits and while one does, and a round
// trip for which rank 0 does nothing but look.
func BenchmarkTest(b *testing.B) {
	for _, name := range transports() {
		for _, mode := range []string{"hybrid", "event"} {
			for what, rounds := range map[string]func(b *testing.B, world *mpi.Comm) error{
				"in vain":             testInVain,
				"in vain beside Recv": testBesideRecv,
				"round trip":          testUntilDone,
			} {
				b.Run(fmt.Sprintf("%s/%s/%s", name, mode, what), func(b *testing.B) {
					err := mpi.RunLocal(2, func(world *mpi.Comm) error {
						if world.Rank() == 1 {
							return pingPong(world, make([]byte, 8), nil)
						}
						if err := rounds(b, world); err != nil {
							return err
						}
						return mpi.Send(world, []byte{}, 1, 0)
					}, mpi.WithTransport(name), mpi.WithProgress(mode), mpi.WithSharedMemory("off"))
					if err != nil {
						b.Fatal(err)
					}
				})
			}
		}
	}
}

func testInVain(b *testing.B, world *mpi.Comm) error {
	r, err := mpi.Irecv(world, make([]byte, 8), 1, 1)
	if err != nil {
		return err
	}
	for b.Loop() {
		if _, _, err := r.Test(); err != nil {
			return err
		}
	}
	return r.Cancel()
}

func testBesideRecv(b *testing.B, world *mpi.Comm) error {
	waited := make(chan error)
	go func() {
		_, err := mpi.Recv(world, make([]byte, 8), 0, 2)
		waited <- err
	}()
	if err := testInVain(b, world); err != nil {
		return err
	}
	if err := mpi.Send(world, make([]byte, 8), 0, 2); err != nil {
		return err
	}
	return <-waited
}

func testUntilDone(b *testing.B, world *mpi.Comm) error {
	buf := make([]byte, 8)
	for b.Loop() {
		if err := mpi.Send(world, buf, 1, 0); err != nil {
			return err
		}
		r, err := mpi.Irecv(world, buf, 1, 0)
		if err != nil {
			return err
		}
		for done := false; !done; {
			if _, done, err = r.Test(); err != nil {
				return err
			}
		}
	}
	return nil
}
