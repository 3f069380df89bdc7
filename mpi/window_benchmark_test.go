package mpi_test

import (
	"fmt"
	"testing"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// BenchmarkOneSided measures an operation with its Flush, onto a rank of this process that waits in a barrier.
func BenchmarkOneSided(b *testing.B) {
	for _, name := range transports() {
		for _, length := range []int{8, 1 << 20} {
			oneSided(b, "Put", name, length, func(w *mpi.Win[float64], buf []float64) error { return w.Put(buf, 1, 0) })
			oneSided(b, "Get", name, length, func(w *mpi.Win[float64], buf []float64) error { return w.Get(buf, 1, 0) })
			oneSided(b, "Accumulate", name, length, func(w *mpi.Win[float64], buf []float64) error { return w.Accumulate(buf, mpi.Sum, 1, 0) })
		}
	}
}

func oneSided(b *testing.B, operation, transport string, length int, once func(w *mpi.Win[float64], buf []float64) error) {
	b.Run(fmt.Sprintf("%s/%s/%dB", operation, transport, length), func(b *testing.B) {
		b.ReportAllocs()
		b.SetBytes(int64(length))
		err := mpi.RunLocal(2, func(world *mpi.Comm) error {
			w, err := mpi.WinAllocate[float64](world, length/8)
			if err != nil {
				return err
			}
			if world.Rank() == 0 {
				if err := w.LockAll(); err != nil {
					return err
				}
				buf := make([]float64, length/8)
				for b.Loop() {
					if err := once(w, buf); err != nil {
						return err
					}
					if err := w.Flush(1); err != nil {
						return err
					}
				}
				if err := w.UnlockAll(); err != nil {
					return err
				}
			}
			return w.Free()
		}, mpi.WithTransport(transport))
		if err != nil {
			b.Fatal(err)
		}
	})
}
