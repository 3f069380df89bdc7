//go:build !race && linux

package transport

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/netem/lab/labtest"
	"github.com/sctpmpi/sctpmpi/mpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/rpitest"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
	"github.com/sctpmpi/sctpmpi/sctprpi"
)

func TestMain(m *testing.M) { labtest.Run(m) }

func open(cfg rpi.Config) (rpi.Transport, error) { return sctprpi.OpenKernel(cfg) }

func TestTransport(t *testing.T) {
	labtest.InLab(t)
	rpitest.Run(t, open)
}

// What is sent is authenticated unless the user says otherwise.
func TestEncryptedTransport(t *testing.T) {
	labtest.InLab(t)
	rpitest.RunVariant(t, func(cfg rpi.Config) (rpi.Transport, error) {
		cfg.Encrypt = seal.AlwaysEncrypt
		return open(cfg)
	})
}

func TestTransportUnderLoss(t *testing.T) {
	labtest.InLab(t)
	labtest.Impair(t, "delay 5ms loss 1%")
	rpitest.RunVariant(t, open)
}

// Where the kernel has SCTP it is what programs get that choose nothing.
func TestKernelIsTheDefault(t *testing.T) {
	labtest.InLab(t)
	require.NoError(t, os.Unsetenv("SCTPMPI_TRANSPORT"))
	require.NoError(t, mpi.RunLocal(3, func(world *mpi.Comm) error {
		if name := world.Transport(); name != sctprpi.KernelName {
			return fmt.Errorf("the transport is %s", name)
		}
		sum := make([]int, 1)
		if err := mpi.Allreduce(world, []int{world.Rank()}, sum, mpi.Sum); err != nil {
			return err
		}
		if sum[0] != 3 {
			return fmt.Errorf("the sum of ranks is %d", sum[0])
		}
		return nil
	}, mpi.WithSharedMemory("off")))
}
