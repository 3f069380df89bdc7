//go:build unix

package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/pprof/profile"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Each rank has a profile, and all together have one.
func TestProfileOfAJob(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "profiles")
	status, _, stderr := runMpirun(t, "--profile", folder, "-n", "3", "RANK", "ring")
	assert.Zero(t, status, stderr)
	all := filepath.Join(folder, "all.pprof")
	assert.Equal(t, "mpirun: the profile of all ranks is in "+all+": see it with go tool pprof\n", stderr)
	for _, name := range []string{"rank-0.pprof", "rank-1.pprof", "rank-2.pprof", "all.pprof"} {
		file, err := os.Open(filepath.Join(folder, name))
		require.NoError(t, err)
		p, err := profile.Parse(file)
		require.NoError(t, err)
		require.NoError(t, p.CheckValid())
		require.NoError(t, file.Close())
	}
}

func TestRanksThatAreNotProfiled(t *testing.T) {
	folder := t.TempDir()
	_, _, stderr := runMpirun(t, "--profile", folder, "-n", "2", "RANK", "environment")
	assert.Contains(t, stderr, "mpirun: --profile: no rank has a profile: are they Go programs of this library, which call Finalize?\n")
}
