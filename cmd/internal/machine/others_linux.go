package machine

import (
	"bytes"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// tick is the unit of /proc/stat: USER_HZ is 100 on all systems that Go runs on.
const tick = time.Second / 100

// usedByAll is the processor time that all programs and the kernel have used since the host was started, and what a hypervisor has kept
// from it. Interrupts are left out, as they serve whom they interrupt no more than others.
func usedByAll() (time.Duration, bool) {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0, false
	}
	return busyTime(text)
}

// busyTime reads the first line of /proc/stat.
func busyTime(text []byte) (all time.Duration, ok bool) {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	fields := bytes.Fields(line)
	const user, nice, system, steal = 1, 2, 3, 8
	if len(fields) <= steal || string(fields[0]) != "cpu" {
		return 0, false
	}
	for _, i := range []int{user, nice, system, steal} {
		n, err := strconv.ParseInt(string(fields[i]), 10, 64)
		if err != nil {
			return 0, false
		}
		all += time.Duration(n) * tick
	}
	return all, true
}

// usedHere is the processor time of this process and of those that it, or a child, has waited for.
func usedHere() (all time.Duration) {
	for _, who := range []int{unix.RUSAGE_SELF, unix.RUSAGE_CHILDREN} {
		var u unix.Rusage
		if unix.Getrusage(who, &u) == nil {
			all += time.Duration(u.Utime.Nano() + u.Stime.Nano())
		}
	}
	return all
}
