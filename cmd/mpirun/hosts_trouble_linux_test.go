package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/internal/frame"
	"github.com/sctpmpi/sctpmpi/cmd/internal/proxy"
)

// agentOf waits until the remote shell of a host runs, and returns its process.
func agentOf(t *testing.T, shell, host string) (pid int) {
	t.Helper()
	for {
		text, err := os.ReadFile(shell + "." + host + ".pid")
		if err == nil {
			_, err = fmt.Sscan(string(text), &pid)
			require.NoError(t, err)
			return pid
		}
		require.ErrorIs(t, err, os.ErrNotExist)
		time.Sleep(time.Millisecond)
	}
}

func assertGone(t *testing.T, pid int) {
	t.Helper()
	assert.True(t, errors.Is(syscall.Kill(pid, 0), syscall.ESRCH), "the remote shell still runs")
}

// Each rank ends when its pipe and its window are full, while nothing of it has been read. A reader that comes then gets all.
func TestOutputOfOtherHostsIsReadToItsEndHoweverSlowly(t *testing.T) {
	const ranks, each = 16, 120_000
	fifo, allGone := held(t)
	m, shell := onHosts(t, "a:8,b:8", "-n", "16", "sh", "-c", `exec 9>"$0"; yes 0123456789abcde | head -c 120000`, fifo)
	m.Stdout = nil
	out, err := m.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, m.Start())
	agentOf(t, shell, "b")
	first := make([]byte, 1) // all are started when one has written
	_, err = io.ReadFull(out, first)
	require.NoError(t, err)
	allGone()
	time.Sleep(time.Second) // in which nothing may be thrown away
	n, err := io.Copy(io.Discard, out)
	require.NoError(t, err)
	assert.EqualValues(t, ranks*each, n+1)
	assert.Zero(t, m.status(t))
	assert.Empty(t, m.stderr.String())
}

func TestProxyThatBreaksTheProtocolEndsTheJob(t *testing.T) {
	for host, why := range map[string]string{
		"quitter": "the remote shell has ended: exit status 3",
		"talker":  `it broke mpirun's protocol: not a frame: "Now follows a po"`,
		"giant":   `it broke mpirun's protocol: not a frame: "\xff\xff\xff\xff\b\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"`,
		"clam":    "it has closed the connection, and its remote shell did not end",
		"halfway": "the remote shell has ended: exit status 3",
	} {
		t.Run(host, func(t *testing.T) {
			t.Parallel()
			m, shell := onHosts(t, "a,"+host, "-n", "2", "true")
			require.NoError(t, m.Start())
			assert.Equal(t, 1, m.status(t))
			assert.Equal(t, "cannot start mpirun on host "+host+": "+why+"\n", messages(m.stderr.String()))
			assertGone(t, agentOf(t, shell, host))
		})
	}
}

// The host "cut" closes the connection in the middle of a frame, and "poet" says something else in between.
// What mpirun quotes of another host is in lines of its own, on the user's terminal.
func TestProxySaysNothingToATerminal(t *testing.T) {
	const control = "\x1b]0;x\a \u009b2J" // of ASCII and of C1
	refusal, err := json.Marshal(proxy.Refusal{Status: 1, Text: "no " + control + " there"})
	require.NoError(t, err)
	says := func(frames ...frame.Frame) (status int, stderr string) {
		b := []byte("welcome " + control + fmt.Sprintf("\nsctpmpi proxy %d\n", frame.Version))
		for _, f := range frames {
			b = frame.Append(b, f)
		}
		shell := agent(t, "#!/bin/sh\ncat \"$0.says\"\nexec sleep 3600\n")
		require.NoError(t, os.WriteFile(shell+".says", b, 0o644))
		m := command(t, "--launch-agent", word(shell), "--host", "a", "-n", "1", "true")
		require.NoError(t, m.Start())
		return m.status(t), m.stderr.String()
	}
	const shown = " ]0;x   2J" // what is left of it
	status, stderr := says(frame.Frame{Kind: frame.Refused, Payload: refusal})
	assert.Equal(t, 1, status)
	assert.Equal(t, "a: welcome "+shown+"\nmpirun: host a: no "+shown+" there\n", stderr)

	status, stderr = says(frame.Frame{Kind: frame.Ready, Payload: []byte("[]")}, frame.Frame{Kind: frame.Ended, Payload: []byte(`{"Status":-1,"SignalName":"` + "\u009b2J" + `"}`)})
	assert.Equal(t, 1, status)
	assert.Contains(t, stderr, `rank 0 has ended with {"Status":-1,"SignalName":" 2J"}`)
	assert.NotContains(t, stderr, "\u009b")
}

func TestProxyThatBreaksTheProtocolLaterEndsTheJob(t *testing.T) {
	for host, why := range map[string]string{
		"cut":  "the remote shell has ended: signal: killed",
		"poet": "it broke mpirun's protocol: not a frame: ",
	} {
		t.Run(host, func(t *testing.T) {
			t.Parallel()
			fifo, allGone := held(t)
			m, _ := onHosts(t, "a,"+host, "-n", "2", "sh", "-c", holds+strings.Repeat(" ", 100), fifo)
			require.NoError(t, m.Start())
			assert.Equal(t, 1, m.status(t))
			assert.Regexp(t, "^lost host "+host+": "+why+".*; ending the job\n$", messages(m.stderr.String()))
			allGone()
		})
	}
}

func TestHostsThatDoNotAnswer(t *testing.T) {
	m, shell := onHosts(t, "silent1,silent2", "--launch-timeout", "100ms", "-n", "2", "true")
	require.NoError(t, m.Start())
	assert.Equal(t, 1, m.status(t))
	assert.Equal(t, "cannot start mpirun on hosts silent1, silent2: no answer within 100ms; --launch-timeout sets how long it may take\n",
		messages(m.stderr.String()))
	for _, host := range []string{"silent1", "silent2"} {
		if _, err := os.Stat(shell + "." + host + ".pid"); err == nil {
			assertGone(t, agentOf(t, shell, host))
		}
	}

	m, shell = onHosts(t, "a,silent", "--launch-timeout", "5s", "-n", "2", "true")
	require.NoError(t, m.Start())
	assert.Equal(t, 1, m.status(t))
	assert.Contains(t, messages(m.stderr.String()), "silent: no answer within 5s; ")
	assertGone(t, agentOf(t, shell, "a"))
}

func TestInterruptWhileHostsAreReached(t *testing.T) {
	m, shell := onHosts(t, "a,silent", "-n", "2", "RANK", "exit", "0")
	require.NoError(t, m.Start())
	agents := []int{agentOf(t, shell, "a"), agentOf(t, shell, "silent")}
	m.send(t, syscall.SIGINT)
	assert.Equal(t, 130, m.status(t))
	assert.Equal(t, "received signal 2 (interrupt); ending the job\n", messages(m.stderr.String()))
	for _, pid := range agents {
		assertGone(t, pid)
	}
}

func TestInterruptEndsTheRanksOfOtherHosts(t *testing.T) {
	fifo, allGone := held(t)
	m, _ := onHosts(t, "a:2,b", "-n", "3", "sh", "-c", holds, fifo)
	m.startReady(t, 3)
	m.send(t, syscall.SIGINT)
	assert.Equal(t, 130, m.status(t))
	assert.Equal(t, "received signal 2 (interrupt); ending the job\n", messages(m.stderr.String()))
	allGone()
}

// The proxy of b is stopped: it answers nothing.
func TestSecondInterruptWaitsForNoHost(t *testing.T) {
	fifo, allGone := held(t)
	m, shell := onHosts(t, "a:2,b", "-n", "3", "sh", "-c", holds, fifo)
	m.Stderr = nil
	errs, err := m.StderrPipe()
	require.NoError(t, err)
	m.startReady(t, 3)
	require.NoError(t, syscall.Kill(agentOf(t, shell, "b"), syscall.SIGSTOP))
	m.send(t, syscall.SIGINT)
	line, err := bufio.NewReader(errs).ReadString('\n')
	require.NoError(t, err)
	assert.Equal(t, "received signal 2 (interrupt); ending the job\n", messages(line))
	m.send(t, syscall.SIGINT)
	assert.Equal(t, 130, m.status(t))
	allGone()
}

// All ranks have ended, and their output is not read.
func TestInterruptWhileOutputIsNotRead(t *testing.T) {
	for _, hosts := range []string{"a,b", "localhost:2"} {
		fifo, allGone := held(t)
		m, _ := onHosts(t, hosts, "-n", "2", "sh", "-c", `exec 9>"$0"; echo ready; yes 0123456789abcde | head -c 50000`, fifo)
		m.startReady(t, 1)
		allGone()
		for m.Process.Signal(syscall.SIGINT) == nil && stateOf(m.Process.Pid) != "Z" {
			time.Sleep(time.Millisecond)
		}
		assert.Equal(t, 130, m.status(t))
	}
}
