package file

import (
	"errors"
	"os"
	"syscall"
)

func preallocate(f *os.File, size int64) error {
	if size == 0 {
		return nil
	}
	for {
		switch err := syscall.Fallocate(int(f.Fd()), 0, 0, size); {
		case errors.Is(err, syscall.EINTR):
		case errors.Is(err, syscall.EOPNOTSUPP):
			return extend(f, size)
		default:
			return err
		}
	}
}
