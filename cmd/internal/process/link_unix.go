//go:build unix

package process

import (
	"net"
	"os"
	"strconv"
	"syscall"
)

// NeedsPort: processes connect to a port for PMI, as they cannot inherit a socket.
const NeedsPort = false

// link is a pair of connected sockets of which the process inherits one, for PMI.
type link struct {
	env    []string
	theirs []*os.File // becomes descriptor 3
	ours   net.Conn
}

func newLink(c Command) (link, error) {
	syscall.ForkLock.RLock()
	pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err == nil {
		syscall.CloseOnExec(pair[0])
		syscall.CloseOnExec(pair[1])
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		return link{}, os.NewSyscallError("socketpair", err)
	}
	ours, theirs := os.NewFile(uintptr(pair[0]), "PMI"), os.NewFile(uintptr(pair[1]), "PMI_FD")
	defer ours.Close() // FileConn makes a duplicate
	conn, err := net.FileConn(ours)
	if err != nil {
		_ = theirs.Close()
		return link{}, err
	}
	return link{
		env:    []string{"PMI_FD=3", "PMI_RANK=" + strconv.Itoa(c.Rank), "PMI_SIZE=" + strconv.Itoa(c.Size)},
		theirs: []*os.File{theirs}, ours: conn,
	}, nil
}

func (l link) closeTheirs() { _ = l.theirs[0].Close() }

func (l link) closeOurs() { _ = l.ours.Close() }
