package lab

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

func TestKernelKeepsToOneOfOurProcessors(t *testing.T) {
	var ours, its unix.CPUSet
	require.NoError(t, unix.SchedGetaffinity(0, &ours))
	c := exec.Command("cat")
	stdin, err := c.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	for range 10 { // chosen at random
		keepToOneProcessor(c.Process.Pid)
		require.NoError(t, unix.SchedGetaffinity(c.Process.Pid, &its))
		assert.Equal(t, 1, its.Count())
		for i := range ours {
			assert.Zero(t, its[i]&^ours[i])
		}
	}
	require.NoError(t, stdin.Close())
	require.NoError(t, c.Wait())
}

// Where the processor has AMX all labs need it. This is for the others.
func TestRegistersLibraryCanBeBuiltAndLoaded(t *testing.T) {
	path, err := buildRegistersLibrary(t.TempDir())
	require.NoError(t, err)
	c := exec.Command("true")
	c.Env = []string{"LD_PRELOAD=" + path}
	out, err := c.CombinedOutput()
	require.NoError(t, err)
	assert.Empty(t, string(out), "the loader says what it cannot load")

	_, err = buildRegistersLibrary(filepath.Join(t.TempDir(), "a b"))
	assert.ErrorContains(t, err, "TMPDIR")
}
