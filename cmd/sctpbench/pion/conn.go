package main

import (
	"net"
	"net/netip"
)

// bufferSize is the size in bytes that is asked for each UDP socket. The system may grant less.
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

// conn is the net.Conn that pion needs: a UDP socket with one peer. A peer that is not known at
// first is the sender of the first datagram.
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

// Write sends to the peer. If that is not known at first, pion must Read before.
func (c *conn) Write(b []byte) (int, error) { return c.WriteToUDPAddrPort(b, c.peer) }
