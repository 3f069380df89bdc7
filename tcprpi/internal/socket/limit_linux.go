package socket

import (
	"math"

	"golang.org/x/sys/unix"
)

// Limit returns how many descriptors the process may have (RLIMIT_NOFILE).
func Limit() int {
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &limit) != nil {
		return 1024 // a common default
	}
	return int(min(limit.Cur, math.MaxInt32))
}
