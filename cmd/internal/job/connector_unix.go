//go:build unix

package job

import (
	"net"
	"os"
	"strconv"
	"syscall"

	"github.com/sctpmpi/sctpmpi/mpi/pmi"
)

// connector connects ranks to the PMI server, each by a pair of sockets of which it inherits one.
type connector struct {
	server *pmi.Server
}

func newConnector(server *pmi.Server) (*connector, error) { return &connector{server}, nil }

type link struct {
	env    []string
	theirs []*os.File // becomes descriptor 3
	ours   net.Conn
	server *pmi.Server
	rank   int
}

func (c *connector) link(rank int) (link, error) {
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
		env:    []string{"PMI_FD=3", "PMI_RANK=" + strconv.Itoa(rank), "PMI_SIZE=" + strconv.Itoa(c.server.Size())},
		theirs: []*os.File{theirs}, ours: conn, server: c.server, rank: rank,
	}, nil
}

func (l link) serve() { go l.server.ServeConn(l.rank, l.ours) }

func (l link) closeTheirs() { _ = l.theirs[0].Close() }

func (l link) close() { _ = l.ours.Close() }

// ended is closed when all that the rank has asked for has been dealt with.
func (l link) ended() <-chan struct{} { return l.server.Ended(l.rank) }
