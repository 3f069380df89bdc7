//go:build unix

package rank

import (
	"time"

	"golang.org/x/sys/unix"
)

// cpuTime is the processor time of this process so far, in user and in kernel mode.
func cpuTime() time.Duration {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
