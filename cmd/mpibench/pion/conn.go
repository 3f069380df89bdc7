package main

import (
	"net"
	"net/netip"
)

// bufferSize is asked for each UDP socket: the system may grant less.
const bufferSize = 4 << 20

// listenUDP opens a UDP socket on the loopback interface.
func listenUDP() (*net.UDPConn, error) {
	c, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		return nil, err
	}
	_ = c.SetReadBuffer(bufferSize)
	_ = c.SetWriteBuffer(bufferSize)
	return c, nil
}

// conn makes a net.Conn, which pion wants, of a UDP socket and a peer, which is that of
// the first datagram if it is not known before.
type conn struct {
	*net.UDPConn
	peer netip.AddrPort
}

func (c *conn) Read(b []byte) (int, error) {
	for {
		n, from, err := c.ReadFromUDPAddrPort(b)
		if err == nil && !c.peer.IsValid() {
			c.peer = from
		}
		if err != nil || from == c.peer {
			return n, err
		}
	}
}

// Write is called after the first Read unless the peer is known before.
func (c *conn) Write(b []byte) (int, error) { return c.WriteToUDPAddrPort(b, c.peer) }
