package capture_test

import (
	"bytes"
	"math/rand/v2"
	"net/netip"
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/capture"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
)

const port = 5000 // of the UDP encapsulation

var (
	here4  = netip.MustParseAddrPort("192.0.2.1:5000")
	there4 = netip.MustParseAddrPort("192.0.2.2:5000")
	here6  = netip.MustParseAddrPort("[2001:db8::1]:5000")
	there6 = netip.MustParseAddrPort("[2001:db8::2]:5000")

	began = time.Date(2026, time.March, 4, 5, 6, 7, 123_456_789, time.UTC)
)

// sctp returns an SCTP packet with the chunks that build appends.
func sctp(tag wire.VerificationTag, build func([]byte) []byte) []byte {
	packet := build(wire.AppendHeader(nil, wire.Header{SourcePort: 7001, DestinationPort: 7002, Tag: tag}))
	wire.SetChecksum(packet)
	return packet
}

// data returns an SCTP packet of size bytes, a multiple of 4, with user data.
func data(tsn wire.TSN, size int) []byte {
	return sctp(0xbeef, func(b []byte) []byte {
		d := wire.Data{Flags: wire.FlagBegin | wire.FlagEnd, TSN: tsn, Stream: 1}
		b = wire.AppendDataHeader(b, &d, 0)
		header := len(b)
		b = wire.AppendDataHeader(b[:wire.HeaderSize], &d, size-header)
		return append(b, noise(size-header)...)
	})
}

// noise returns n bytes that are the same for every n.
func noise(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.NewChaCha8([32]byte{}).Read(b)
	return b
}

type step struct {
	received bool
	chunk    string // as tshark numbers its types
	bytes    []byte
}

// conversation returns the packets of an association from one side.
func conversation() []step {
	cookie := bytes.Repeat([]byte("cookie"), 50)
	init := wire.Init{Tag: 0xbeef, Window: 1 << 20, OutStreams: 1024, InStreams: 1024, TSN: 1}
	init.Params = init.Params.AppendForwardTSNSupported()
	ack := wire.Init{Tag: 0xcafe, Window: 1 << 20, OutStreams: 1024, InStreams: 1024, TSN: 100}
	ack.Params = ack.Params.AppendStateCookie(cookie)
	gaps := wire.SACK{
		CumulativeTSN: 2,
		Window:        1 << 20,
		GapBlocks:     wire.GapBlocks{}.Append(wire.GapBlock{Start: 2, End: 2}),
		Duplicates:    wire.Numbers[wire.TSN]{}.Append(1),
	}
	return []step{
		{false, "1", sctp(0, func(b []byte) []byte { return wire.AppendInit(b, &init) })},
		{true, "2", sctp(0xbeef, func(b []byte) []byte { return wire.AppendInitAck(b, &ack) })},
		{false, "10", sctp(0xcafe, func(b []byte) []byte { return wire.AppendCookieEcho(b, cookie) })},
		{true, "11", sctp(0xbeef, wire.AppendCookieAck)},
		{false, "0", data(1, 40)},
		{false, "0", data(2, 1400)},
		{false, "0", data(4, 65_000)},
		{true, "3", sctp(0xbeef, func(b []byte) []byte { return wire.AppendSACK(b, &gaps) })},
		{false, "0", data(3, 9000)},
		{true, "4", sctp(0xbeef, func(b []byte) []byte { return wire.AppendHeartbeat(b, []byte("path 1")) })},
		{false, "5", sctp(0xcafe, func(b []byte) []byte { return wire.AppendHeartbeatAck(b, []byte("path 1")) })},
		{true, "7", sctp(0xbeef, func(b []byte) []byte { return wire.AppendShutdown(b, 99) })},
		{false, "6", sctp(0xcafe, func(b []byte) []byte {
			return wire.AppendAbort(b, false, wire.Causes{}.AppendUserAbort([]byte("enough")))
		})},
	}
}

// record records steps, a microsecond and a nanosecond apart.
func record(w *capture.Writer, here, there netip.AddrPort, steps []step) {
	at := began
	for _, s := range steps {
		from, to := here, there
		if s.received {
			from, to = there, here
		}
		middle := len(s.bytes) / 3
		w.Packet(at, s.received, from, to, s.bytes[:middle], nil, s.bytes[middle:])
		at = at.Add(1001 * time.Nanosecond)
	}
}
