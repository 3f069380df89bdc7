//go:build unix

package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The host of the tests runs jobs, and its doctor says so. All that it looks at is in cmd/internal/doctor.
func TestDoctorLooksAtThisHost(t *testing.T) {
	status, stdout, stderr := runMpirun(t, "doctor")
	assert.Zero(t, status)
	assert.Empty(t, stderr)
	assert.Contains(t, stdout, "good   loopback")
	assert.Contains(t, stdout, "Jobs run here")
}

// underLimit runs mpirun under a limit of the shell's.
func underLimit(t *testing.T, limit string, args ...string) *mpirun {
	m := command(t, args...)
	m.Args = append([]string{"sh", "-c", limit + ` && exec "$0" "$@"`, m.Path}, m.Args[1:]...)
	m.Path = "/bin/sh"
	return m
}

// A limit of the size of files is one of shared memory too. The doctor sees it, and a rank says once that it does without.
func TestLimitThatForbidsSharedMemoryIsSaid(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("ranks share memory on Linux only")
	}
	m := underLimit(t, "ulimit -f 1", "doctor")
	require.NoError(t, m.Start())
	assert.Zero(t, m.status(t))
	assert.Regexp(t, "SLOW   shared memory  none, .*file too large.*\n *mend it: ulimit -f unlimited\n", m.stdout.String())

	m = underLimit(t, "ulimit -f 1", "-n", "3", "--transport", "tcp-perpair", "RANK", "barrier")
	m.Env = append(m.Env, "SCTPMPI_SHM=auto")
	require.NoError(t, m.Start())
	assert.Zero(t, m.status(t), m.stderr.String())
	said := map[string]int{}
	for line := range strings.Lines(m.stderr.String()) {
		if who, what, found := strings.Cut(line, ": no shared memory with "); found {
			said[who]++
			assert.Contains(t, what, "file too large; messages take the network, which is slower. Mend it: ulimit -f unlimited")
		}
	}
	assert.NotEmpty(t, said)
	for who, times := range said {
		assert.Equal(t, 1, times, who)
	}
}

// The host "gone" cannot be reached; the others are looked at all the same.
func TestDoctorLooksAtOtherHosts(t *testing.T) {
	self, err := os.Executable()
	require.NoError(t, err)
	prefix := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(prefix, "bin"), 0o755))
	script := "#!/bin/sh\nMPIRUN_TEST=mpirun exec " + word(self) + ` "$@"`
	require.NoError(t, os.WriteFile(filepath.Join(prefix, "bin", "mpirun"), []byte(script), 0o755))
	doctor := func(hosts string) (status int, stdout, stderr string) {
		return runMpirun(t, "doctor", "--host", hosts, "--prefix", prefix, "--launch-agent", word(agent(t, fakeShell)))
	}

	status, stdout, stderr := doctor("a,b")
	assert.Zero(t, status, stderr)
	assert.Empty(t, stderr)
	assert.Equal(t, 2, strings.Count(stdout, "good   loopback"), stdout)
	assert.Regexp(t, "^host a\n(?s:.*)Jobs run here.*\nhost b\n(?s:.*)Jobs run here.*\n$", stdout)

	status, stdout, stderr = doctor("gone,b")
	assert.Equal(t, 1, status)
	assert.Equal(t, "cannot start mpirun on host gone: ssh: Could not resolve hostname gone\n", messages(stderr))
	assert.Regexp(t, "^host gone\nhost b\n(?s:.*)Jobs run here", stdout)

	for _, args := range [][]string{{"--host", ""}, {"--host", "-x"}, {"--host", "a", "prog"}, {"--none"}} {
		status, stdout, _ = runMpirun(t, append([]string{"doctor"}, args...)...)
		assert.Equal(t, 2, status)
		assert.Empty(t, stdout)
	}
}
