//go:build unix

package main

import (
	"bufio"
	"io"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// startReady starts a run and returns what its ranks print after n of them have said that they are ready.
func (m *mpirun) startReady(t *testing.T, n int) *bufio.Reader {
	t.Helper()
	m.Stdout = nil
	out, err := m.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, m.Start())
	in := bufio.NewReader(out)
	require.NoError(t, readUntilReady(in, n))
	return in
}

func (m *mpirun) send(t *testing.T, s syscall.Signal) {
	t.Helper()
	require.NoError(t, m.Process.Signal(s))
}

// requireLines reads n lines, each of which must be this one.
func requireLines(t *testing.T, in *bufio.Reader, n int, line string) {
	t.Helper()
	for range n {
		got, err := in.ReadString('\n')
		require.NoError(t, err)
		require.Equal(t, line, got)
	}
}

func sorted(t *testing.T, in io.Reader) []string {
	t.Helper()
	text, err := io.ReadAll(in)
	require.NoError(t, err)
	return slices.Sorted(strings.Lines(string(text)))
}

func TestSignalsReachAllRanks(t *testing.T) {
	m := command(t, "-n", "3", "RANK", "signals", "10", "12", "until", "12") // USR1, USR2
	in := m.startReady(t, 3)
	m.send(t, syscall.SIGUSR1)
	requireLines(t, in, 3, "got user defined signal 1\n")
	m.send(t, syscall.SIGUSR2)
	require.Equal(t, slices.Repeat([]string{"got user defined signal 2\n"}, 3), sorted(t, in))
	assert.Zero(t, m.status(t), "they do not end the job")
	assert.Empty(t, m.stderr.String())
}

// A program that handles the signal decides itself how the job ends.
func TestEndingSignalsAreHandledByRanksThatWant(t *testing.T) {
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT} {
		m := command(t, "-n", "2", "RANK", "signals", "1", "2", "3", "15", "until", itoa(s))
		in := m.startReady(t, 2)
		m.send(t, s)
		require.Equal(t, slices.Repeat([]string{"got " + s.String() + "\n"}, 2), sorted(t, in))
		assert.Zero(t, m.status(t))
		assert.Equal(t, "received signal "+itoa(s)+" ("+s.String()+"); ending the job\n", messages(m.stderr.String()))
	}
}

func TestEndingSignalIsTheStatusOfRanksThatDieOfIt(t *testing.T) {
	m := command(t, "-n", "2", "RANK", "signals", "10")
	m.startReady(t, 2)
	m.send(t, syscall.SIGINT)
	assert.Equal(t, 130, m.status(t))
	assert.Equal(t, "received signal 2 (interrupt); ending the job\n", messages(m.stderr.String()))
}

// A rank may see a peer end before its own signal, and mpirun hear of its failure first.
func TestRankThatFailsBecauseOfAnEndingPeerIsNotTheStatus(t *testing.T) {
	m := command(t, "-n", "2", "RANK", "consequence")
	m.startReady(t, 2)
	m.send(t, syscall.SIGTERM)
	assert.Equal(t, 143, m.status(t))
}

func TestSecondInterruptKills(t *testing.T) {
	m := command(t, "-n", "2", "RANK", "signals", "2")
	m.Env = append(m.Env, "SCTPMPI_KILL_GRACE=1h")
	in := m.startReady(t, 2)
	m.send(t, syscall.SIGINT)
	requireLines(t, in, 2, "got interrupt\n")
	m.send(t, syscall.SIGINT)
	require.Empty(t, sorted(t, in))
	assert.Equal(t, 130, m.status(t))
}

func TestGracePeriodEndsInAKill(t *testing.T) {
	m := command(t, "-n", "2", "RANK", "signals", "15")
	m.Env = append(m.Env, "SCTPMPI_KILL_GRACE=10ms")
	m.startReady(t, 2)
	m.send(t, syscall.SIGTERM)
	assert.Equal(t, 143, m.status(t))
}

// As under nohup.
func TestSignalIgnoredFromTheStartStaysIgnored(t *testing.T) {
	m := command(t)
	m.Path, m.Args = "/bin/sh", []string{"sh", "-c", `trap "" HUP; exec "$0" -n 1 "$0" signals 12 until 12`, m.Path}
	in := m.startReady(t, 1)
	m.send(t, syscall.SIGHUP)
	m.send(t, syscall.SIGUSR2)
	assert.Equal(t, []string{"got user defined signal 2\n"}, sorted(t, in))
	assert.Zero(t, m.status(t))
	assert.Empty(t, m.stderr.String())
}

func TestStoppingMpirunStopsTheRanks(t *testing.T) {
	m := command(t, "-n", "2", "RANK", "signals", "18", "12", "until", "12") // CONT, USR2
	in := m.startReady(t, 2)
	m.send(t, syscall.SIGTSTP)
	var status syscall.WaitStatus
	_, err := syscall.Wait4(m.Process.Pid, &status, syscall.WUNTRACED, nil)
	require.NoError(t, err)
	require.True(t, status.Stopped())
	m.send(t, syscall.SIGCONT)
	requireLines(t, in, 2, "got continued\n")
	m.send(t, syscall.SIGUSR2)
	assert.Zero(t, m.status(t))
}

func itoa(s syscall.Signal) string { return strconv.Itoa(int(s)) }
