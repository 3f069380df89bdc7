package onecopy

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"

	"golang.org/x/sys/unix"
)

// longest is how much a system call reads, in bytes. The kernel looks for nothing else meanwhile.
const longest = 16 << 20

// read reads all of dst. It does not see whether the process is still the same.
func read(pid int, dst []byte, addr uint64) error {
	for len(dst) > 0 {
		piece := dst[:min(len(dst), longest)]
		if addr > math.MaxUint-uint64(len(piece)) {
			return ErrRange
		}
		local := [1]unix.Iovec{{Base: &piece[0]}}
		local[0].SetLen(len(piece))
		remote := [1]unix.RemoteIovec{{Base: uintptr(addr), Len: len(piece)}}
		n, err := unix.ProcessVMReadv(pid, local[:], remote[:], 0)
		switch {
		case err == unix.EINTR:
			continue
		case err != nil:
			return translate(err)
		case n == 0:
			return ErrRange
		}
		dst, addr = dst[n:], addr+uint64(n) // a short read: the next call finds out why
	}
	return nil
}

func translate(err error) error {
	switch err {
	case unix.EPERM, unix.EACCES:
		return ErrForbidden
	case unix.ESRCH:
		return ErrGone
	case unix.EFAULT:
		return ErrRange
	case unix.ENOSYS:
		return ErrNotSupported
	}
	return os.NewSyscallError("process_vm_readv", err)
}

// alive reports whether the process of a pidfd has not ended.
func alive(pidfd int) (bool, error) {
	fds := [1]unix.PollFd{{Fd: int32(pidfd), Events: unix.POLLIN}}
	for {
		n, err := unix.Poll(fds[:], 0)
		switch {
		case err == unix.EINTR:
			continue
		case err != nil:
			return false, os.NewSyscallError("poll", err)
		case n > 0 && fds[0].Revents&unix.POLLNVAL != 0, pidfd < 0:
			return false, fmt.Errorf("pidfd %d is not open", pidfd)
		}
		return n == 0, nil
	}
}

const yama = "/proc/sys/kernel/yama/ptrace_scope"

// AllowReaders lets a process and its descendants read this one's memory, and debug it, where only Yama would forbid it. Launcher
// is the number of the process that has started the ranks of this host, as this process sees it. It must be alive. If it is
// the first process of a container, all of the container's are its descendants. Where there is no Yama AllowReaders does
// nothing. Each call takes the place of the one before.
func AllowReaders(launcher int) error {
	if launcher <= 0 { // the kernel takes these for all processes, and for none
		return fmt.Errorf("process %d is no launcher", launcher)
	}
	if _, err := os.Stat(yama); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := unix.Prctl(unix.PR_SET_PTRACER, uintptr(launcher), 0, 0, 0); err != nil {
		return fmt.Errorf("process %d: %w", launcher, os.NewSyscallError("prctl", err))
	}
	return nil
}
