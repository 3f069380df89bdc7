package mpi_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// BenchmarkShortWay measures what the library itself takes for a message of 8 bytes in shared memory, at both ends together: one goroutine plays
// both ranks, so that it waits for nothing. Blocking: Send and Recv. Window: 64 Isends, and as many Irecvs that WaitAll waits for.
func BenchmarkShortWay(b *testing.B) {
	for name, step := range map[string]func(from, to *mpi.Comm) error{"blocking": oneMessage, "window": oneWindow()} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			worlds, done := make(chan *mpi.Comm), make(chan error, 1)
			err := mpi.RunLocal(2, func(world *mpi.Comm) error {
				if world.Rank() == 1 {
					worlds <- world
					return <-done
				}
				other := <-worlds
				err := oneMessage(world, other)
				for b.Loop() && err == nil {
					if err = step(world, other); err == nil {
						err = step(other, world)
					}
				}
				done <- err
				return err
			}, mpi.WithTransport("tcp-perpair-shm"))
			if err != nil {
				b.Fatal(err)
			}
		})
	}
}

// oneMessage sends and receives a message.
func oneMessage(from, to *mpi.Comm) error {
	buf := [1]int64{}
	if err := mpi.Send(from, buf[:], to.Rank(), 0); err != nil {
		return err
	}
	_, err := mpi.Recv(to, buf[:], from.Rank(), 0)
	return err
}

// oneWindow returns a function that sends and receives 64 messages.
func oneWindow() func(from, to *mpi.Comm) error {
	const window = 64
	var out [1]int64
	var in [window][1]int64
	var sends, receives []*mpi.Request
	var statuses []mpi.Status
	return func(from, to *mpi.Comm) error {
		sends, receives = sends[:0], receives[:0]
		for i := range in {
			r, err := mpi.Irecv(to, in[i][:], from.Rank(), 0)
			if err != nil {
				return err
			}
			receives = append(receives, r)
		}
		for range window {
			r, err := mpi.Isend(from, out[:], to.Rank(), 0)
			if err != nil {
				return err
			}
			sends = append(sends, r)
		}
		var err error
		if statuses, err = mpi.WaitAllInto(context.Background(), statuses[:0], sends...); err != nil {
			return err
		}
		if statuses, err = mpi.WaitAllInto(context.Background(), statuses[:0], receives...); err == nil && len(statuses) != window {
			return fmt.Errorf("%d statuses", len(statuses))
		}
		return err
	}
}
