//go:build unix

package sight

import (
	"errors"
	"os"
	"syscall"
)

func owner(info os.FileInfo) int {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(s.Uid)
	}
	return -1
}

// stale reports whether a socket is left of an mpirun that is dead: connecting has been refused, and there is no such process. Some
// systems also refuse when too many connect at once.
func stale(pid int, err error) bool {
	return errors.Is(err, syscall.ECONNREFUSED) && errors.Is(syscall.Kill(pid, 0), syscall.ESRCH)
}
