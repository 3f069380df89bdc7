//go:build unix

package process

import "syscall"

// maxDescriptors is how many descriptors this process may have. Go's os package has raised the soft limit to the hard one;
// ranks have the soft limit that this process was started with.
func maxDescriptors() uint64 {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil {
		return unlimited
	}
	return uint64(limit.Cur)
}
