package main_test

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Modules that a program loads, whose names others do not see, may each have an ABI of its own, as long as they pass no handles to each other.
func TestModulesOfAllABIsInOneProcess(t *testing.T) {
	loader := filepath.Join(t.TempDir(), "loader")
	output(t, exec.Command("gcc", "-Wall", "-DLOADER", "testdata/abi/module.c", "-o", loader))
	job := []string{"-n", "2", loader}
	for _, face := range faces {
		job = append(job, compile(t, face.abi, "abi/module.c", "-shared", "-fPIC"))
	}
	assert.Equal(t, "no errors\n", output(t, mpirun(t, job...)))
}

// A program and a library of it that have been compiled for different ABIs can be linked. The first handle that is wrong says so, and what
// to do.
func TestHandlesOfAnotherABI(t *testing.T) {
	const (
		standard = "the code that passes it has been compiled with the mpi.h of the standard ABI: compile all parts of the program with mpicc --abi mpich"
		mpich    = "the code that passes it has been compiled with MPICH's mpi.h: compile all parts of the program with mpicc --abi mpich"
		ofTheirs = " mpi.h: compile all parts of the program with Open MPI's mpicc"
		openMPI  = "it is an address: if the code that passes it has been compiled with Open MPI's mpi.h, compile all parts of the program with this library's mpicc"
	)
	build := func(program, library string) string {
		folder := t.TempDir()
		so, exe := filepath.Join(folder, "liblibrary.so"), filepath.Join(folder, "mixed")
		output(t, compiler(bin("mpicc"), library, "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", so, "testdata/abi/mixed_library.c"))
		output(t, compiler(bin("mpicc"), program, "-Wall", "-Wextra", "-Werror", "-Wno-int-to-pointer-cast", "-o", exe, "testdata/abi/mixed.c",
			so, "-Wl,-rpath,"+folder))
		return exe
	}
	says := func(program string, how ...string) string {
		out, err := exec.Command(program, how...).CombinedOutput()
		assert.Error(t, err)
		return string(out)
	}
	same, other, reverse := build("std", "std"), build("std", "mpich"), build("mpich", "std")
	assert.Equal(t, "1\n", output(t, exec.Command(same, "type")))
	assert.Contains(t, says(other, "comm"), "MPI_Comm_rank: 0x44000000 is no communicator here: "+mpich)
	assert.Contains(t, says(other, "type"), "MPI_Allreduce: 0x4c000405 is no datatype here: "+mpich)
	assert.Contains(t, says(reverse, "comm"), "MPI_Comm_rank: 0x101 is no communicator here: "+standard)
	assert.Regexp(t, "MPI_Comm_rank: 0x[0-9a-f]+ is no communicator here: "+openMPI, says(same, "address"))
	if exe := filepath.Join(t.TempDir(), "fixed"); exec.Command(bin("mpicc"), "-no-pie", "-o", exe, "testdata/abi/mixed.c",
		filepath.Join(filepath.Dir(same), "liblibrary.so"), "-Wl,-rpath,"+filepath.Dir(same)).Run() == nil {
		assert.Regexp(t, "MPI_Comm_rank: 0x[0-9a-f]+ is no communicator here: "+openMPI, says(exe, "address"))
	}

	own, foreign, older := build("openmpi", "openmpi"), build("openmpi", "mpich"), build("openmpi", "std")
	assert.Equal(t, "1\n", output(t, exec.Command(own, "type")))
	assert.Contains(t, says(foreign, "comm"), "MPI_Comm_rank: 0x44000000 is no communicator here: the code that passes it has been compiled with MPICH's"+ofTheirs)
	assert.Contains(t, says(older, "comm"), "MPI_Comm_rank: 0x101 is no communicator here: the code that passes it has been compiled with the mpi.h of the standard ABI: "+
		"compile all parts of the program with Open MPI's mpicc")
	assert.Regexp(t, "MPI_Comm_rank: 0x[0-9a-f]+ is no communicator, or one that has been freed", says(own, "address"))
	assert.Regexp(t, "MPI_Comm_rank: 0x[0-9a-f]+ is no communicator here: "+openMPI, says(build("std", "openmpi"), "comm"))
}
