package doctor

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

func systemChecks() []check {
	return []check{
		{"UDP buffers", buffers},
		{"UDP offload", offload},
		{"shared memory", sharedMemory},
		{"long messages", oneCopy},
		{"busy hosts", pressure},
	}
}

// clockSource is the name of the clock that the kernel uses.
func clockSource() string {
	text, err := os.ReadFile("/sys/devices/system/clocksource/clocksource0/current_clocksource")
	if err != nil {
		return ""
	}
	return " (" + strings.TrimSpace(string(text)) + ")"
}

// wanted is the size of the buffers that a transport over SCTP asks for, in bytes: socket.Config.
const wanted = 4 << 20

// buffers asks for the buffers of a socket as the engine does.
func buffers() Finding {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return bad(Broken, "let programs make UDP sockets", "no socket: %v", err)
	}
	defer unix.Close(fd)
	granted := func(force, plain int) int {
		if unix.SetsockoptInt(fd, unix.SOL_SOCKET, force, wanted) != nil {
			_ = unix.SetsockoptInt(fd, unix.SOL_SOCKET, plain, wanted)
		}
		size, _ := unix.GetsockoptInt(fd, unix.SOL_SOCKET, plain)
		return size / 2 // the kernel doubles what it is asked for: socket(7)
	}
	receive, send := granted(unix.SO_RCVBUFFORCE, unix.SO_RCVBUF), granted(unix.SO_SNDBUFFORCE, unix.SO_SNDBUF)
	if min(receive, send) < wanted {
		return bad(Slow, fmt.Sprintf("sysctl -w net.core.rmem_max=%d net.core.wmem_max=%[1]d", wanted),
			"a socket gets %d KiB to receive and %d KiB to send of the %d KiB that it asks for: bursts are lost", receive>>10, send>>10, wanted>>10)
	}
	return good("a socket gets the %d KiB that it asks for", wanted>>10)
}

// offload looks whether one system call can send and receive many packets: UDP_SEGMENT (Linux 4.18), UDP_GRO (5.0).
func offload() Finding {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return bad(Broken, "let programs make UDP sockets", "no socket: %v", err)
	}
	defer unix.Close(fd)
	if err := unix.SetsockoptInt(fd, unix.SOL_UDP, unix.UDP_SEGMENT, 0); err != nil {
		return bad(Slow, "Linux 4.18 or later", "a system call sends one packet (UDP_SEGMENT: %v)", err)
	}
	if err := unix.SetsockoptInt(fd, unix.SOL_UDP, unix.UDP_GRO, 1); err != nil {
		return bad(Slow, "Linux 5.0 or later", "a system call receives one packet (UDP_GRO: %v)", err)
	}
	return good("a system call sends and receives many packets")
}

// sharedMemory makes what two ranks of a host share: memory without a name, a descriptor of a process, one to wake it.
func sharedMemory() Finding {
	const remedy = "Linux 5.3 or later, and no seccomp filter that forbids it"
	for _, make := range []struct {
		name string
		call func() (int, error)
	}{
		{"memfd_create", func() (int, error) { return unix.MemfdCreate("sctpmpi", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING) }},
		{"pidfd_open", func() (int, error) { return unix.PidfdOpen(os.Getpid(), 0) }},
		{"eventfd", func() (int, error) { return unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK) }},
	} {
		fd, err := make.call()
		if err != nil {
			return bad(Slow, remedy, "none, ranks of this host use the network among themselves (%s: %v)", make.name, err)
		}
		unix.Close(fd)
	}
	return good("ranks of this host can have it")
}

// oneCopy looks whether a rank may read another one's memory: process_vm_readv, and what Yama allows.
func oneCopy() Finding {
	from, to := [8]byte{1}, [8]byte{}
	local := []unix.Iovec{{Base: &to[0]}}
	local[0].SetLen(len(to))
	remote := []unix.RemoteIovec{{Base: uintptr(unsafe.Pointer(&from[0])), Len: len(from)}}
	_, err := unix.ProcessVMReadv(os.Getpid(), local, remote, 0)
	runtime.KeepAlive(&from)
	if err != nil {
		return bad(Slow, "let the seccomp filter of the container pass it", "within this host they are copied twice (process_vm_readv: %v)", err)
	}
	text, err := os.ReadFile("/proc/sys/kernel/yama/ptrace_scope")
	if err != nil { // no Yama
		return good("within this host they are copied once")
	}
	switch scope := strings.TrimSpace(string(text)); scope {
	case "0":
		return good("within this host they are copied once")
	case "1":
		return good("within this host they are copied once under mpirun, twice under other launchers (kernel.yama.ptrace_scope=1)")
	default:
		return bad(Slow, "sysctl -w kernel.yama.ptrace_scope=1", "within this host they are copied twice (kernel.yama.ptrace_scope=%s)", scope)
	}
}

// pressure looks whether Linux tells that programs wait for processors. If so, ranks do not spin then.
func pressure() Finding {
	if _, err := os.ReadFile("/proc/pressure/cpu"); err != nil {
		return bad(Differ, "boot with psi=1", "ranks do not see that other programs wait for processors, and spin on (%v)", err)
	}
	return good("ranks see it when other programs wait for processors")
}
