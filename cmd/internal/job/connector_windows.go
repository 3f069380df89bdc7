package job

import (
	"net"
	"os"
	"strconv"

	"github.com/sctpmpi/sctpmpi/mpi/pmi"
)

// connector connects ranks to the PMI server by a port of the loopback interface, as sockets cannot be inherited.
type connector struct {
	server *pmi.Server
	port   string
}

func newConnector(server *pmi.Server) (*connector, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	go func() { _ = server.Serve(l) }() // ends with this process
	return &connector{server, l.Addr().String()}, nil
}

type link struct {
	env    []string
	theirs []*os.File
	server *pmi.Server
	rank   int
}

func (c *connector) link(rank int) (link, error) {
	return link{
		env:    []string{"PMI_PORT=" + c.port, "PMI_ID=" + strconv.Itoa(c.server.PortID(rank))},
		server: c.server, rank: rank,
	}, nil
}

func (l link) serve()       {}
func (l link) closeTheirs() {}
func (l link) close()       {}

// ended is closed when all that the rank has asked for has been dealt with.
func (l link) ended() <-chan struct{} {
	if l.server.Phase(l.rank) == pmi.NotStarted {
		never := make(chan struct{}) // it may never have connected
		close(never)
		return never
	}
	return l.server.Ended(l.rank)
}
