package mpi_test

import (
	"bytes"
	"regexp"
	"runtime"
	"runtime/pprof"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// With SCTPMPI_PROFILE a goroutine that waits in a call has labels, by which profiles tell which rank's call it is.
func TestProfilesTellWhichCallWaits(t *testing.T) {
	t.Setenv(rpi.EnvProfile, t.TempDir())
	labels := regexp.MustCompile(`labels: \{.*"operation":"Recv".*"rank":"1".*\}`)
	labelled := func() bool {
		var stacks bytes.Buffer
		require.NoError(t, pprof.Lookup("goroutine").WriteTo(&stacks, 1))
		return labels.Match(stacks.Bytes())
	}
	forEachFastTransport(t, func(t *testing.T, options ...mpi.Option) {
		require.NoError(t, mpi.RunLocal(2, func(world *mpi.Comm) error {
			if world.Rank() == 1 {
				_, err := mpi.Recv(world, make([]int, 1), 0, 0)
				return err
			}
			for !labelled() {
				runtime.Gosched()
			}
			return mpi.Send(world, []int{1}, 1, 0)
		}, options...))
		require.False(t, labelled())
	})
}
