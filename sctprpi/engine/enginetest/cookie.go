package enginetest

import (
	"errors"
	"net"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
)

// CookieEcho begins an association from a UDP socket that is connected with the engine's, between
// two SCTP ports, and returns the packet with which it would be set up: the COOKIE ECHO (RFC 9260,
// section 5.1).
func CookieEcho(conn net.Conn, from, to uint16) ([]byte, error) {
	header := wire.Header{SourcePort: from, DestinationPort: to}
	init := wire.Init{Tag: 0x11223344, Window: 1 << 20, OutStreams: 10, InStreams: 10, TSN: 1}
	b := wire.AppendInit(wire.AppendHeader(nil, header), &init)
	wire.SetChecksum(b)
	if _, err := conn.Write(b); err != nil {
		return nil, err
	}
	answer := make([]byte, 1<<16)
	n, err := conn.Read(answer)
	if err != nil {
		return nil, err
	}
	p, err := wire.ParsePacket(answer[:n])
	if err != nil {
		return nil, err
	}
	for c, err := range p.Chunks() {
		if err != nil {
			return nil, err
		}
		ack, cookie, err := wire.ParseInitAck(c)
		if err != nil {
			return nil, err
		}
		header.Tag = ack.Tag
		b = wire.AppendCookieEcho(wire.AppendHeader(nil, header), cookie)
		wire.SetChecksum(b)
		return b, nil
	}
	return nil, errors.New("enginetest: the answer to INIT has no chunk")
}
