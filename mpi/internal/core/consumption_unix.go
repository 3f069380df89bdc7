//go:build unix

package core

import (
	"runtime"
	"syscall"
	"time"
)

// consumption is for how long this process has had processors, and the most memory that it has had resident, in bytes.
func consumption() (processor time.Duration, memory uint64) {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0, 0
	}
	memory = uint64(u.Maxrss)
	if runtime.GOOS != "darwin" && runtime.GOOS != "ios" { // there it is in bytes, elsewhere in KiB
		memory <<= 10
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), memory
}
