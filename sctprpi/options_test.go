package sctprpi

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

func TestTheKernelRefusesBBR(t *testing.T) {
	for _, value := range []string{"bbr", "bbr-draft"} {
		t.Setenv(rpi.EnvCongestion, value)
		_, err := OpenKernel(rpi.Config{Size: 1})
		require.ErrorIs(t, err, rpi.ErrArg)
		assert.ErrorContains(t, err, "SCTPMPI_CONGESTION="+value+": Linux's SCTP has no BBR")
	}
}
