package main_test

import (
	"os"
	"os/exec"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Ranks in Go and in C, of all ABIs, are one job. They compute what ranks in Go compute.
func TestGoAndCRanksInOneJob(t *testing.T) {
	job := []string{"-n", "1", bin("mandelbrot"), "-points", "40", "-limit", "100"}
	for _, face := range faces {
		job = append(job, ":", "-n", "1", compile(t, face.abi, "../../../cmd/examples/mandelbrot/worker/worker.c", "-O2"))
	}
	job = append(job, ":", "-n", "1", bin("mandelbrot"))
	want := output(t, mpirun(t, "-n", strconv.Itoa(len(faces)+2), bin("mandelbrot"), "-points", "40", "-limit", "100"))
	assert.Contains(t, want, "40×40 points, moved ")
	for way, env := range ways {
		for _, check := range []string{"length", "types"} {
			cmd := mpirun(t, job...)
			cmd.Env = append(append(os.Environ(), "SCTPMPI_CHECK="+check), env...)
			assert.Equal(t, want, output(t, cmd), "%s, %s", way, check)
		}
	}
}

// Programs in C run under MPICH's launcher as those in Go do, whichever their ABI.
func TestMPICHsLauncher(t *testing.T) {
	if _, err := exec.LookPath("mpiexec.hydra"); err != nil {
		t.Skip("mpiexec.hydra is missing: apt-get install mpich")
	}
	for _, face := range faces {
		program := compile(t, face.abi, "abi/ring.c")
		cmd := exec.CommandContext(t.Context(), "mpiexec.hydra", "-n", "3", program)
		assert.Equal(t, "no errors\n", output(t, cmd), face.abi)
	}
}
