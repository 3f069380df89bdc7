package main

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestVerdictOfHPCC(t *testing.T) {
	good := "1 tests completed and passed residual checks,\n0 tests completed and failed residual checks,\n" +
		"Success=1\nHPL_Tflops=0.0125\nEnd of HPC Challenge tests.\n"
	gflops, err := hpccVerdict(good)
	require.NoError(t, err)
	assert.Equal(t, "12.500", gflops)

	for bad, want := range map[string]string{
		"":                  "not come to its end",
		good + "  FAILED\n": "a residual check has failed",
		"Success=0\n0 tests completed and failed residual checks\nEnd of HPC Challenge tests.\n": "Success=0",
	} {
		_, err := hpccVerdict(bad)
		assert.ErrorContains(t, err, want)
	}
}

func TestVerdictOfScalapack(t *testing.T) {
	assert.NoError(t, scalapackVerdict("xdlu", "  24 tests completed and passed residual checks.\n   0 tests completed and failed residual checks.\n"))
	assert.ErrorContains(t, scalapackVerdict("xdlu", "   2 tests completed and failed residual checks.\n"), "xdlu: 2 tests")
	assert.ErrorContains(t, scalapackVerdict("xdqr", "WALL 4 4 FAILED\n"), "prints WALL")

	table := "  SUBROUTINE  TOTAL TESTS  PASSED   FAILED  SKIPPED\n  PDSWAP      64      48       %s       16\n"
	assert.NoError(t, scalapackVerdict("dpb1tst", fmt.Sprintf(table, "0")))
	assert.ErrorContains(t, scalapackVerdict("dpb1tst", fmt.Sprintf(table, "3")), "3 tests of PDSWAP fail")
}
