//go:build unix

package othermpi_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/othermpi"
	"github.com/sctpmpi/sctpmpi/cmd/mpibench/internal/rank"
)

// install writes scripts into a folder and makes it the only one in PATH.
func install(t *testing.T, scripts map[string]string) {
	t.Helper()
	folder := t.TempDir()
	for name, script := range scripts {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte("#!/bin/sh\n"+script), 0o755))
	}
	t.Setenv("PATH", folder)
}

// launcher stands for Open MPI's mpirun: it prints its version, and for a job the number of its
// arguments, in place of results.
const launcher = `case "$*" in
--version) echo "mpirun (Open MPI) 9.8.7";;
*) echo "{\"count\": $#, \"wall_s\": $OMPI_ALLOW_RUN_AS_ROOT}";;
esac
`

func TestImplementationThatIsNotInstalledIsMissingAndSaysHowToInstallIt(t *testing.T) {
	install(t, nil)
	found, missing, err := othermpi.Find(t.Context(), t.TempDir())
	require.NoError(t, err)
	assert.Empty(t, found)
	assert.Equal(t, map[string]string{
		"Open MPI": "not installed; on Debian: apt-get install openmpi-bin libopenmpi-dev",
		"MPICH":    "not installed; on Debian: apt-get install mpich libmpich-dev",
	}, missing)
}

func TestImplementationIsKnownByItsLauncher(t *testing.T) {
	install(t, map[string]string{"mpirun": launcher, "mpicc": "exit 0"})
	found, missing, err := othermpi.Find(t.Context(), t.TempDir())
	require.NoError(t, err)
	require.Len(t, found, 1)
	assert.Equal(t, "Open MPI 9.8.7", found[0].Name)
	assert.Contains(t, missing, "MPICH", "the same mpirun is not MPICH's")
}

// This is the name in the output of Debian's mpirun.openmpi if MPICH is installed too.
func TestOpenMPIIsKnownByTheNameOfItsRunTimeToo(t *testing.T) {
	install(t, map[string]string{
		"mpirun.openmpi": strings.Replace(launcher, "mpirun (Open MPI) 9.8.7", "mpirun.openmpi (OpenRTE) 4.1.4", 1),
		"mpicc.openmpi":  "exit 0",
	})
	found, _, err := othermpi.Find(t.Context(), t.TempDir())
	require.NoError(t, err)
	require.Len(t, found, 1)
	assert.Equal(t, "Open MPI 4.1.4", found[0].Name)
}

func TestCompilerIsThatOfTheLauncher(t *testing.T) {
	install(t, map[string]string{"mpirun.openmpi": launcher, "mpicc": "exit 0"})
	_, missing, err := othermpi.Find(t.Context(), t.TempDir())
	require.NoError(t, err)
	assert.Contains(t, missing["Open MPI"], "its compiler mpicc.openmpi is missing")
}

func TestBuildThatFailsIsExplained(t *testing.T) {
	install(t, map[string]string{"mpirun": launcher, "mpicc": "echo no mpi.h; exit 1"})
	_, missing, err := othermpi.Find(t.Context(), t.TempDir())
	require.NoError(t, err)
	assert.Contains(t, missing["Open MPI"], "no mpi.h")
}

func TestJobPassesArgumentsAndVariables(t *testing.T) {
	install(t, map[string]string{"mpirun": launcher, "mpicc": "exit 0"})
	found, _, err := othermpi.Find(t.Context(), t.TempDir())
	require.NoError(t, err)
	job := othermpi.Job{Library: found[0], Medium: othermpi.TCP, Ranks: 1, Works: []string{"barrier:0:0"}, Duration: time.Second}
	figures, err := job.Run(t.Context())
	require.NoError(t, err)
	const arguments = 2 + 12 + 3 // ranks, flags of TCP, program
	assert.Equal(t, []rank.Figures{{"count": arguments, "wall_s": 1}}, figures)
}

// TestInstalledLibrariesDoEveryWork runs the program on the libraries that this machine has.
func TestInstalledLibrariesDoEveryWork(t *testing.T) {
	found, missing, err := othermpi.Find(t.Context(), t.TempDir())
	require.NoError(t, err)
	t.Log(missing)
	works := []string{"latency:8:0", "latency:8:10", "flood:1000:4", "barrier:0:0"}
	for _, library := range found {
		for _, medium := range []othermpi.Medium{othermpi.TCP, othermpi.SharedMemory} {
			figures, err := othermpi.Job{Library: library, Medium: medium, Ranks: 2, Works: works, Duration: time.Millisecond}.Run(t.Context())
			require.NoError(t, err, "%s over %s", library.Name, medium)
			for _, f := range figures {
				assert.Positive(t, f["count"])
				assert.Positive(t, f["wall_s"])
			}
		}
	}
}
