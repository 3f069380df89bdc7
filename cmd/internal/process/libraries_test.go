package process

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// tree is a directory with bin/mpirun, where there need be no file, and the libraries for C programs.
func tree(t *testing.T, libraries ...string) (top string) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	for _, folder := range []string{"bin", "lib"} {
		require.NoError(t, os.Mkdir(filepath.Join(top, folder), 0o755))
	}
	for _, name := range libraries {
		require.NoError(t, os.WriteFile(filepath.Join(top, "lib", name), nil, 0o644))
	}
	return top
}

func TestABIPutsOurLibrariesFirst(t *testing.T) {
	top := tree(t, "libmpich.so.12")
	mpirun := filepath.Join(top, "bin", "mpirun")
	for _, test := range []struct {
		environment []string
		want        string
	}{
		{nil, top + "/lib"},
		{[]string{"LD_LIBRARY_PATH=/mine", "A=1"}, top + "/lib:/mine"},
		{[]string{"LD_LIBRARY_PATH=/mine", "LD_LIBRARY_PATH=/new"}, top + "/lib:/new"},
	} {
		got, err := libraries("mpich", mpirun, test.environment)
		require.NoError(t, err)
		assert.Equal(t, []string{"LD_LIBRARY_PATH=" + test.want}, got)
	}
	_, err := libraries("std", mpirun, nil)
	assert.EqualError(t, err, "--abi std: there is no libmpi_abi.so.1 in "+top+"/lib; make libmpi builds it")
	_, err = libraries("openmpi", mpirun, nil)
	assert.EqualError(t, err, "--abi openmpi: there are std and mpich")
	none, err := Libraries("", nil)
	assert.NoError(t, err)
	assert.Empty(t, none)
}

func TestABIFollowsALinkToMpirun(t *testing.T) {
	top := tree(t, "libmpi_abi.so.1")
	require.NoError(t, os.WriteFile(filepath.Join(top, "bin", "mpirun"), nil, 0o755))
	link := filepath.Join(t.TempDir(), "run")
	require.NoError(t, os.Symlink(filepath.Join(top, "bin", "mpirun"), link))
	got, err := libraries("std", link, nil)
	require.NoError(t, err)
	assert.Equal(t, []string{"LD_LIBRARY_PATH=" + top + "/lib"}, got)
}
