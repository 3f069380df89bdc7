package socket

import (
	"math"

	"golang.org/x/sys/unix"
)

// Limit is how many descriptors the process may have (RLIMIT_NOFILE).
func Limit() int {
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &limit) != nil {
		return 1024 // what POSIX systems have had for ever
	}
	return int(min(limit.Cur, math.MaxInt32))
}
