//go:build unix

package main

import (
	"encoding/json"
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
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	var events []struct {
		Name string         `json:"name"`
		Kind string         `json:"ph"`
		Rank int            `json:"pid"`
		Args map[string]any `json:"args"`
	}
	require.NoError(t, json.Unmarshal(text, &events))
	waits, sends := 0, make(map[int]int)
	for _, e := range events {
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

func TestTraceThatCannotBeWrittenIsFoundBeforeTheStart(t *testing.T) {
	status, stdout, stderr := runMpirun(t, "--trace", "/none/trace.json", "RANK", "environment")
	assert.Equal(t, 1, status)
	assert.Empty(t, stdout)
	assert.Equal(t, "--trace: open /none/trace.json: no such file or directory\n", messages(stderr))
}
