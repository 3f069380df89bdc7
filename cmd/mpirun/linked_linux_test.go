package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/internal/linkage/linkagetest"
	"github.com/sctpmpi/sctpmpi/cmd/internal/process"
)

// Without our library each process of a program of Open MPI would be a job of its own, and end with status 0.
func TestProgramOfOpenMPIIsNotStartedOnItsOwnLibrary(t *testing.T) {
	folder := t.TempDir()
	linkagetest.Library(t, folder, "libmpi.so.40")
	t.Setenv("LD_LIBRARY_PATH", folder)
	program := linkagetest.Program(t, folder, []string{"libmpi.so.40"})
	why := program + " is linked with Open MPI (libmpi.so.40), and does not find sctpmpi's library in its place: its processes would not find each other, " +
		"and each would be a job of its own. mpirun doctor " + program + " says more, or " + process.LauncherOfOpenMPI() + " starts it\n"
	for _, args := range [][]string{
		{"-n", "2", program},
		{"-n", "1", "RANK", "lines", "1", ":", "-n", "1", program},
		{"-n", "2", "--host", "localhost:2", program},
		{"-n", "2", "--dry-run", program},
	} {
		status, stdout, stderr := runMpirun(t, args...)
		assert.Equal(t, 126, status)
		assert.Empty(t, stdout)
		assert.Equal(t, why, messages(stderr))
	}
	prefix := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(prefix, "bin"), 0o755))
	require.NoError(t, os.Symlink(self(t), filepath.Join(prefix, "bin", "mpirun")))
	status, stdout, stderr := runOnHosts(t, "a,b", "-n", "2", "--prefix", prefix, program)
	assert.Equal(t, 126, status)
	assert.Empty(t, stdout)
	assert.Equal(t, "hosts a, b: "+why, messages(stderr))

	status, stdout, stderr = runMpirun(t, "doctor", program)
	assert.Equal(t, 1, status)
	assert.Empty(t, stderr)
	assert.Contains(t, stdout, "FAILS  MPI            "+program+" needs libmpi.so.40 and takes "+folder+"/libmpi.so.40, as sctpmpi's libraries are not in ")
}

func TestDoctorLooksAtAProgram(t *testing.T) {
	status, stdout, stderr := runMpirun(t, "doctor", "sh")
	assert.Zero(t, status)
	assert.Empty(t, stderr)
	assert.Contains(t, stdout, "good   MPI ")
	status, _, stderr = runMpirun(t, "doctor", "./no-such-program")
	assert.Equal(t, 127, status)
	assert.Equal(t, "mpirun: ./no-such-program: no such file\n", stderr)
}
