package main

import (
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// keep has all processes of a run inherit descriptor 4, the writing end of a pipe. The function returned waits until none
// of them is left.
func (m *mpirun) keep(t *testing.T) (allGone func()) {
	t.Helper()
	null, err := os.Open(os.DevNull)
	require.NoError(t, err)
	r, w, err := os.Pipe()
	require.NoError(t, err)
	m.ExtraFiles = []*os.File{null, w} // 3 becomes the ranks' PMI_FD
	t.Cleanup(func() {
		_ = null.Close()
		_ = r.Close()
		_ = w.Close()
	})
	return func() {
		_ = w.Close()
		_, err := io.Copy(io.Discard, r)
		require.NoError(t, err)
	}
}

func TestNoRankSurvivesMpirun(t *testing.T) {
	m := command(t, "-n", "4", "RANK", "signals", "1", "2", "15")
	allGone := m.keep(t)
	m.startReady(t, 4)
	require.NoError(t, m.Process.Kill())
	assert.Equal(t, -1, m.status(t))
	allGone()
}

// The kernel kills what mpirun has started itself, such as a shell. A rank behind it sees its launcher go.
func TestRankBehindAScriptDoesNotSurviveMpirun(t *testing.T) {
	for _, transport := range transports() {
		m := command(t, "-n", "2", "--transport", transport, "sh", "-c", `"$0" receive; true`, "RANK")
		allGone := m.keep(t)
		m.startReady(t, 2)
		require.NoError(t, m.Process.Kill())
		assert.Equal(t, -1, m.status(t))
		allGone()
	}
}

func TestNoRankSurvivesAFailedJob(t *testing.T) {
	m := command(t, "-n", "3", "RANK", "signals", "1", "2", "15", ":", "RANK", "exit", "3")
	m.Env = append(m.Env, "SCTPMPI_KILL_GRACE=1ms")
	allGone := m.keep(t)
	require.NoError(t, m.Start())
	assert.Equal(t, 3, m.status(t))
	allGone()
}

// What a rank has started ends with it, whether it stays in the rank's process group or escapes from it as a daemon, and
// although it holds the rank's output, which mpirun reads to its end.
func TestWhatRanksLeaveBehindDoesNotSurvive(t *testing.T) {
	for _, kind := range []string{"group", "daemon"} {
		t.Run(kind, func(t *testing.T) {
			m := command(t, "-n", "2", "RANK", "background", kind, "kept")
			allGone := m.keep(t)
			require.NoError(t, m.Start())
			assert.Zero(t, m.status(t))
			assert.Equal(t, 2, strings.Count(m.stdout.String(), "ready"))
			allGone()
		})
	}
}

func TestWhatAFailedRankHasStartedIsKilledToo(t *testing.T) {
	m := command(t, "-n", "2", "RANK", "background", "daemon", "kept", "wait", ":", "RANK", "exit", "3")
	allGone := m.keep(t)
	require.NoError(t, m.Start())
	assert.Equal(t, 3, m.status(t))
	allGone()
}

// A rank that leaves daemons which end before the job must not fill the process table.
func TestAdoptedChildrenAreReaped(t *testing.T) {
	m := command(t, "-n", "2", "RANK", "orphans", "20")
	require.NoError(t, m.Start())
	assert.Zero(t, m.status(t), m.stdout.String())
	assert.Empty(t, m.stdout.String())
}
