//go:build unix

package main

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/trace/tracetest"
)

// The trace of a job has all ranks, and the calls that have waited by their names.
func TestTraceOfAJob(t *testing.T) {
	name := filepath.Join(t.TempDir(), "trace.json")
	status, _, stderr := runMpirun(t, "--trace", name, "-n", "3", "RANK", "ring")
	assert.Zero(t, status, stderr)
	assert.Equal(t, "mpirun: the trace is in "+name+": open it at https://ui.perfetto.dev\n", stderr)
	waits, sends := 0, make(map[int]int)
	for _, e := range tracetest.Read(t, name, 3) {
		switch {
		case e.Kind == "X" && e.Args["at"] != nil && e.Args["at"] != "":
			waits++
			assert.Contains(t, []string{"Sendrecv", "Finalize"}, e.Name)
		case e.Kind == "X" && e.Name == "send" && e.Args["of"] == "the program":
			sends[e.Rank]++
		}
	}
	assert.NotZero(t, waits, "the last rank to start is waited for")
	assert.Equal(t, map[int]int{0: 1, 1: 1, 2: 1}, sends)
}

// What ranks on other hosts have recorded comes to mpirun's, and nothing of it stays there.
func TestTraceOfSeveralHosts(t *testing.T) {
	name, there := filepath.Join(t.TempDir(), "trace.json"), t.TempDir()
	m, _ := onHosts(t, "a:2,localhost,b", "--trace", name, "-n", "4", "-x", "SCTPMPI_INTERFACE=127.0.0.1", "RANK", "ring")
	m.Env = append(m.Env, "TMPDIR="+there)
	require.NoError(t, m.Start())
	require.Zero(t, m.status(t), m.stderr.String())
	assert.Regexp(t, `^mpirun: the trace is in .*\nmpirun: its times are those of this host's clock; those of other hosts are right up to [0-9.]+.?s\n$`,
		m.stderr.String())
	sends := make(map[int]int)
	for _, e := range tracetest.Read(t, name, 4) {
		if e.Kind == "X" && e.Name == "send" && e.Args["of"] == "the program" {
			sends[e.Rank]++
		}
	}
	assert.Equal(t, map[int]int{0: 1, 1: 1, 2: 1, 3: 1}, sends)
	left, err := filepath.Glob(there + "/sctpmpi-records-*")
	require.NoError(t, err)
	assert.Empty(t, left)
}

func TestTraceThatCannotBeWrittenIsFoundBeforeTheStart(t *testing.T) {
	status, stdout, stderr := runMpirun(t, "--trace", "/none/trace.json", "RANK", "environment")
	assert.Equal(t, 1, status)
	assert.Empty(t, stdout)
	assert.Equal(t, "--trace: open /none/trace.json: no such file or directory\n", messages(stderr))
}
