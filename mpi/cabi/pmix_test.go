package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What a launcher that speaks PMIx sets.
var pmixServer = []string{"PMIX_RANK=0", "PMIX_NAMESPACE=job", "PMIX_SERVER_URI41=server;tcp4://127.0.0.1:1"}

// underPMIx is a program whose launcher speaks PMIx, with the libpmix.so.2 of a folder.
func underPMIx(library, program string, args ...string) *exec.Cmd {
	cmd := exec.Command(program, args...)
	cmd.Env = append(append(os.Environ(), "LD_LIBRARY_PATH="+library), pmixServer...)
	return cmd
}

// pmixLibrary builds a libpmix.so.2 and returns its folder. Its server is in itself, and has one rank: .ci/slurm has real ones.
func pmixLibrary(t *testing.T) string {
	folder := t.TempDir()
	output(t, exec.Command("cc", "-Wall", "-Wextra", "-Werror", "-Iinternal/pmix", "-shared", "-fPIC", "-Wl,-soname,libpmix.so.2",
		"-o", filepath.Join(folder, "libpmix.so.2"), "testdata/pmix/library.c"))
	return folder
}

func TestPMIxLibraryThatCannotBeLoaded(t *testing.T) {
	ring := compile(t, "std", "abi/ring.c")
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "libpmix.so.2"), nil, 0o600))
	out, err := underPMIx(folder, ring).CombinedOutput()
	assert.Error(t, err)
	assert.Regexp(t, `^mpi: MPI_Init: pmix: the launcher offers PMIx, and the library for it cannot be loaded: .*libpmix\.so\.2: file too short: `+
		`install it \(Debian: libpmix2\), name its folder in LD_LIBRARY_PATH, or use a launcher without PMIx\n$`, string(out))
}

// Without a PMIx server in the environment there is no need of the library.
func TestPMIxLibraryIsLoadedOnDemand(t *testing.T) {
	ring := compile(t, "std", "abi/ring.c")
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "libpmix.so.2"), nil, 0o600))
	t.Setenv("LD_LIBRARY_PATH", folder)
	assert.Equal(t, "no errors\n", output(t, exec.Command(ring)))
	// A launcher that speaks PMI-1 comes first.
	assert.Equal(t, "no errors\n", output(t, mpirun(t, append(append([]string{"-n", "2", "env"}, pmixServer...), ring)...)))
}

func TestPMIxErrorsAreInItsWords(t *testing.T) {
	ring, library := compile(t, "std", "abi/ring.c"), pmixLibrary(t)
	assert.Equal(t, "no errors\n", output(t, underPMIx(library, ring)))
	for fail, says := range map[string]string{
		"init":     "mpi: MPI_Init: pmix: init: UNREACHABLE (-25)\n",
		"size":     "mpi: MPI_Init: pmix: init: NOT-FOUND (-46)\n",
		"type":     "mpi: MPI_Init: pmix: init: TYPE-MISMATCH (-18)\n",
		"put":      "mpi: MPI_Init: pmix: put sctpmpi-address-0: ERROR (-1)\n",
		"fence":    "mpi: MPI_Init: pmix: fence: TIMEOUT (-24)\n",
		"finalize": "mpi: rank 0: MPI_Finalize: taking leave of the launcher: pmix: finalize: TIMEOUT (-24)\nno errors\n",
	} {
		cmd := underPMIx(library, ring)
		cmd.Env = append(cmd.Env, "FAIL="+fail)
		out, _ := cmd.CombinedOutput()
		assert.Equal(t, says, string(out), fail)
	}
	outside := underPMIx(library, ring)
	outside.Env = append(outside.Env, "PMIX_RANK=1")
	out, _ := outside.CombinedOutput()
	assert.Equal(t, "mpi: MPI_Init: pmix: init: the launcher says that this is rank 1 of 1\n", string(out))
}

// The launcher is told, and does not say it.
func TestAbortUnderPMIx(t *testing.T) {
	cmd := underPMIx(pmixLibrary(t), compile(t, "std", "pmix/ends.c"), "abort")
	out, _ := cmd.CombinedOutput()
	assert.Equal(t, 7, cmd.ProcessState.ExitCode())
	assert.Equal(t, "mpi: rank 0 called MPI_Abort(7)\nserver: 7 \n", string(out))
}

// A rank whose launcher has gone does not wait for messages for ever.
func TestServerOfPMIxThatIsLost(t *testing.T) {
	cmd := underPMIx(pmixLibrary(t), compile(t, "std", "pmix/ends.c"), "wait")
	cmd.Env = append(cmd.Env, "FAIL=server")
	out, err := cmd.CombinedOutput()
	assert.Error(t, err)
	assert.Contains(t, string(out), "the launcher of this job has ended before the job; this process has left it")
}
