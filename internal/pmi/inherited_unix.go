//go:build unix

package pmi

import (
	"errors"
	"fmt"
	"net"
	"os"
	"sync/atomic"
	"syscall"
)

// claimed is set once the launcher's descriptor has been taken: after that its number may name anything.
var claimed atomic.Bool

// inherited makes a connection of a descriptor that this process was started with, and keeps its own children from
// inheriting it, because the launcher sees that a rank has gone by the last copy closing.
func inherited(fd int) (net.Conn, error) {
	var stat syscall.Stat_t
	if err := syscall.Fstat(fd, &stat); err != nil {
		return nil, fmt.Errorf("not open in this process; was it started by a rank of a job? %w", err)
	}
	if stat.Mode&syscall.S_IFMT != syscall.S_IFSOCK {
		return nil, errors.New("not a socket; was this process started by a rank of a job?")
	}
	if claimed.Swap(true) {
		return nil, errors.New("already opened by this process")
	}
	// FileConn works on a duplicate that closes on exec; the original is closed here.
	file := os.NewFile(uintptr(fd), "PMI_FD")
	defer file.Close()
	return net.FileConn(file)
}
