package mpi_test

import (
	"fmt"
	"testing"

	"github.com/sctpmpi/sctpmpi/mpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/tcprpi/perpair"
	"github.com/sctpmpi/sctpmpi/tcprpi/pertrc"
)

// BenchmarkDup measures a communicator that is made, used for one barrier and kept. Over tcp-pertrc that takes connections of its own: take
// a number of rounds for which there are descriptors, as -benchtime 300x.
func BenchmarkDup(b *testing.B) {
	for _, ranks := range []int{2, 4} {
		for _, name := range []string{perpair.Name, pertrc.Name} {
			for _, encrypt := range []string{"off", "on"} {
				b.Run(fmt.Sprintf("%d/%s/%s", ranks, name, encrypt), func(b *testing.B) {
					b.Setenv(rpi.EnvEncrypt, encrypt)
					n := b.N
					err := mpi.RunLocal(ranks, func(world *mpi.Comm) error {
						err := world.Barrier()
						if world.Rank() == 0 {
							b.ResetTimer()
						}
						for range n {
							var comm *mpi.Comm
							if err == nil {
								comm, err = world.Dup()
							}
							if err != nil {
								return err
							}
							err = comm.Barrier()
						}
						if world.Rank() == 0 {
							b.StopTimer()
						}
						return err
					}, mpi.WithTransport(name), mpi.WithSharedMemory("off"))
					if err != nil {
						b.Fatal(err)
					}
				})
			}
		}
	}
}
