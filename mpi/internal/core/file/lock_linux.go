package file

import (
	"io"
	"os"
	"syscall"
)

// fOfdSetlkw is F_OFD_SETLKW: a lock belongs to the open file, so that ranks in one process exclude each other too.
const fOfdSetlkw = 38

// lock locks the bytes from from to to, for one writer or several readers, and waits for others that have. A writer's file must
// be open for writing, a reader's for reading. The lock ends with unlock, and with the process.
func lock(f *os.File, write bool, from, to int64) error {
	kind := int16(syscall.F_RDLCK)
	if write {
		kind = syscall.F_WRLCK
	}
	return setLock(f, kind, from, to)
}

func unlock(f *os.File, from, to int64) error { return setLock(f, syscall.F_UNLCK, from, to) }

func setLock(f *os.File, kind int16, from, to int64) error {
	l := syscall.Flock_t{Type: kind, Whence: io.SeekStart, Start: from, Len: to - from}
	for {
		if err := syscall.FcntlFlock(f.Fd(), fOfdSetlkw, &l); err != syscall.EINTR {
			return err
		}
	}
}
