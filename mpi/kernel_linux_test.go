//go:build !race

package mpi_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/kernel/kerneltest"
)

const lossy = "delay 5ms loss 1%"

// labCarriers are the kernel's SCTP in the lab, over loopback as it is and over one that
// delays and loses packets. The race detector does not fit the lab.
func labCarriers() []carrier {
	return []carrier{
		{
			name: "kernel in the lab", transport: sctprpi.KernelName, slow: true,
			enter: func(t *testing.T) { kerneltest.InLab(t) },
		},
		{
			name: "kernel in the lab, " + lossy, transport: sctprpi.KernelName, slow: true, impaired: true,
			enter: func(t *testing.T) {
				kerneltest.InLab(t)
				kerneltest.Impair(t, lossy)
			},
		},
	}
}

// Ranks on the kernel's SCTP and on the engine's, in turn, flood one another.
func TestKernelAndEngineInOneJob(t *testing.T) {
	for _, c := range labCarriers() {
		c.run(t, func(t *testing.T, _ string) {
			ranks, aborts := launchEach(t, "flood", floodFewRanks, func(rank int) []string {
				if rank%2 == 0 {
					return []string{"SCTPMPI_TRANSPORT=" + sctprpi.KernelName, "SCTPMPI_ENCAPSULATE=1"}
				}
				return []string{"SCTPMPI_TRANSPORT=" + sctprpi.Name}
			})
			require.Empty(t, aborts)
			for rank, r := range ranks {
				require.False(t, r.failed, "rank %d: %s", rank, r.stderr)
			}
		})
	}
}
