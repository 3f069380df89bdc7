package doctor

import (
	"cmp"
	"fmt"
	"os"
	"runtime"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/sctpmpi/sctpmpi/cmd/internal/process"
	"github.com/sctpmpi/sctpmpi/internal/shm"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine"
)

func systemChecks() []check {
	return []check{
		{"binding", binding},
		{"UDP buffers", socket(buffers)},
		{"UDP offload", socket(offload)},
		{"shared memory", sharedMemory},
		{"long messages", oneCopy},
		{"huge pages", hugePages},
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

// socket is a check of what a UDP socket of the engine gets.
func socket(look func(f engine.Facilities) Finding) func() Finding {
	return func() Finding {
		f, err := engine.Probe()
		if err != nil {
			return bad(Broken, "let programs make UDP sockets", "no socket: %v", err)
		}
		return look(f)
	}
}

func buffers(f engine.Facilities) Finding {
	if min(f.ReceiveBuffer, f.SendBuffer) < f.AskedBuffer {
		return bad(Slow, fmt.Sprintf("sysctl -w net.core.rmem_max=%d net.core.wmem_max=%[1]d", f.AskedBuffer),
			"a socket gets %d KiB to receive and %d KiB to send of the %d KiB that it asks for: bursts are lost",
			f.ReceiveBuffer>>10, f.SendBuffer>>10, f.AskedBuffer>>10)
	}
	return good("a socket gets the %d KiB that it asks for", f.AskedBuffer>>10)
}

func offload(f engine.Facilities) Finding {
	switch {
	case !f.Segmentation:
		return bad(Slow, "Linux 4.18 or later", "a system call sends one packet (no UDP_SEGMENT)")
	case !f.Coalescing:
		return bad(Slow, "Linux 5.0 or later", "a system call receives one packet (no UDP_GRO)")
	}
	return good("a system call sends and receives many packets")
}

// sharedMemory makes what two ranks of a host share, under the limits that they would have.
func sharedMemory() Finding {
	err := shm.Probe(max(process.Processors(), 2))
	if err == nil {
		return good("ranks of this host can have it")
	}
	remedy := cmp.Or(shm.Remedy(err), "Linux 5.3 or later, and no seccomp filter that forbids it")
	return bad(Slow, remedy, "none, ranks of this host use the network among themselves (%v)", err)
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

// hugePages looks whether memory of programs is of huge pages, without which much more time is spent on copying it.
func hugePages() Finding {
	const file = "/sys/kernel/mm/transparent_hugepage/enabled"
	text, err := os.ReadFile(file)
	switch _, chosen, _ := strings.Cut(string(text), "["); {
	case err != nil:
		return bad(Differ, "a kernel with CONFIG_TRANSPARENT_HUGEPAGE", "there are none: long messages within this host are copied at half the speed")
	case strings.HasPrefix(chosen, "always"):
		return good("programs have them: long messages within this host are copied at full speed")
	case strings.HasPrefix(chosen, "madvise"):
		return bad(Differ, "echo always > "+file+", or for C programs GLIBC_TUNABLES=glibc.malloc.hugetlb=1",
			"only memory of MPI_Alloc_mem has them: other long messages within this host are copied at half the speed")
	}
	return bad(Differ, "echo madvise > "+file, "they are switched off: long messages within this host are copied at half the speed")
}

// pressure looks whether Linux tells that programs wait for processors. If so, ranks do not spin then.
func pressure() Finding {
	if _, err := os.ReadFile("/proc/pressure/cpu"); err != nil {
		return bad(Differ, "boot with psi=1", "ranks do not see that other programs wait for processors, and spin on (%v)", err)
	}
	return good("ranks see it when other programs wait for processors")
}
