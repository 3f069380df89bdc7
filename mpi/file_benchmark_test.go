package mpi_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// BenchmarkSharedFile has four ranks write and read blocks of a file that are dealt out to them in turn: by themselves, with
// sieving writes, and together in two phases.
func BenchmarkSharedFile(b *testing.B) {
	const n, each = 4, 1 << 20 // numbers of each rank
	for _, length := range []int{16, 128, 1024, 8192} {
		for _, how := range []string{"alone", "sieving", "together"} {
			hints := hintsOf(b, "collective_buffering", "true")
			if how == "sieving" {
				hints = hintsOf(b, "romio_ds_write", "enable")
			}
			for _, write := range []bool{true, false} {
				b.Run(fmt.Sprintf("piece=%dB/%s/write=%v", 8*length, how, write), func(b *testing.B) {
					path := filepath.Join(b.TempDir(), "file")
					b.SetBytes(n * each * 8)
					err := mpi.RunLocal(n, func(world *mpi.Comm) error {
						f, err := mpi.OpenFile(world, path, mpi.ReadWrite|mpi.Create, hints)
						if err != nil {
							return err
						}
						if err := f.SetView(mpi.ViewStrided[int64](int64(8*world.Rank()*length), length, n*length)); err != nil {
							return err
						}
						data := mpi.Elements(make([]int64, each))
						if _, err := f.WriteAtAll(0, data); err != nil {
							return err
						}
						access := f.ReadAt
						switch {
						case write && how == "together":
							access = f.WriteAtAll
						case write:
							access = f.WriteAt
						case how == "together":
							access = f.ReadAtAll
						}
						if world.Rank() == 0 {
							b.ResetTimer()
						}
						for range b.N {
							if _, err := access(0, data); err != nil {
								return err
							}
							if err := world.Barrier(); err != nil {
								return err
							}
						}
						return nil
					})
					if err != nil {
						b.Fatal(err)
					}
				})
			}
		}
	}
}
