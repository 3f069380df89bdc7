package endpoint

import (
	"math/rand/v2"
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/packet"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// rig is an Endpoint whose peer is the test itself: it makes packets by hand and looks
// at those that come back. Probes for the path MTU are answered for it and not shown.
type rig struct {
	*Endpoint
	t     testing.TB
	now   time.Duration
	pool  packet.Pool
	batch packet.Batch
	shown []sentPacket
	// unread leaves events in the Endpoint. Those that are read are in events,
	// with copies of their payloads.
	unread bool
	events []socket.Event
	// deaf leaves probes unanswered.
	deaf bool
	// ecn is what the peer's packets arrive with.
	ecn packet.ECN

	// The peer: where it is, its tag, its next TSN, what it offers.
	from  netip.AddrPort
	port  uint16
	offer wire.Init
	tsn   wire.TSN
	// What the Endpoint has said in its INIT or INIT ACK chunk.
	said  wire.Init
	assoc socket.AssocID
}

var (
	rigAddr  = netip.MustParseAddr("192.0.2.2")
	rigPeer  = netip.MustParseAddrPort("192.0.2.1:9899")
	stranger = netip.MustParseAddrPort("192.0.2.66:9899")
)

const (
	rigPort  = 9
	peerPort = 7
)

func newRig(t testing.TB, c socket.Config) *rig {
	r := &rig{t: t, from: rigPeer, port: peerPort}
	r.offer = wire.Init{Tag: 0x11223344, Window: 1 << 20, OutStreams: 10, InStreams: 10, TSN: 1000}
	r.tsn = r.offer.TSN
	ep, err := New(Config{
		Config: c, Port: rigPort, Addrs: []netip.Addr{rigAddr}, Pool: &r.pool,
		RouteMTU: func(netip.Addr) int { return 1200 },
	})
	require.NoError(t, err)
	r.Endpoint = ep
	return r
}

// sentPacket is a packet that the Endpoint has sent.
type sentPacket struct {
	wire.Header
	to     netip.AddrPort
	raw    []byte
	chunks []wire.Chunk
}

func (p *sentPacket) types() (types []wire.ChunkType) {
	for _, c := range p.chunks {
		types = append(types, c.Type)
	}
	return types
}

// chunk returns the first chunk of a type among packets, and demands that there is one.
func (r *rig) chunk(packets []sentPacket, t wire.ChunkType) wire.Chunk {
	r.t.Helper()
	for i := range packets {
		for _, c := range packets[i].chunks {
			if c.Type == t {
				return c
			}
		}
	}
	require.Fail(r.t, "no "+t.String(), "in %v", typesOf(packets))
	return wire.Chunk{}
}

func typesOf(packets []sentPacket) (types [][]wire.ChunkType) {
	for i := range packets {
		types = append(types, packets[i].types())
	}
	return types
}

// pack makes a packet of the peer's.
func (r *rig) pack(tag wire.VerificationTag, chunks ...[]byte) []byte {
	b := wire.AppendHeader(nil, wire.Header{SourcePort: r.port, DestinationPort: rigPort, Tag: tag})
	for _, c := range chunks {
		b = append(b, c...)
	}
	wire.SetChecksum(b)
	return b
}

// say gives the Endpoint a packet of the peer's with the right tag and returns what
// it sends.
func (r *rig) say(chunks ...[]byte) []sentPacket {
	return r.give(r.from, r.pack(r.said.Tag, chunks...))
}

// give gives the Endpoint a datagram.
func (r *rig) give(from netip.AddrPort, datagram []byte) []sentPacket {
	d := r.datagram(from, datagram)
	if r.Checked(d.Bytes) {
		r.Receive(r.now, &d)
	} else {
		r.Bad()
	}
	d.Buffer.Release()
	return r.run()
}

// datagram puts bytes into memory of the pool.
func (r *rig) datagram(from netip.AddrPort, b []byte) packet.Datagram {
	buffer := r.pool.Get(max(len(b), 1))
	return packet.Datagram{From: from, To: rigAddr, ECN: r.ecn, Bytes: buffer.Bytes[:copy(buffer.Bytes, b)], Buffer: buffer}
}

// run has the Endpoint do all that it has to do now, and returns what it sends.
func (r *rig) run() []sentPacket {
	r.t.Helper()
	for range 10_000 {
		r.Collect()
		more := r.Next(r.now, &r.batch, 64, 1<<20)
		n := r.batch.Len()
		r.batch.Seal()
		var probes []sentPacket
		for i := range r.batch.Packets() {
			p := r.see(&r.batch.Packets()[i])
			if isProbe(&p) {
				probes = append(probes, p)
			} else {
				r.shown = append(r.shown, p)
			}
		}
		r.batch.Reset()
		for i := range probes {
			r.answerProbe(&probes[i])
		}
		if r.poll() == 0 && n == 0 && !more {
			shown := r.shown
			r.shown = nil
			return shown
		}
	}
	require.Fail(r.t, "the endpoint sends without end")
	return nil
}

func (r *rig) see(p *packet.Packet) sentPacket {
	s := sentPacket{to: p.To}
	for _, part := range r.batch.Parts(p) {
		s.raw = append(s.raw, part...)
	}
	require.True(r.t, wire.VerifyChecksum(s.raw, p.Unchecked))
	parsed, err := wire.ParsePacket(s.raw)
	require.NoError(r.t, err)
	s.Header = parsed.Header
	for c, err := range parsed.Chunks() {
		require.NoError(r.t, err)
		s.chunks = append(s.chunks, c)
	}
	return s
}

// isProbe reports whether a packet is a probe for the path MTU.
func isProbe(p *sentPacket) bool {
	return len(p.chunks) > 1 && p.chunks[0].Type == wire.TypeHeartbeat && p.chunks[1].Type == wire.TypePad
}

func (r *rig) answerProbe(p *sentPacket) {
	if r.deaf {
		return
	}
	info, err := wire.ParseHeartbeat(p.chunks[0])
	require.NoError(r.t, err)
	d := r.datagram(p.to, r.pack(r.said.Tag, wire.AppendHeartbeatAck(nil, info)))
	r.Receive(r.now, &d)
	d.Buffer.Release()
}

func (r *rig) poll() (n int) {
	if r.unread {
		return 0
	}
	var events [8]socket.Event
	n = r.Poll(events[:])
	for i := range events[:n] {
		e := events[i]
		e.Payload = append([]byte(nil), e.Payload...)
		e.Memory = nil
		events[i].Release()
		r.events = append(r.events, e)
	}
	return n
}

// advance lets time pass and returns what the Endpoint sends meanwhile.
func (r *rig) advance(d time.Duration) (sent []sentPacket) {
	r.t.Helper()
	end := r.now + d
	for range 100_000 {
		at, runs := r.Deadline()
		if !runs || at > end {
			r.now = end
			return sent
		}
		r.now = max(r.now, at)
		r.Expire(r.now)
		sent = append(sent, r.run()...)
	}
	require.Fail(r.t, "timers run without end")
	return nil
}

// happened returns the kinds of all events, without Data.
func (r *rig) happened() (k []socket.Kind) {
	for _, e := range r.events {
		if e.Kind != socket.Data {
			k = append(k, e.Kind)
		}
	}
	return k
}

// last returns the last event.
func (r *rig) lastEvent() socket.Event {
	require.NotEmpty(r.t, r.events)
	return r.events[len(r.events)-1]
}

// random is for tests that draw, each with a seed of its own.
func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x72696721)) }
