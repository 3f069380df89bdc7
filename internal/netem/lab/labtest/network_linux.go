package labtest

import (
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// OwnNetwork has a process that is started with it get a network of its own, in which it may do all. Its only device is the
// loopback one, and that is down. Where users may make no such networks the process does not start.
func OwnNetwork() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
	}
}

// InNetwork runs the test to which t belongs once more, in a process with a network of its own, and requires that it
// passes. variables, which are added to the environment as "NAME=value", tell it so, and what to do there. It needs no lab.
func InNetwork(t *testing.T, variables ...string) {
	t.Helper()
	name, _, _ := strings.Cut(t.Name(), "/")
	self := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+name+"$", "-test.v")
	self.Env = append(os.Environ(), variables...)
	self.SysProcAttr = OwnNetwork()
	out, err := self.CombinedOutput()
	if self.Process == nil {
		t.Skipf("not run: making a network namespace is not allowed: %v", err)
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// SetLoopback gives the loopback device of the calling thread's network an MTU in bytes, brings it up, and returns its index.
func SetLoopback(tb testing.TB, mtu int) (index int) {
	tb.Helper()
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		tb.Fatal(err)
	}
	defer unix.Close(fd)
	lo, err := unix.NewIfreq("lo")
	if err != nil {
		tb.Fatal(err)
	}
	lo.SetUint32(uint32(mtu))
	if err := unix.IoctlIfreq(fd, unix.SIOCSIFMTU, lo); err != nil {
		tb.Fatal(err)
	}
	lo.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	if err := unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, lo); err != nil {
		tb.Fatal(err)
	}
	device, err := net.InterfaceByName("lo")
	if err != nil {
		tb.Fatal(err)
	}
	return device.Index
}
