//go:build !race && (amd64 || arm64)

package mpi_test

import (
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// Lengths have 64 bits everywhere: a message of 5 GiB arrives whole. It takes 5 GiB of memory, as what is sent is mostly
// untouched. (Under the race detector it would take several times as much.)
func TestAMessageOf5GiB(t *testing.T) {
	if !long() {
		t.Skip("takes 5 GiB of memory: SCTPMPI_TEST_LONG=1 runs it")
	}
	const length, gap = 5 << 30, 10_000_019
	mark := func(i int) byte { return byte(i/gap) | 1 }
	for _, c := range carriers {
		if c.impaired || c.enter != nil {
			continue
		}
		c.ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
			if world.Rank() == 0 {
				buf := make([]byte, length)
				for i := 0; i < length; i += gap {
					buf[i] = mark(i)
				}
				buf[length-1] = 77
				require.NoError(t, mpi.Send(world, buf, 1, 0))
				return
			}
			buf := make([]byte, length)
			status, err := mpi.Recv(world, buf, 0, 0)
			require.NoError(t, err)
			require.Equal(t, length, status.Count)
			for i := 0; i < length; i += gap {
				require.Equal(t, []byte{mark(i), 0}, buf[i:i+2], "at %d", i)
			}
			require.EqualValues(t, 77, buf[length-1])
		})
		debug.FreeOSMemory()
	}
}
