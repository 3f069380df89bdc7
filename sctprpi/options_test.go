package sctprpi

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

func TestTheKernelRefusesMultipath(t *testing.T) {
	t.Setenv(rpi.EnvMultipath, "on")
	_, err := OpenKernel(rpi.Config{Size: 1})
	require.ErrorIs(t, err, rpi.ErrArg)
	assert.ErrorContains(t, err, "SCTPMPI_MULTIPATH=on: Linux's SCTP sends on one path at a time")
}

func TestTheKernelDoesWhatItsSysctlSaysAboutECN(t *testing.T) {
	t.Setenv(rpi.EnvECN, "off")
	_, err := OpenKernel(rpi.Config{Size: 1})
	require.ErrorIs(t, err, rpi.ErrArg)
	assert.ErrorContains(t, err, "SCTPMPI_ECN=off: Linux's SCTP does what the sysctl net.sctp.ecn_enable says")
}

func TestTheKernelRefusesBBR(t *testing.T) {
	for _, value := range []string{"bbr", "bbr-draft"} {
		t.Setenv(rpi.EnvCongestion, value)
		_, err := OpenKernel(rpi.Config{Size: 1})
		require.ErrorIs(t, err, rpi.ErrArg)
		assert.ErrorContains(t, err, "SCTPMPI_CONGESTION="+value+": Linux's SCTP has no BBR")
	}
}
