//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The trace of a job has all ranks, and the calls that have waited by their names.
func TestTraceOfAJob(t *testing.T) {
	name := filepath.Join(t.TempDir(), "trace.json")
	status, _, stderr := runMpirun(t, "--trace", name, "-n", "3", "RANK", "ring")
	assert.Zero(t, status, stderr)
	assert.Equal(t, "mpirun: the trace is in "+name+": open it at https://ui.perfetto.dev\n", stderr)
	waits, sends := 0, make(map[int]int)
	for _, e := range readTrace(t, name, 3) {
		switch {
		case e.Kind == "X" && e.Args["at"] != "":
			waits++
			assert.Contains(t, []string{"Sendrecv", "Finalize"}, e.Name)
		case e.Kind == "i" && e.Name == "send" && e.Args["of"] == "the program":
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
	for _, e := range readTrace(t, name, 4) {
		if e.Kind == "i" && e.Name == "send" && e.Args["of"] == "the program" {
			sends[e.Rank]++
		}
	}
	assert.Equal(t, map[int]int{0: 1, 1: 1, 2: 1, 3: 1}, sends)
	left, err := filepath.Glob(there + "/sctpmpi-trace-*")
	require.NoError(t, err)
	assert.Empty(t, left)
}

// traceEvent has the members of an event that the Trace Event Format defines and mpirun writes.
type traceEvent struct {
	Name     string         `json:"name"`
	Kind     string         `json:"ph"`
	Rank     int            `json:"pid"`
	Track    int            `json:"tid"`
	Time     *float64       `json:"ts"`
	Duration *float64       `json:"dur"`
	Scope    string         `json:"s"`
	Args     map[string]any `json:"args"`
}

// readTrace reads a trace as the Trace Event Format has it, strictly: an array of events, each with what its kind needs and nothing
// else. Ranks and tracks have names, and on a track that waits one span ends before the next one begins.
func readTrace(t *testing.T, name string, ranks int) (events []traceEvent) {
	t.Helper()
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	in := json.NewDecoder(bytes.NewReader(text))
	in.DisallowUnknownFields()
	require.NoError(t, in.Decode(&events))
	_, err = in.Token()
	require.ErrorIs(t, err, io.EOF, "nothing follows the array")
	type track struct{ rank, number int }
	named, used, busy := make(map[track]string), make(map[track]bool), make(map[track]float64)
	for _, e := range events {
		of := track{e.Rank, e.Track}
		require.Contains(t, []string{"M", "X", "i"}, e.Kind)
		require.Equal(t, e.Kind == "M", e.Time == nil, "%+v", e)
		require.Equal(t, e.Kind == "X", e.Duration != nil, "%+v", e)
		require.Equal(t, e.Kind == "i", e.Scope == "t", "%+v", e)
		require.True(t, e.Rank >= 0 && e.Rank < ranks, "%+v", e)
		switch {
		case e.Kind != "M":
			used[of] = true
		case e.Name == "thread_name":
			named[of] = e.Args["name"].(string)
		case e.Name == "process_name":
			named[track{e.Rank, -1}] = e.Args["name"].(string)
		default:
			require.Equal(t, "process_sort_index", e.Name)
			require.EqualValues(t, e.Rank, e.Args["sort_index"])
		}
		if e.Kind == "X" {
			require.GreaterOrEqual(t, *e.Duration, 0.)
			require.GreaterOrEqual(t, *e.Time, busy[of]-1) // a float64 rounds such times to quarters of microseconds
			busy[of] = *e.Time + *e.Duration
		}
	}
	for of := range used {
		require.NotEmpty(t, named[of], "track %v", of)
		require.NotEmpty(t, named[track{of.rank, -1}], "rank %d", of.rank)
	}
	return events
}

func TestTraceThatCannotBeWrittenIsFoundBeforeTheStart(t *testing.T) {
	status, stdout, stderr := runMpirun(t, "--trace", "/none/trace.json", "RANK", "environment")
	assert.Equal(t, 1, status)
	assert.Empty(t, stdout)
	assert.Equal(t, "--trace: open /none/trace.json: no such file or directory\n", messages(stderr))
}
