package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The tests of the C face are C programs, in testdata, which are compiled by its mpicc and run by mpirun. They say "no errors".

// built is the folder with bin/ and lib/, in which make libmpi has been run once.
var built = sync.OnceValues(func() (string, error) {
	top, err := filepath.Abs("../..")
	if err != nil {
		return "", err
	}
	for _, args := range [][]string{{"./build"}, {"go", "-C", top, "build", "-o", "bin/", "./cmd/mpirun"}} {
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			os.Stderr.Write(out)
			return "", err
		}
	}
	return top, nil
})

// compiled is a program of testdata, for a test.
func compiled(t *testing.T, name string, flags ...string) (mpirun, program string) {
	top, err := built()
	require.NoError(t, err)
	program = filepath.Join(t.TempDir(), name)
	args := append([]string{"-Wall", "-Wextra", "-Werror", "-g", filepath.Join("testdata", name+".c"), "-o", program}, flags...)
	out, err := exec.Command(filepath.Join(top, "bin/mpicc"), args...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return filepath.Join(top, "bin/mpirun"), program
}

// ways are how ranks are connected.
var ways = map[string][]string{
	"shared memory": nil,
	"tcp-perpair":   {"SCTPMPI_SHM=off", "SCTPMPI_TRANSPORT=tcp-perpair"},
	"sctp-engine":   {"SCTPMPI_SHM=off", "SCTPMPI_TRANSPORT=sctp-engine"},
}

func TestPrograms(t *testing.T) {
	for name, ranks := range map[string]int{
		"messages": 2, "requests": 2, "errors": 2, "hostile": 2, "comms": 3, "sessions": 2, "threads": 2, "files": 3,
		"types": 1, "collectives": 4,
	} {
		t.Run(name, func(t *testing.T) {
			mpirun, program := compiled(t, name, "-pthread")
			for way, env := range ways {
				cmd := exec.Command(mpirun, "-n", strconv.Itoa(ranks), program)
				cmd.Env = append(append(os.Environ(), "TMPDIR="+t.TempDir()), env...)
				out, err := cmd.CombinedOutput()
				assert.NoError(t, err, way)
				assert.Equal(t, "no errors\n", string(out), way)
			}
		})
	}
}

// Types are checked if the program's user asks for it.
func TestTypesAreChecked(t *testing.T) {
	mpirun, program := compiled(t, "types")
	cmd := exec.Command(mpirun, "-n", "1", program)
	cmd.Env = append(os.Environ(), "SCTPMPI_CHECK=types")
	out, err := cmd.CombinedOutput()
	assert.NoError(t, err)
	assert.Equal(t, "no errors\n", string(out))
}

// What mpirun says of a program that ends badly is as clear as for one in Go.
func TestBadEnds(t *testing.T) {
	mpirun, program := compiled(t, "ends")
	for how, says := range map[string]string{
		"before": "mpi: MPI_Send: the process has not called MPI_Init",
		"fatal":  "called Abort(6): MPI_Send: dest 99 is not in a communicator of 2 ranks",
		"abort":  "called Abort(7)",
		"exit":   "exited with status 3",
		"exit0":  "exited without Finalize",
		"crash":  "was killed by signal 11",
		"killed": "was killed by signal 9",
	} {
		var stderr bytes.Buffer
		cmd := exec.Command(mpirun, "-n", "2", program, how)
		cmd.Stderr = &stderr
		assert.Error(t, cmd.Run(), how)
		assert.Contains(t, stderr.String(), says, how)
		assert.LessOrEqual(t, strings.Count(stderr.String(), "\n"), 3, "%s: %s", how, &stderr)
	}
}
