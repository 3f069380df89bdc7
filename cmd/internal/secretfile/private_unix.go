//go:build unix

package secretfile

import (
	"fmt"
	"os"
	"syscall"
)

// private returns an error if others may read a file. A group may if the file is another user's, such as root's in a volume of
// Kubernetes, which a pod without root reads by its group.
func private(f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	mode, others := info.Mode(), os.FileMode(0o077)
	if s, ok := info.Sys().(*syscall.Stat_t); ok && int(s.Uid) != os.Geteuid() {
		others = 0o007
	}
	if mode.IsRegular() && mode&others != 0 {
		return fmt.Errorf("%s has the mode %#o, by which others may read or change the secret: chmod 600 %s", f.Name(), mode.Perm(), f.Name())
	}
	return nil
}
