//go:build darwin || dragonfly || freebsd || netbsd || openbsd

package file

import (
	"os"
	"syscall"
)

// lock locks the whole file, whatever the bytes are: these systems have no locks of ranges that belong to the open file.
func lock(f *os.File, write bool, _, _ int64) error {
	how := syscall.LOCK_SH
	if write {
		how = syscall.LOCK_EX
	}
	for {
		if err := syscall.Flock(int(f.Fd()), how); err != syscall.EINTR {
			return err
		}
	}
}

func unlock(f *os.File, _, _ int64) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_UN) }
