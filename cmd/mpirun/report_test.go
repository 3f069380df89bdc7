//go:build unix

package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// said are the lines of standard error that are not mpirun's.
func said(stderr string) (lines []string) {
	for line := range strings.Lines(stderr) {
		if !strings.HasPrefix(line, "mpirun: ") {
			lines = append(lines, line)
		}
	}
	return lines
}

func TestMistakeOfManyRanksIsOneLine(t *testing.T) {
	for _, label := range []bool{false, true} {
		args := []string{"-n", "60", "RANK", "says", "2", "no such file"}
		want := `^\d{4}/\d\d/\d\d \d\d:\d\d:\d\d no such file( \(\d+ ranks\))?\n$`
		if label {
			args = append([]string{"--label"}, args...)
			want = `^\[[0-9,-]+\] \d{4}/\d\d/\d\d \d\d:\d\d:\d\d no such file\n$`
		}
		m := command(t, args...)
		m.Env = append(m.Env, "MPIRUN_TEST_PATIENCE=1h") // a busy machine may run the ranks long after each other
		require.NoError(t, m.Start())
		status, stderr := m.status(t), m.stderr.String()
		assert.Equal(t, 2, status)
		require.Len(t, said(stderr), 1, stderr)
		assert.Regexp(t, want, said(stderr)[0])
		assert.Regexp(t, `^rank \d+ \(PID\) exited with status 2; ending the job\n$`, messages(stderr))
	}
}

// Only output of ranks that fail is merged: what others write stays apart, however alike it is.
func TestSameLinesOfRanksThatDoWellStayApart(t *testing.T) {
	status, _, stderr := runMpirun(t, "-n", "20", "RANK", "says", "0", "all is well")
	assert.Zero(t, status)
	assert.Len(t, said(stderr), 20)
}

func TestErrorOfRunIsSaidOnce(t *testing.T) {
	for _, transport := range transports() {
		status, _, stderr := runMpirun(t, "-n", "3", "--transport", transport, "RANK", "fails")
		assert.Equal(t, 1, status)
		assert.Equal(t, 1, strings.Count(stderr, "disk full"), stderr)
		assert.Equal(t, "rank 1 (PID) called Abort(1); ending the job\n", messages(stderr))
	}
}

// A rank that says nothing itself has told mpirun why.
func TestReasonOfASilentRankIsSaid(t *testing.T) {
	status, _, stderr := runMpirun(t, "-n", "4", "RANK", "victim", "fails")
	assert.Equal(t, 1, status)
	assert.Equal(t, "rank 1 (PID) called Abort(1): disk full; ending the job\n", messages(stderr))
}
