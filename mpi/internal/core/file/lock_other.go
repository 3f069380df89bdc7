//go:build !linux && !darwin && !dragonfly && !freebsd && !netbsd && !openbsd

package file

import (
	"errors"
	"fmt"
	"os"
	"runtime"
)

// lock is not there: atomic mode, the shared pointer and sieving writes have an error on these systems.
func lock(*os.File, bool, int64, int64) error {
	return fmt.Errorf("files cannot be locked on %s: %w", runtime.GOOS, errors.ErrUnsupported)
}

func unlock(*os.File, int64, int64) error { return nil }
