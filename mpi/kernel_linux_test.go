//go:build !race

package mpi_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/netem/lab/labtest"
	"github.com/sctpmpi/sctpmpi/sctprpi"
)

const lossy = "delay 5ms loss 1%"

// labCarriers are the kernel's SCTP in the lab, over loopback as it is and over one that
// delays and loses packets. The race detector does not fit the lab.
func labCarriers() []carrier {
	return []carrier{
		{
			name: "kernel in the lab", transport: sctprpi.KernelName, slow: true,
			enter: func(t *testing.T) { labtest.InLab(t) },
		},
		{
			name: "kernel in the lab, " + lossy, transport: sctprpi.KernelName, slow: true, impaired: true, only: networkTests,
			enter: func(t *testing.T) {
				labtest.InLab(t)
				labtest.Impair(t, lossy)
			},
		},
	}
}

// Ranks on the kernel's SCTP and on the engine's, in turn, flood one another. On a busy host the lab takes long to let four
// processes prove to each other that they know the job's token.
func TestKernelAndEngineInOneJob(t *testing.T) {
	for _, c := range labCarriers() {
		c.run(t, func(t *testing.T, _ string) {
			ranks, aborts := launchEach(t, "flood", floodFewRanks, func(rank int) []string {
				patient, plain := "SCTPMPI_CONNECT_TIMEOUT=10m", "SCTPMPI_ENCRYPT=off"
				if rank%2 == 0 {
					return []string{patient, plain, "SCTPMPI_TRANSPORT=" + sctprpi.KernelName, "SCTPMPI_ENCAPSULATE=1"}
				}
				return []string{patient, plain, "SCTPMPI_TRANSPORT=" + sctprpi.Name}
			})
			require.Empty(t, aborts)
			for rank, r := range ranks {
				require.False(t, r.failed, "rank %d: %s", rank, r.stderr)
			}
		})
	}
}
