package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A tool defines MPI_X and calls PMPI_X.
func TestToolSeesTheCallsOfAProgram(t *testing.T) {
	for _, face := range faces {
		tool := compile(t, face.abi, "abi/tool.c", "-shared", "-fPIC")
		program := compile(t, face.abi, "abi/ring.c")
		assert.Equal(t, "2 sends\nno errors\n", output(t, mpirun(t, "-n", "1", "-x", "LD_PRELOAD="+tool, program)), face.abi)
	}
}

// A program loads MPI as a plugin, after it has started, and lets it go.
func TestLibraryCanBeLoadedLate(t *testing.T) {
	for _, face := range faces {
		program := compile(t, face.abi, "abi/load.c", "-Wl,--as-needed")
		library := filepath.Join(top, "lib", face.library)
		assert.Equal(t, "no errors\n", output(t, mpirun(t, "-n", "2", program, library)), face.abi)
	}
}

func TestTheTreeCanBeMoved(t *testing.T) {
	moved := filepath.Join(t.TempDir(), "the user's")
	require.NoError(t, os.CopyFS(moved, os.DirFS(top)))
	binary, mpicc := filepath.Join(t.TempDir(), "ring"), filepath.Join(moved, "bin", "mpicc")
	output(t, exec.Command(mpicc, "testdata/abi/ring.c", "-o", binary))
	output(t, exec.Command("sh", "-ec", output(t, exec.Command(mpicc, "-show", "testdata/abi/ring.c", "-o", binary))))
	libraries := output(t, exec.Command("ldd", binary))
	assert.Contains(t, libraries, filepath.Join(moved, "lib", "libmpi_abi.so.1"))
	assert.Contains(t, libraries, filepath.Join(moved, "lib", "libsctpmpi.so"))
}

func TestMpirunTakesOurLibrary(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "ring")
	output(t, exec.Command(bin("mpicc"), "-c", "testdata/abi/ring.c", "-o", binary+".o"))
	output(t, exec.Command("gcc", binary+".o", "-L"+filepath.Join(top, "lib"), "-lmpi_abi", "-o", binary)) // no place of the library
	assert.Error(t, exec.Command(binary).Run())
	assert.Equal(t, "no errors\n", output(t, mpirun(t, "-n", "2", "--abi", "std", binary)))
}

func TestCompilerWrapperShowsWhatItDoes(t *testing.T) {
	mpicc := bin("mpicc")
	include, library := "-I"+top+"/include", "-L"+top+"/lib -Wl,--enable-new-dtags,-rpath,"+top+"/lib -lmpi_abi\n"
	assert.Equal(t, "cc "+include+" -O2 a.c "+library, output(t, exec.Command(mpicc, "-show", "-O2", "a.c")))
	assert.Equal(t, "cc "+include+"\n", output(t, exec.Command(mpicc, "-compile_info")))
	assert.Equal(t, "cc "+library, output(t, exec.Command(mpicc, "-link_info")))
	assert.Equal(t, "clang "+include+"/mpich -c a.c\n", output(t, exec.Command(mpicc, "-show", "-cc=clang", "--abi=mpich", "-c", "a.c")))
	out, err := exec.Command(mpicc, "--abi", "other", "a.c").CombinedOutput()
	assert.Error(t, err)
	assert.Equal(t, "mpicc: the ABI is other; there are std and mpich\n", string(out))
	out, err = exec.Command(mpicc, "--abi", "openmpi", "a.c").CombinedOutput()
	assert.Error(t, err)
	assert.Equal(t, "mpicc: for Open MPI's ABI programs are compiled by Open MPI's own mpicc, as Debian's mpicc.openmpi, and run by this library's mpirun\n", string(out))
}

// A program comes from the standard input, as configure scripts have it.
func TestCompilerWrapperLinksWhatItReads(t *testing.T) {
	cmd := exec.Command(bin("mpicc"), "-xc", "-")
	cmd.Dir, cmd.Stdin = t.TempDir(), strings.NewReader("#include <mpi.h>\nint main(void) { return MPI_Init(0, 0) || MPI_Finalize(); }\n")
	output(t, cmd)
	assert.Empty(t, output(t, mpirun(t, "-n", "2", filepath.Join(cmd.Dir, "a.out"))))
}

// The bindings of Fortran are Debian's, which not every machine has.
func TestFortran(t *testing.T) {
	if exec.Command(bin("mpifort"), "-show").Run() != nil || exec.Command("gfortran", "--version").Run() != nil {
		t.Skip("no bindings of Fortran")
	}
	for _, name := range []string{"graph", "keyvals"} {
		program := filepath.Join(t.TempDir(), name)
		output(t, exec.Command(bin("mpifort"), "testdata/abi/"+name+".f90", "-o", program))
		assert.Equal(t, "no errors\n", output(t, mpirun(t, "-n", "2", program)), name)
	}
}

func TestFunctionThatIsMissingSaysSo(t *testing.T) {
	for _, face := range faces {
		out, err := mpirun(t, compile(t, face.abi, "abi/stub.c")).CombinedOutput()
		assert.Error(t, err)
		assert.Regexp(t, `^this version of the library has no MPI_Publish_name\n`+
			`mpirun: rank 0 .* called Abort\(\d+\): MPI_Publish_name: this version of the library has no MPI_Publish_name; ending the job\n$`, string(out))
	}
}

// Processes that are not spawned can be started in another way.
func TestSpawnSaysHowProgramsAreStarted(t *testing.T) {
	for _, face := range faces {
		out, err := mpirun(t, compile(t, face.abi, "abi/spawn.c")).CombinedOutput()
		assert.Error(t, err)
		assert.Regexp(t, `^mpirun: rank 0 .* called Abort\(\d+\): MPI_Comm_spawn: this version of the library has no MPI_Comm_spawn: `+
			`have the launcher start all programs, as in mpirun -n 1 \./manager : -n 8 \./worker; ending the job\n$`, string(out))
	}
}
