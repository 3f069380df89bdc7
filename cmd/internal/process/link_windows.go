package process

import (
	"net"
	"os"
	"strconv"
)

// NeedsPort: processes connect to a port for PMI, as they cannot inherit a socket.
const NeedsPort = true

// link tells a process of the port.
type link struct {
	env    []string
	theirs []*os.File
	ours   net.Conn
}

func newLink(c Command) (link, error) {
	return link{env: []string{"PMI_PORT=" + c.Port, "PMI_ID=" + strconv.Itoa(c.PortID)}}, nil
}

func (link) closeTheirs() {}
func (link) closeOurs()   {}
