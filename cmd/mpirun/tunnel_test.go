//go:build unix

package main

import (
	"io"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// secretFile writes a secret that begins with a letter.
func secretFile(t *testing.T, letter string) (file string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "secret")
	require.NoError(t, os.WriteFile(file, []byte(strings.Repeat(letter, 64)+"\n"), 0o600))
	return file
}

// freePort is one that nothing listens on. It is not of those that the system gives to others meanwhile.
func freePort(t *testing.T) string {
	t.Helper()
	for {
		port := strconv.Itoa(10_000 + rand.IntN(20_000))
		if l, err := net.Listen("tcp", ":"+port); err == nil {
			require.NoError(t, l.Close())
			return port
		}
	}
}

// connector is the remote shell of pods. They have the name pod and a number, which is their port's.
func connector(t *testing.T, secret string, ports ...string) (shell string) {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	script := "#!/bin/sh\nMPIRUN_TEST=mpirun\nexport MPIRUN_TEST\ncase $1 in\n"
	for i, port := range ports {
		script += "pod" + strconv.Itoa(i) + ") port=" + port + " ;;\n"
	}
	return agent(t, script+"esac\nexec "+word(self)+" connect --secret "+word(secret)+" --port $port 127.0.0.1 \"$2\"\n")
}

// startServe starts mpirun serve.
func startServe(t *testing.T, secret, port string, args ...string) *mpirun {
	t.Helper()
	m := command(t, append([]string{"serve", "--secret", secret, "--port", port}, args...)...)
	require.NoError(t, m.Start())
	return m
}

// Pods are started in any order: the first mpirun waits for those that come later. All end with the job, and well.
func TestJobOnHostsWithoutARemoteShell(t *testing.T) {
	secret, ports := secretFile(t, "s"), []string{freePort(t), freePort(t)}
	m := command(t, "--launch-agent", word(connector(t, secret, ports...)), "--host", "localhost:1,pod0:1,pod1:2", "-n", "4",
		"-x", "SCTPMPI_INTERFACE=127.0.0.1", "RANK", "exchange")
	require.NoError(t, m.Start())
	pods := []*mpirun{startServe(t, secret, ports[0]), startServe(t, secret, ports[1])}
	require.Zero(t, m.status(t), m.stderr.String())
	assert.Equal(t, []string{"0 4 value-1 <nil>\n", "1 4 value-2 <nil>\n", "2 4 value-3 <nil>\n", "3 4 value-0 <nil>\n"},
		slices.Sorted(strings.Lines(m.stdout.String())))
	for _, p := range pods {
		assert.Zero(t, p.status(t))
		assert.Empty(t, p.stderr.String())
	}
}

// What comes last is not lost, however much it is.
func TestOutputOfPodsIsWhole(t *testing.T) {
	secret, port := secretFile(t, "s"), freePort(t)
	startServe(t, secret, port)
	status, stdout, stderr := runMpirun(t, "--launch-agent", word(connector(t, secret, port)), "--host", "pod0:2", "-n", "2", "RANK", "lines", "600")
	require.Zero(t, status, stderr)
	assert.Equal(t, 600, strings.Count(stdout, "\n"))
	assert.Equal(t, 600, strings.Count(stderr, ":end\n"))
}

// Where a pod ends all that runs in it does. Here the kernel kills the ranks, which are no shells with programs behind them.
func TestPodThatIsKilledEndsTheJob(t *testing.T) {
	secret, port := secretFile(t, "s"), freePort(t)
	p := startServe(t, secret, port)
	fifo, allGone := held(t)
	m := command(t, "--launch-agent", word(connector(t, secret, port)), "--host", "localhost,pod0", "-n", "2",
		"sh", "-c", `exec 9>"$0"; echo ready; exec sleep 3600`, fifo)
	m.startReady(t, 2)
	require.NoError(t, p.Process.Kill())
	assert.Equal(t, -1, p.status(t))
	assert.Equal(t, 1, m.status(t))
	assert.Contains(t, messages(m.stderr.String()), "lost host pod0: the connection with 127.0.0.1:"+port+" was cut: unexpected EOF; ")
	allGone()
}

func TestRanksOfPodsEndWithMpirun(t *testing.T) {
	secret, port := secretFile(t, "s"), freePort(t)
	p := startServe(t, secret, port)
	fifo, allGone := held(t)
	m := command(t, "--launch-agent", word(connector(t, secret, port)), "--host", "pod0:2", "-n", "2", "sh", "-c", holds, fifo)
	m.startReady(t, 2)
	require.NoError(t, m.Process.Kill())
	assert.Equal(t, -1, m.status(t))
	assert.NotZero(t, p.status(t))
	allGone()
}

func TestPodsThatCannotBeReached(t *testing.T) {
	secret, port := secretFile(t, "s"), freePort(t)
	// Another secret. There is no other answer than that there is none.
	p := startServe(t, secretFile(t, "x"), port)
	status, _, stderr := runMpirun(t, "--launch-agent", word(connector(t, secret, port)), "--host", "pod0", "true")
	assert.Equal(t, 1, status)
	assert.Equal(t, "cannot start mpirun on host pod0: 127.0.0.1:"+port+": it takes the connection and does not answer, as mpirun serve does when its secret is another one\n", messages(stderr))
	require.NoError(t, p.Process.Signal(syscall.SIGKILL))
	p.status(t)
	assert.Regexp(t, `^mpirun: refused 127\.0\.0\.1:\d+, which does not know the secret: its secret is another one\n`, p.stderr.String())
	// One that is not there.
	status, _, stderr = runMpirun(t, "--launch-agent", word(connector(t, secret, port)), "--launch-timeout", "100ms", "--host", "pod0", "true")
	assert.Equal(t, 1, status)
	assert.Equal(t, "cannot start mpirun on host pod0: no answer within 100ms; --launch-timeout sets how long it may take\n", messages(stderr))
	// One to which no mpirun comes.
	p = startServe(t, secret, port, "--launch-timeout", "100ms")
	assert.Equal(t, 1, p.status(t))
	assert.Equal(t, "mpirun: no mpirun has connected within 100ms; --launch-timeout sets how long it may take. A job that runs takes no further host\n", p.stderr.String())
}

// A pod that was lost, and is started anew under its name while the job goes on without it, does not get into the job.
func TestPodThatIsStartedAnewJoinsNoRunningJob(t *testing.T) {
	secret, port := secretFile(t, "s"), freePort(t)
	p := startServe(t, secret, port)
	m := command(t, "--keep-going", "--launch-agent", word(connector(t, secret, port)), "--host", "localhost,pod0", "-n", "2",
		"sh", "-c", `echo ready; [ $PMI_RANK = 1 ] && exec sleep 3600; read x; exit 0`)
	stdin, err := m.StdinPipe()
	require.NoError(t, err)
	m.startReady(t, 2)
	require.NoError(t, p.Process.Kill())
	p.status(t)
	p = startServe(t, secret, port, "--launch-timeout", "1s")
	assert.Equal(t, 1, p.status(t))
	assert.Contains(t, p.stderr.String(), "no mpirun has connected within 1s")
	require.NoError(t, stdin.Close())
	assert.Zero(t, m.status(t))
	assert.Equal(t, 1, strings.Count(m.stderr.String(), "lost host pod0: "), m.stderr.String())
}

// Strangers neither get in nor keep mpirun out: those that say nothing, or something else.
func TestStrangersAtAPod(t *testing.T) {
	secret, port := secretFile(t, "s"), freePort(t)
	p := startServe(t, secret, port)
	var conns []net.Conn
	for len(conns) < 5 {
		conn, err := net.Dial("tcp", "127.0.0.1:"+port)
		if err == nil {
			conns = append(conns, conn)
			defer conn.Close()
		}
	}
	_, _ = io.WriteString(conns[0], "GET / HTTP/1.0\r\n\r\n")
	status, stdout, stderr := runMpirun(t, "--launch-agent", word(connector(t, secret, port)), "--host", "pod0", "echo", "done")
	require.Zero(t, status, stderr)
	assert.Equal(t, "done\n", stdout)
	assert.Zero(t, p.status(t))
}

func TestWrongCommandLinesOfServeAndConnect(t *testing.T) {
	shared := secretFile(t, "s")
	require.NoError(t, os.Chmod(shared, 0o644))
	short := filepath.Join(t.TempDir(), "short")
	require.NoError(t, os.WriteFile(short, []byte("password\n"), 0o600))
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"serve", "--port", "1"}, "serve needs --secret FILE, the same secret on all hosts\n"},
		{[]string{"serve", "--secret", "/no/such"}, "--secret: open /no/such: no such file or directory\n"},
		{[]string{"serve", "--secret", short}, "--secret: " + short + " must hold a secret of 32 to 4096 bytes, as openssl rand -hex 32 makes them\n"},
		{[]string{"serve", "--secret", shared}, "--secret: " + shared + " has the mode 0644, by which others may read or change the secret: chmod 600 " + shared + "\n"},
		{[]string{"serve", "--secret", short, "--port", "0"}, "--port 0: there are ports 1 to 65535\n"},
		{[]string{"serve", "--secret", secretFile(t, "s"), "prog"}, "serve takes no program: mpirun --host names it\n"},
		{[]string{"connect", "--secret", secretFile(t, "s")}, "connect is for --launch-agent, as in --launch-agent \"mpirun connect --secret FILE\"\n"},
	} {
		status, _, stderr := runMpirun(t, test.args...)
		assert.Equal(t, statusUsage, status)
		assert.Equal(t, test.want+"see mpirun --help\n", messages(stderr))
	}
}
