package ranks

import (
	"io"
	"net"
	"net/netip"
)

// tcpSize is the length of all messages over TCP.
const tcpSize = 256

// tcpCarrier is a connection, or a listener until one comes.
type tcpCarrier struct {
	listener net.Listener
	conn     net.Conn
}

func listenTCP(own netip.Addr) (*tcpCarrier, error) {
	l, err := net.Listen("tcp", netip.AddrPortFrom(own, port).String())
	return &tcpCarrier{listener: l}, err
}

func dialTCP(peer netip.Addr) (*tcpCarrier, error) {
	c, err := net.Dial("tcp", netip.AddrPortFrom(peer, port).String())
	return &tcpCarrier{conn: c}, err
}

func (c *tcpCarrier) send(data []byte) error {
	_, err := c.conn.Write(data)
	return err
}

func (c *tcpCarrier) receive(n int, arrived func(data []byte) error) (err error) {
	if c.conn, err = c.listener.Accept(); err != nil {
		return err
	}
	data := make([]byte, tcpSize)
	for range n {
		if _, err := io.ReadFull(c.conn, data); err != nil {
			return err
		}
		if err := arrived(data); err != nil {
			return err
		}
	}
	return nil
}

func (c *tcpCarrier) Close() error {
	if c.listener != nil {
		c.listener.Close()
	}
	if c.conn != nil {
		return c.conn.Close()
	}
	return nil
}
