//go:build unix

package main

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sshd starts a server with keys of its own, and returns a remote shell that logs in there as this user.
func sshd(t *testing.T) (shell string) {
	t.Helper()
	t.Setenv("PATH", os.Getenv("PATH")+":/sbin:/usr/sbin")
	server, err := exec.LookPath("sshd")
	if err != nil {
		t.Skip("there is no sshd: apt-get install openssh-server")
	}
	if os.Getuid() == 0 {
		require.NoError(t, os.MkdirAll("/run/sshd", 0o755))
	}
	me, err := user.Current()
	require.NoError(t, err)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	port := l.Addr().(*net.TCPAddr).Port
	require.NoError(t, l.Close())

	dir := t.TempDir()
	for _, name := range []string{"host", "user"} {
		text, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", filepath.Join(dir, name)).CombinedOutput()
		require.NoError(t, err, string(text))
	}
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		return file
	}
	key, err := os.ReadFile(filepath.Join(dir, "host.pub"))
	require.NoError(t, err)
	known := write("known", fmt.Sprintf("[127.0.0.1]:%d %s", port, key))
	config := write("sshd_config", fmt.Sprintf(`ListenAddress 127.0.0.1:%d
HostKey "%s"
AuthorizedKeysFile "%s"
PidFile none
StrictModes no
UsePAM no
PasswordAuthentication no
SetEnv MPIRUN_TEST=mpirun
`, port, filepath.Join(dir, "host"), filepath.Join(dir, "user.pub")))
	var said bytes.Buffer
	daemon := exec.Command(server, "-D", "-e", "-f", config)
	daemon.Stderr = &said
	require.NoError(t, daemon.Start())
	t.Cleanup(func() {
		_ = daemon.Process.Kill()
		_ = daemon.Wait()
		if t.Failed() {
			t.Log(said.String())
		}
	})
	settings := write("ssh_config", fmt.Sprintf(`Host node*
  HostName 127.0.0.1
  Port %d
  User %s
  IdentityFile "%s"
  IdentitiesOnly yes
  UserKnownHostsFile "%s"
  ConnectionAttempts 600
Host stranger
  HostName 127.0.0.1
  Port %[1]d
  User %[2]s
  IdentityFile /no/such/key
  IdentitiesOnly yes
  UserKnownHostsFile "%[4]s"
`, port, me.Username, filepath.Join(dir, "user"), known))
	return "ssh -F " + word(settings)
}

func TestRealSSH(t *testing.T) {
	shell := sshd(t)
	status, stdout, stderr := runMpirun(t, "--launch-agent", shell, "--host", "node1:2,node2:1,localhost:1", "-n", "4", "RANK", "exchange")
	require.Zero(t, status, stderr)
	assert.Equal(t, []string{"0 4 value-1 <nil>\n", "1 4 value-2 <nil>\n", "2 4 value-3 <nil>\n", "3 4 value-0 <nil>\n"},
		slices.Sorted(strings.Lines(stdout)))

	m := command(t, "--launch-agent", shell, "--host", "node1,node2", "-n", "2", "RANK", "cat")
	m.Stdin = strings.NewReader("some text\n")
	require.NoError(t, m.Start())
	require.Zero(t, m.status(t))
	assert.Equal(t, []string{"0 read \"some text\\n\"\n", "1 read \"\"\n"}, slices.Sorted(strings.Lines(m.stdout.String())))

	status, _, stderr = runMpirun(t, "--launch-agent", shell, "--host", "node1:2,node2", "-n", "3", "RANK", "exit", "only=2", "3")
	assert.Equal(t, 3, status)
	assert.Equal(t, "rank 2 (host node2, PID) exited with status 3; ending the job\n", hostMessages(stderr))

	status, _, stderr = runMpirun(t, "--launch-agent", shell, "--host", "node1,stranger", "-n", "2", "true")
	assert.Equal(t, 1, status)
	assert.Contains(t, messages(stderr), "cannot start mpirun on host stranger: ")
	assert.Contains(t, messages(stderr), "Permission denied")

	fifo, allGone := held(t)
	m = command(t, "--launch-agent", shell, "--host", "node1,node2", "-n", "2", "sh", "-c", holds, fifo)
	m.startReady(t, 2)
	require.NoError(t, m.Process.Kill())
	assert.Equal(t, -1, m.status(t))
	allGone()
}
