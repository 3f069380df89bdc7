//go:build unix

package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/pprof/profile"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/trace/tracetest"
)

// Each rank has a profile, and all together have one.
func TestProfileOfAJob(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "profiles")
	status, _, stderr := runMpirun(t, "--profile", folder, "-n", "3", "RANK", "ring")
	assert.Zero(t, status, stderr)
	all := filepath.Join(folder, "all.pprof")
	assert.Equal(t, "mpirun: the profile of all ranks is in "+all+": see it with go tool pprof\n", stderr)
	requireProfiles(t, folder, "rank-0.pprof", "rank-1.pprof", "rank-2.pprof", "all.pprof")
}

func requireProfiles(t *testing.T, folder string, names ...string) {
	for _, name := range names {
		file, err := os.Open(filepath.Join(folder, name))
		require.NoError(t, err)
		p, err := profile.Parse(file)
		require.NoError(t, err)
		require.NoError(t, p.CheckValid())
		require.NoError(t, file.Close())
	}
}

// The profiles of ranks on other hosts come to mpirun's, and so do their traces. Nothing of them stays there.
func TestProfileOfSeveralHosts(t *testing.T) {
	folder, there := filepath.Join(t.TempDir(), "profiles"), t.TempDir()
	trace := filepath.Join(t.TempDir(), "trace.json")
	m, _ := onHosts(t, "a:2,localhost,b", "--profile", folder, "--trace", trace, "-n", "4", "-x", "SCTPMPI_INTERFACE=127.0.0.1", "RANK", "ring")
	m.Env = append(m.Env, "TMPDIR="+there)
	require.NoError(t, m.Start())
	require.Zero(t, m.status(t), m.stderr.String())
	assert.Contains(t, m.stderr.String(), "mpirun: the profile of all ranks is in "+filepath.Join(folder, "all.pprof")+": see it with go tool pprof\n")
	assert.NotContains(t, m.stderr.String(), "not in it")
	requireProfiles(t, folder, "rank-0.pprof", "rank-1.pprof", "rank-2.pprof", "rank-3.pprof", "all.pprof")
	tracetest.Read(t, trace, 4)
	left, err := filepath.Glob(there + "/sctpmpi-records-*")
	require.NoError(t, err)
	assert.Empty(t, left)
}

// Where a profile from another host has no place, the user is told so.
func TestProfileOfAnotherHostThatCannotBeSaved(t *testing.T) {
	folder := t.TempDir()
	status, _, stderr := runOnHosts(t, "a,b", "--profile", folder, "-n", "2", "-x", "SCTPMPI_INTERFACE=127.0.0.1",
		"sh", "-c", `touch "$1/rank-1.pprof" && exec "$0" ring`, "RANK", folder)
	require.Zero(t, status, stderr)
	assert.Regexp(t, `mpirun: --profile: what comes from host b is not whole: open .*rank-1\.pprof: file exists\n`, stderr)
	assert.Contains(t, stderr, "have not called Finalize, or their host was lost: 1\n")
}

func TestRanksThatAreNotProfiled(t *testing.T) {
	folder := t.TempDir()
	_, _, stderr := runMpirun(t, "--profile", folder, "-n", "2", "RANK", "environment")
	assert.Contains(t, stderr, "mpirun: --profile: no rank has a profile: are they Go programs of this library, which call Finalize?\n")
}
