//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Each host has our libraries beside its own mpirun. The one of this test has none.
func TestLibrariesOfOtherHostsAreThoseThere(t *testing.T) {
	self, err := os.Executable()
	require.NoError(t, err)
	prefix, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	for _, folder := range []string{"bin", "lib"} {
		require.NoError(t, os.Mkdir(filepath.Join(prefix, folder), 0o755))
	}
	text, err := exec.Command("cp", self, filepath.Join(prefix, "bin", "mpirun")).CombinedOutput()
	require.NoError(t, err, string(text))
	run := func() (status int, stdout, stderr string) {
		return runOnHosts(t, "a,b", "-n", "2", "--prefix", prefix, "--abi", "mpich", "-x", "LD_LIBRARY_PATH=/mine",
			"sh", "-c", `[ $PMI_RANK = 1 ] || echo "$LD_LIBRARY_PATH"`)
	}

	status, stdout, stderr := run()
	assert.Equal(t, 1, status)
	assert.Empty(t, stdout)
	assert.Equal(t, "hosts a, b: --abi mpich: there is no libmpich.so.12 in "+prefix+"/lib; make libmpi builds it\n", messages(stderr))

	require.NoError(t, os.WriteFile(filepath.Join(prefix, "lib", "libmpich.so.12"), nil, 0o644))
	status, stdout, stderr = run()
	assert.Zero(t, status, stderr)
	assert.Equal(t, prefix+"/lib:/mine\n", stdout)

	status, _, stderr = runOnHosts(t, "a,localhost", "-n", "2", "--prefix", prefix, "--abi", "mpich", "true")
	assert.Equal(t, 2, status)
	assert.Contains(t, messages(stderr), "--abi mpich: there is no libmpich.so.12 in "+filepath.Join(filepath.Dir(filepath.Dir(self)), "lib"))
}
