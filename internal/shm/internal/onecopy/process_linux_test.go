package onecopy

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// The tests read other processes: this binary, which has a role then.
const (
	roleKey = "ONECOPY_ROLE"
	toldKey = "ONECOPY_TOLD" // a process and its beacon
)

func TestMain(m *testing.M) {
	switch os.Getenv(roleKey) {
	case "":
		os.Exit(m.Run())
	case "read":
		beRead()
	case "stranger":
		beStranger()
	case "sibling":
		fmt.Println(probeTold())
	}
}

// area is how much memory a peer has for the tests, in bytes. Behind it is none.
const area = 64<<20 + 1<<13

// at is what is in the area at offset i.
func at(i int) byte { return byte(i) ^ byte(i>>8) ^ byte(i>>16) ^ 1 }

// beRead says where its area and its beacon are, and waits for its end.
func beRead() {
	memory, err := unix.Mmap(-1, 0, area+os.Getpagesize(), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err == nil {
		err = unix.Mprotect(memory[area:], unix.PROT_NONE)
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range area {
		memory[i] = at(i)
	}
	if err := AllowReaders(os.Getppid()); err != nil {
		fmt.Println(err)
		return
	}
	b := NewBeacon()
	fmt.Printf("%x %d\n", b.Encode(), uintptr(unsafe.Pointer(&memory[0])))
	io.Copy(io.Discard, os.Stdin)
	b.Close()
}

// beStranger becomes another user and probes.
func beStranger() {
	if err := syscall.Setuid(65534); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(probeTold())
}

// probeTold probes the process that this one has been told of.
func probeTold() error {
	var pid int
	var beacon []byte
	if _, err := fmt.Sscanf(os.Getenv(toldKey), "%d %x", &pid, &beacon); err != nil {
		return err
	}
	pidfd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return err
	}
	defer unix.Close(pidfd)
	return NewReader(pid, pidfd).Probe(beacon)
}

// probeAs probes a process from another one, in a role, and returns the result as it prints it.
func probeAs(t *testing.T, role string, pid int, beacon []byte) string {
	t.Helper()
	command := exec.Command("/proc/self/exe")
	command.Env = append(os.Environ(), roleKey+"="+role, fmt.Sprintf("%s=%d %x", toldKey, pid, beacon))
	output, err := command.CombinedOutput()
	require.NoError(t, err)
	return strings.TrimSpace(string(output))
}

// peer is another process whose memory is read.
type peer struct {
	*Reader
	command *exec.Cmd
	beacon  []byte
	memory  uint64 // address of the area
}

func startPeer(t testing.TB) *peer {
	t.Helper()
	p := &peer{command: exec.Command("/proc/self/exe")}
	p.command.Env = append(os.Environ(), roleKey+"=read")
	stdin, err := p.command.StdinPipe()
	require.NoError(t, err)
	stdout, err := p.command.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, p.command.Start())
	pidfd, err := unix.PidfdOpen(p.command.Process.Pid, 0)
	require.NoError(t, err)
	t.Cleanup(func() {
		stdin.Close()
		p.command.Wait()
		unix.Close(pidfd)
	})
	line, err := bufio.NewReader(stdout).ReadString('\n')
	require.NoError(t, err)
	_, err = fmt.Sscanf(line, "%x %d", &p.beacon, &p.memory)
	require.NoError(t, err, line)
	p.Reader = NewReader(p.command.Process.Pid, pidfd)
	if err := p.Probe(p.beacon); err != nil {
		t.Skipf("not run: the peer cannot be read here: %v (ptrace_scope %q)", err, scope())
	}
	return p
}

// kill ends the peer, of which a zombie is left.
func (p *peer) kill(t *testing.T) {
	t.Helper()
	require.NoError(t, p.command.Process.Signal(unix.SIGKILL))
	p.awaitEnd(t)
}

func (p *peer) awaitEnd(t *testing.T) {
	t.Helper()
	fds := []unix.PollFd{{Fd: int32(p.pidfd), Events: unix.POLLIN}}
	for {
		n, err := unix.Poll(fds, 60_000)
		if err != unix.EINTR {
			require.NoError(t, err)
			require.Equal(t, 1, n, "it has not ended")
			return
		}
	}
}

func TestAnotherUserMayNot(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root: to become another user")
	}
	b := NewBeacon()
	defer b.Close()
	require.Equal(t, ErrForbidden.Error(), probeAs(t, "stranger", os.Getpid(), b.Encode()))
}

// TestRanksReadEachOther: the launcher, here the test, has allowed its descendants to.
func TestRanksReadEachOther(t *testing.T) {
	p := startPeer(t)
	said := probeAs(t, "sibling", p.pid, p.beacon)
	if scope := scope(); scope > "1" {
		t.Skipf("not run: ptrace_scope is %s, and so: %s", scope, said)
	}
	require.Equal(t, "<nil>", said)
}

// scope says what Yama restricts, for messages: the value of kernel.yama.ptrace_scope, 0 to 3. It is empty if there is no
// Yama.
func scope() string {
	value, err := os.ReadFile(yama)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(value))
}
