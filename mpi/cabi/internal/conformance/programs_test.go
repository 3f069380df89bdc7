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
	table := "  SUBROUTINE  TOTAL TESTS  PASSED   FAILED  SKIPPED\n  |  PDSWAP      64      48       %d       16\n"
	for _, good := range []string{
		"  24 tests completed and passed residual checks.\n   0 tests completed and failed residual checks.\n",
		"Passed 0.256E-01-0.100E+01   100    25   2   2    8     1  0.00  0.00  0.00    N\n",
		"  500  50    2    2     1.30 PASSED\n",
		"INTEGER SDRV TESTS:   75 TESTS;   50 PASSED,   25 SKIPPED,    0 FAILED.\n",
		fmt.Sprintf(table, 0),
	} {
		assert.NoError(t, scalapackVerdict("xdlu", good), good)
	}
	for bad, want := range map[string]string{
		"   2 tests completed and failed residual checks.\n": "xdlu: prints 2 tests",
		"WALL 4 4 FAILED\n": "prints WALL",
		"   ***** Computational check: PSASUM         FAILED  *****\n":              "prints *****",
		" Test I =  3 has failed\n":                                                 "prints Test I",
		"INTEGER SDRV TESTS:   75 TESTS;   49 PASSED,   25 SKIPPED,    1 FAILED.\n": "prints 49 PASSED",
		fmt.Sprintf(table, 3):                                                       "prints |  PDSWAP",
		"0 tests completed and passed residual checks.\n":                           "says of no test",
		"RESULT   : passed; or an indication of which test failed\n":                "says of no test",
	} {
		assert.ErrorContains(t, scalapackVerdict("xdlu", bad), want, bad)
	}
}
