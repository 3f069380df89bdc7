package main_test

import (
	"bufio"
	"bytes"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The tests of the C face are C programs, in testdata, which are compiled by its mpicc and run by mpirun. They say "no errors".

// ways are how ranks are connected.
var ways = map[string][]string{
	"shared memory": nil,
	"tcp-perpair":   {"SCTPMPI_SHM=off", "SCTPMPI_TRANSPORT=tcp-perpair"},
	"sctp-engine":   {"SCTPMPI_SHM=off", "SCTPMPI_TRANSPORT=sctp-engine"},
}

// programs are those that need no arguments, with the number of ranks.
var programs = map[string]int{
	"converts": 1,
	"messages": 2, "requests": 2, "errors": 2, "hostile": 2, "limits": 2, "recovery": 3, "refusals": 3, "strangers": 2, "callbacks": 3, "comms": 3, "sessions": 2, "threads": 2, "files": 3,
	"types": 1, "windows": 2, "fortran": 2, "collectives": 4, "tools": 2, "numbers": 1,
}

func TestPrograms(t *testing.T) {
	for name, ranks := range programs {
		t.Run(name, func(t *testing.T) {
			for _, face := range faces {
				program := compile(t, face.abi, name+".c", "-g", "-pthread")
				for way, env := range ways {
					if face.abi != "std" && env != nil {
						continue // the ABI does not see how ranks are connected
					}
					cmd := mpirun(t, "-n", strconv.Itoa(ranks), program)
					cmd.Env = append(append(os.Environ(), "TMPDIR="+t.TempDir()), env...)
					out, err := cmd.CombinedOutput()
					assert.NoError(t, err, "%s, %s", face.abi, way)
					assert.Equal(t, "no errors\n", string(out), "%s, %s", face.abi, way)
				}
			}
		})
	}
}

// Elements of another type than the receive's are taken, as they are over other libraries.
func TestTypesAreTakenByDefault(t *testing.T) {
	for _, face := range faces {
		assert.Equal(t, "no errors\n", output(t, mpirun(t, "-n", "2", compile(t, face.abi, "mismatches.c"), "taken")), face.abi)
	}
}

// They are refused if the program's user asks for it.
func TestTypesAreCheckedOnDemand(t *testing.T) {
	t.Setenv("SCTPMPI_CHECK", "types")
	for _, face := range faces {
		alone, two := compile(t, face.abi, "types.c"), compile(t, face.abi, "mismatches.c")
		assert.Equal(t, "no errors\n", output(t, mpirun(t, "-n", "1", alone)), face.abi)
		for way, env := range ways {
			if face.abi != "std" && env != nil {
				continue // the ABI does not see how ranks are connected
			}
			cmd := mpirun(t, "-n", "2", two, "refused")
			cmd.Env = append(os.Environ(), env...)
			assert.Equal(t, "no errors\n", output(t, cmd), "%s, %s", face.abi, way)
		}
		assert.Regexp(t, `called Abort\(\d+\): MPI_Recv: 2 elements of int32 from rank 0 with tag 1 cannot be received as MPI_FLOAT: .*; ending the job\n$`,
			badEnd(t, "", two, "fatal"), face.abi)
	}
}

// A buffer that is changed before its operation has completed is found if the program's user asks for it. What programs may do is no error.
func TestChangedBuffersAreFound(t *testing.T) {
	t.Setenv("SCTPMPI_CHECK", "buffers")
	for _, face := range faces {
		program := compile(t, face.abi, "buffers.c")
		assert.Equal(t, "no errors\n", output(t, mpirun(t, "-n", "2", program, "found")), face.abi)
		assert.Regexp(t, `called Abort\(\d+\): MPI_Wait: send to rank 1 with tag 1 on MPI_COMM_WORLD, started by Isend: the program changed the buffer .*: byte 0 of 4 was 0x01 and is 0x02; ending the job\n$`,
			badEnd(t, "", program, "fatal"), face.abi)
		for _, name := range []string{"messages", "requests", "collectives"} {
			program := compile(t, face.abi, name+".c", "-pthread")
			assert.Equal(t, "no errors\n", output(t, mpirun(t, "-n", strconv.Itoa(programs[name]), program)), "%s, %s", face.abi, name)
		}
	}
}

// What mpirun says of a program that ends badly is as clear as for one in Go.
func TestBadEnds(t *testing.T) {
	program := compile(t, "std", "ends.c")
	for how, says := range map[string]string{
		"before": "mpi: MPI_Send: the process has not called MPI_Init",
		"fatal":  "called Abort(6): MPI_Send: dest 99 is not in a communicator of 2 ranks",
		"tag":    "called Abort(4): MPI_Send: tag -7 is not between 0 and 2147483647",
		"rank":   "called Abort(6): MPI_Send: dest -7 is not in a communicator of 2 ranks",
		"abort":  "called Abort(7)",
		"exit":   "exited with status 3",
		"exit0":  "exited without Finalize",
		"crash":  "was killed by signal 11",
		"killed": "was killed by signal 9",
	} {
		var stderr bytes.Buffer
		cmd := mpirun(t, "-n", "2", program, how)
		cmd.Stderr = &stderr
		assert.Error(t, cmd.Run(), how)
		assert.Contains(t, stderr.String(), says, how)
		assert.LessOrEqual(t, strings.Count(stderr.String(), "\n"), 3, "%s: %s", how, &stderr)
	}
}

// The stack of a call shows where it is in the library, and not where in the program.
func TestHangsNameNoLineOfTheLibrary(t *testing.T) {
	cmd := mpirun(t, "-n", "2", compile(t, "std", "ends.c"), "stuck")
	cmd.Env = append(os.Environ(), "SCTPMPI_DEADLOCK_CHECK=10ms")
	stderr, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	lines := bufio.NewScanner(stderr)
	require.True(t, lines.Scan())
	assert.Contains(t, lines.Text(), "this looks like a deadlock")
	require.True(t, lines.Scan())
	assert.Regexp(t, `^mpirun: ranks 0, 1 wait .* in Recv from any rank, tag 0$`, lines.Text())
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	for lines.Scan() {
	}
	require.Error(t, cmd.Wait())
}
