package main

import (
	"errors"
	"fmt"
	"net"
	"net/netip"

	"github.com/pion/sctp"

	"github.com/sctpmpi/sctpmpi/cmd/internal/link"
)

const (
	// mtu is the size in bytes of the largest packet that pion can send. Its default is less.
	mtu = 8192
	// receiveBuffer has room for some of the longest messages, as pion delivers only whole
	// messages.
	receiveBuffer = 16 << 20
	longest       = 8 << 20
	stream        = 1
)

// transport makes links over pion's SCTP, over UDP.
type transport struct{}

func (transport) Listen(_ link.Options, announce func(string)) (link.Link, error) {
	udp, err := listenUDP()
	if err != nil {
		return nil, err
	}
	announce(udp.LocalAddr().String())
	c := &conn{UDPConn: udp}
	a, err := sctp.ServerWithOptions(config(c))
	return newLink(c, a, err)
}

func (transport) Dial(_ link.Options, addr string) (link.Link, error) {
	peer, err := netip.ParseAddrPort(addr)
	if err != nil {
		return nil, err
	}
	udp, err := listenUDP()
	if err != nil {
		return nil, err
	}
	c := &conn{udp, peer}
	a, err := sctp.ClientWithOptions(config(c))
	return newLink(c, a, err)
}

// config gives pion its best throughput: large packets, and writes that block instead of queueing
// without a bound.
func config(c net.Conn) sctp.Config {
	return sctp.Config{
		NetConn: c, MTU: mtu, BlockWrite: true,
		MaxReceiveBufferSize: receiveBuffer, MaxMessageSize: longest,
	}
}

// end is one end: one stream of one association. Reads and writes of pion's streams are whole
// messages, and block.
type end struct {
	*sctp.Stream
	association *sctp.Association
	message     []byte
}

func newLink(c *conn, a *sctp.Association, err error) (link.Link, error) {
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	s, err := a.OpenStream(stream, sctp.PayloadTypeWebRTCBinary)
	if err != nil {
		return nil, errors.Join(err, a.Close())
	}
	return &end{Stream: s, association: a, message: make([]byte, longest)}, nil
}

func (e *end) Send(size, count int) error {
	for range count {
		if _, err := e.Write(e.message[:size]); err != nil {
			return err
		}
	}
	return nil
}

func (e *end) Receive(size, count int) error {
	for range count {
		n, err := e.Read(e.message)
		if err != nil {
			return err
		}
		if n != size {
			return fmt.Errorf("a message of %d bytes has arrived, not of %d", n, size)
		}
	}
	return nil
}

func (e *end) Close() error { return e.association.Close() }
