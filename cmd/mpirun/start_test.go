//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// many ranks: the first one writes something before the last one has been started.
const many = "400"

// script makes a run of a shell script of which $0 is mpirun and the program of the ranks.
func script(t *testing.T, text string) *mpirun {
	t.Helper()
	m := command(t)
	m.Path, m.Args = "/bin/sh", []string{"sh", "-c", text, m.Path}
	return m
}

func TestCountThatCannotWorkStartsNothing(t *testing.T) {
	m := script(t, `ulimit -n 256; exec "$0" -n 100 "$0" lines 1`)
	require.NoError(t, m.Start())
	assert.Equal(t, 1, m.status(t))
	assert.Empty(t, m.stdout.String())
	assert.Equal(t, "cannot start 100 ranks: mpirun needs 496 open files for them, and may have 256, so there can be 40 at most; "+
		"raise the hard limit (ulimit -Hn)\n", messages(m.stderr.String()))
}

func TestSoftLimitOfOpenFilesIsRaised(t *testing.T) {
	m := script(t, `ulimit -Sn 64; exec "$0" -n 40 "$0" lines 1`)
	require.NoError(t, m.Start())
	assert.Zero(t, m.status(t), m.stderr.String())
	assert.Equal(t, 40, strings.Count(m.stdout.String(), "end\n"))
}

// A signal, a failure or a time-out ends the job at once, although not all ranks have been started.
func TestJobThatEndsWhileItStartsStartsNoFurtherRanks(t *testing.T) {
	for _, test := range []struct {
		name   string
		args   []string
		status int
	}{
		{"signal", []string{"sh", "-c", `echo started; [ $PMI_RANK = 0 ] && kill -INT $PPID; exec sleep 3600`}, 130},
		{"failure", []string{"sh", "-c", `echo started; [ $PMI_RANK = 0 ] && exit 3; exec sleep 3600`}, 3},
		{"timeout", []string{"--timeout", "1ms", "sh", "-c", `echo started; exec sleep 3600`}, 124},
	} {
		t.Run(test.name, func(t *testing.T) {
			status, stdout, stderr := runMpirun(t, append([]string{"-n", many}, test.args...)...)
			assert.Equal(t, test.status, status)
			assert.Less(t, strings.Count(stdout, "started\n"), 400)
			assert.Equal(t, 1, strings.Count(messages(stderr), "; ending the job\n"), stderr)
		})
	}
}

func TestLowestRankThatCannotBeStartedIsNamed(t *testing.T) {
	garbage := filepath.Join(t.TempDir(), "garbage")
	require.NoError(t, os.WriteFile(garbage, []byte("\x01"), 0o755))
	for range 10 {
		status, _, stderr := runMpirun(t, "-n", "40", garbage)
		assert.Equal(t, 126, status)
		assert.Equal(t, "cannot start rank 0: "+garbage+" is no program of this system, and no script: a script begins with a line such as #!/bin/sh\n", messages(stderr))
	}
}
