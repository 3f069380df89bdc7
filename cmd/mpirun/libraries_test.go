package main

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
		exported  []string
		inherited string
		want      []string
	}{
		{nil, "", []string{"LD_LIBRARY_PATH=" + top + "/lib"}},
		{[]string{"A=1"}, "/mine", []string{"A=1", "LD_LIBRARY_PATH=" + top + "/lib:/mine"}},
		{[]string{"LD_LIBRARY_PATH=/new"}, "/mine", []string{"LD_LIBRARY_PATH=/new", "LD_LIBRARY_PATH=" + top + "/lib:/new"}},
	} {
		got, err := withLibraries(test.exported, "mpich", mpirun, test.inherited)
		require.NoError(t, err)
		assert.Equal(t, test.want, got)
	}
	_, err := withLibraries(nil, "std", mpirun, "")
	assert.EqualError(t, err, "--abi std: there is no libmpi_abi.so.1 in "+top+"/lib; make libmpi builds it")
	_, err = withLibraries(nil, "openmpi", mpirun, "")
	assert.EqualError(t, err, "--abi openmpi: there are std and mpich")
}

func TestABIFollowsALinkToMpirun(t *testing.T) {
	top := tree(t, "libmpi_abi.so.1")
	require.NoError(t, os.WriteFile(filepath.Join(top, "bin", "mpirun"), nil, 0o755))
	link := filepath.Join(t.TempDir(), "run")
	require.NoError(t, os.Symlink(filepath.Join(top, "bin", "mpirun"), link))
	got, err := withLibraries(nil, "std", link, "")
	require.NoError(t, err)
	assert.Equal(t, []string{"LD_LIBRARY_PATH=" + top + "/lib"}, got)
}
