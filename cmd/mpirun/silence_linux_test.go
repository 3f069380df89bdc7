package main

import (
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// beats is how often mpirun and its proxies say here that they are there: six of them without a word are silence.
const beats = "MPIRUN_TEST_BEAT=500ms"

// The proxy of b is stopped, as if its host had lost its network: nothing ends the connection.
func TestHostThatFallsSilentIsLost(t *testing.T) {
	fifo, allGone := held(t)
	m, shell := onHosts(t, "localhost:2,b", "-n", "3", "sh", "-c", holds, fifo)
	m.Env = append(m.Env, beats)
	m.startReady(t, 3)
	require.NoError(t, syscall.Kill(agentOf(t, shell, "b"), syscall.SIGSTOP))
	assert.Equal(t, 1, m.status(t))
	assert.Equal(t, "lost host b: it does not answer any more; ending the job\n", messages(m.stderr.String()))
	allGone()
}

// Ranks do not outlive an mpirun that has vanished with its host. Here it is stopped, and says nothing. Before that another one has been
// stopped by ^Z, which its proxy knows: its rank is there when it goes on.
func TestRanksEndWhenMpirunFallsSilent(t *testing.T) {
	resting, _ := onHosts(t, "a", "-n", "1", "sh", "-c", "echo ready; read x; echo done")
	resting.Env = append(resting.Env, beats)
	stdin, err := resting.StdinPipe()
	require.NoError(t, err)
	out := resting.startReady(t, 1)
	resting.send(t, syscall.SIGTSTP)

	fifo, allGone := held(t)
	m, _ := onHosts(t, "a,b", "-n", "2", "sh", "-c", holds, fifo)
	m.Env = append(m.Env, beats)
	m.startReady(t, 2)
	m.send(t, syscall.SIGSTOP)
	allGone()
	m.send(t, syscall.SIGCONT)
	assert.NotZero(t, m.status(t))

	resting.send(t, syscall.SIGCONT)
	require.NoError(t, stdin.Close())
	line, err := out.ReadString('\n')
	require.NoError(t, err)
	assert.Equal(t, "done\n", line)
	assert.Zero(t, resting.status(t), resting.stderr.String())
}
