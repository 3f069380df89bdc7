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

func TestLibrariesThatAProgramTakes(t *testing.T) {
	const ours = "\tliblammps.so.0 => /lib/liblammps.so.0 (0x01)\n\tlibmpi.so.40 => /a b/lib/libmpi.so.40 (0x02)\n\tlibmpi_cxx.so.40 => /lib/libmpi_cxx.so.40 (0x03)\n"
	assert.NoError(t, onlyThisLibrary("lmp", ours, "/a b/lib"))
	assert.EqualError(t, onlyThisLibrary("lmp", ours+"\tlibopen-rte.so.40 => /lib/libopen-rte.so.40 (0x04)\n", "/a b/lib"),
		"lmp takes libopen-rte.so from /lib/libopen-rte.so.40")
	assert.EqualError(t, onlyThisLibrary("lmp", "\tlibmpi.so.40 => /lib/libmpi.so.40 (0x02)\n", "/a b/lib"), "lmp takes libmpi.so from /lib/libmpi.so.40")
	assert.EqualError(t, onlyThisLibrary("ls", "\tlibc.so.6 => /lib/libc.so.6 (0x01)\n", "/a b/lib"), "ls needs no library of Open MPI")
}

func TestThermodynamicOutput(t *testing.T) {
	const six = "0 1\n1 1\n2 1\n3 1\n4 1\n5 1\n"
	table, err := thermo("LAMMPS\nStep Temp E_pair\n" + six + "Loop time of 0.1\nPair 1\n")
	require.NoError(t, err)
	assert.Equal(t, "Step Temp E_pair\n"+six+"Loop time", table)
	_, err = thermo("Step Temp E_pair\n0 1\nLoop time of 0.1\n")
	assert.Error(t, err)
}

func TestDifferenceOfResults(t *testing.T) {
	assert.Equal(t, `"c" instead of "b"`, difference("a\nc\n", "a\nb\n"))
	assert.Equal(t, `"" instead of "b"`, difference("a", "a\nb"))
}

func TestAlignmentHasASequenceForEachSpecies(t *testing.T) {
	text := alignment(3, 20)
	assert.Regexp(t, `^3 20\nspecies0    [ACGT]{20}\nspecies1    [ACGT]{20}\nspecies2    [ACGT]{20}\n$`, text)
	assert.Equal(t, text, alignment(3, 20))
}
