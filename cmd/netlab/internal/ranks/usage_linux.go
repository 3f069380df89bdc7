package ranks

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// resources are what this process has and has used.
type resources struct {
	sockets float64
	memory  float64 // resident, MiB
	cpu     float64 // microseconds, of the program and of the kernel for it
	waits   float64 // times that a thread has waited in the kernel
}

func usage() (u resources, err error) {
	files, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return u, err
	}
	for _, f := range files {
		if target, err := os.Readlink(filepath.Join("/proc/self/fd", f.Name())); err == nil && strings.HasPrefix(target, "socket:") {
			u.sockets++
		}
	}
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return u, err
	}
	var size, resident float64
	if _, err := fmt.Sscan(string(text), &size, &resident); err != nil {
		return u, fmt.Errorf("/proc/self/statm: %w", err)
	}
	u.memory = resident * float64(os.Getpagesize()) / (1 << 20)
	var r unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &r); err != nil {
		return u, os.NewSyscallError("getrusage", err)
	}
	u.waits = float64(r.Nvcsw)
	var spent unix.Timespec // finer than what getrusage has
	if err := unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &spent); err != nil {
		return u, os.NewSyscallError("clock_gettime", err)
	}
	u.cpu = float64(spent.Nano()) / 1e3
	return u, nil
}
