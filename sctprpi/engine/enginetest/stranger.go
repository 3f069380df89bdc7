package enginetest

import (
	"encoding/binary"
	"errors"
	"net"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
)

// Stranger makes packets, with correct checksums, as a program does that speaks to a socket and does not own one: between two
// SCTP ports, with the tag that the receiver expects of its peer.
type Stranger struct {
	From, To uint16
	Tag      uint32
}

// firstTSN is that of the associations that a Stranger begins.
const firstTSN = 1

// packet is a packet of one chunk.
func (s Stranger) packet(chunk func(b []byte) []byte) []byte {
	header := wire.Header{SourcePort: s.From, DestinationPort: s.To, Tag: wire.VerificationTag(s.Tag)}
	b := chunk(wire.AppendHeader(nil, header))
	wire.SetChecksum(b)
	return b
}

// Init begins an association, of which the packets to the stranger will have a tag. Those to the engine have tag 0 here.
func (s Stranger) Init(tag uint32) []byte {
	s.Tag = 0
	init := wire.Init{Tag: wire.VerificationTag(tag), Window: 1 << 20, OutStreams: 10, InStreams: 10, TSN: firstTSN}
	return s.packet(func(b []byte) []byte { return wire.AppendInit(b, &init) })
}

// CookieEcho sets up an association with a cookie.
func (s Stranger) CookieEcho(cookie []byte) []byte {
	return s.packet(func(b []byte) []byte { return wire.AppendCookieEcho(b, cookie) })
}

// CookieAck says that an association is set up.
func (s Stranger) CookieAck() []byte { return s.packet(wire.AppendCookieAck) }

// Heartbeat asks for an answer.
func (s Stranger) Heartbeat() []byte {
	return s.packet(func(b []byte) []byte { return wire.AppendHeartbeat(b, []byte("who is there")) })
}

// Abort ends an association.
func (s Stranger) Abort() []byte {
	return s.packet(func(b []byte) []byte { return wire.AppendAbort(b, false, nil) })
}

// Shutdown ends an association when all has arrived.
func (s Stranger) Shutdown() []byte {
	return s.packet(func(b []byte) []byte { return wire.AppendShutdown(b, firstTSN) })
}

// Data is a message of one packet on stream 0, n TSNs behind the first.
func (s Stranger) Data(n int, payload []byte) []byte {
	d := wire.Data{Flags: wire.FlagBegin | wire.FlagEnd, TSN: firstTSN + wire.TSN(n), SSN: wire.SSN(n)}
	return s.packet(func(b []byte) []byte {
		b = append(wire.AppendDataHeader(b, &d, len(payload)), payload...)
		return wire.AppendPadding(b, len(payload))
	})
}

// Ask begins an association from a UDP socket that is connected with the engine's, and returns the cookie. From then on
// s.Tag is the association's.
func (s *Stranger) Ask(conn net.Conn) (cookie []byte, err error) {
	if _, err := conn.Write(s.Init(0x11223344)); err != nil {
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
		s.Tag = uint32(ack.Tag)
		return cookie, nil
	}
	return nil, errors.New("enginetest: the answer to INIT has no chunk")
}

// Receiver is the SCTP port to which a packet goes, as a UDP payload, and its tag.
func Receiver(packet []byte) (port uint16, tag uint32) {
	return binary.BigEndian.Uint16(packet[2:]), binary.BigEndian.Uint32(packet[4:])
}
