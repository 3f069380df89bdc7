//go:build !race

package mpi_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Of a long buffer only the block of 4 KiB that has changed is known. (The race detector would find the change too, as it is sent as it is.)
func TestChangesOfLongBuffersAreFound(t *testing.T) {
	t.Setenv(rpi.EnvCheck, "buffers")
	const length = 3 << 20
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		buf := make([]byte, length)
		if world.Rank() == 1 {
			require.NoError(t, sends(length)(world))
			require.NoError(t, receives(length)(world))
			return
		}
		for _, r := range []*mpi.Request{must(t)(mpi.Irecv(world, buf, 1, 5)), must(t)(mpi.Isend(world, buf, 1, 5))} {
			buf[length-5000]++
			_, err := r.Wait(context.Background())
			require.ErrorIs(t, err, mpi.ErrBuffer)
			assert.Regexp(t, `byte 3137536 of 3145728, or one of the 4095 behind it$`, err.Error())
		}
	})
}
