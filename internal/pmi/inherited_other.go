//go:build !unix

package pmi

import (
	"errors"
	"net"
)

func inherited(int) (net.Conn, error) {
	return nil, errors.New("inherited sockets are not supported on this system; the launcher must use PMI_PORT")
}
