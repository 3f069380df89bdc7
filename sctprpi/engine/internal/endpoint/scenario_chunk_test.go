package endpoint

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// field is a number in a chunk. If tsn is 1 it is a TSN of the chunk's sender, if 2 of its receiver.
type field struct {
	name          string
	at, size, tsn int
}

var initFields = []field{{"a_rwnd", 8, 4, 0}, {"OS", 12, 2, 0}, {"MIS", 14, 2, 0}}

// fieldsOf are fields that a script can name. chunkOf has more.
var fieldsOf = map[wire.ChunkType][]field{
	wire.TypeData:             {{"TSN", 4, 4, 1}, {"stream", 8, 2, 0}, {"SSN", 10, 2, 0}},
	wire.TypeInit:             initFields,
	wire.TypeInitAck:          initFields,
	wire.TypeSACK:             {{"ack", 4, 4, 2}, {"a_rwnd", 8, 4, 0}},
	wire.TypeAbort:            {{"T", 1, 1, 0}},
	wire.TypeShutdown:         {{"ack", 4, 4, 2}},
	wire.TypeShutdownComplete: {{"T", 1, 1, 0}},
	wire.TypeForwardTSN:       {{"ack", 4, 4, 1}},
}

// keys are what can stand before "=" in a "when".
var keys = strings.Fields("vtag T a_rwnd OS MIS address cookie TSN stream SSN flags data ack gap staleness owner")

// flagNames are the flags of DATA, by the letters of RFC 9260, section 3.3.1.
var flagNames = strings.Split(",E,B,BE,U,UE,UB,UBE,I,IE,IB,IBE,IU,IUE,IUB,IUBE", ",")

// base returns what a field is counted from.
func (f *field) base(sender, receiver *wire.Init) uint32 {
	return [...]uint32{0, uint32(sender.TSN - 1), uint32(receiver.TSN - 1)}[f.tsn]
}

// send sends a packet of the peer's.
func (s *script) send(from netip.AddrPort, what string) {
	texts := strings.Split(what, ", ")
	name, fields := cutFields(texts[0])
	vtag, to := fields["vtag"], &s.said
	if vtag == "old" {
		to = &s.inits[len(s.inits)-2]
	}
	var chunks [][]byte
	for _, text := range texts {
		chunks = append(chunks, s.chunkOf(text, to))
	}
	var tag wire.VerificationTag
	switch {
	case vtag == "peer":
		tag = s.offer.Tag
	case vtag == "old", vtag == "" && name != "INIT":
		tag = to.Tag
	default:
		tag = wire.VerificationTag(s.number(vtag))
	}
	s.note(s.give(from, s.pack(tag, chunks...)), "")
}

// chunkOf makes a chunk of the peer's.
func (s *script) chunkOf(text string, to *wire.Init) []byte {
	name, fields := cutFields(text)
	b := s.everyChunk()[name]
	switch name {
	case "INIT":
		offer := s.offer
		if address := fields["address"]; address != "" {
			offer.Params = offer.Params.AppendAddress(netip.MustParseAddr(address))
		}
		b = wire.AppendInit(nil, &offer)
	case "COOKIE ECHO":
		n := cmp.Or(s.number(fields["cookie"]), len(s.cookies))
		b, s.said = wire.AppendCookieEcho(nil, s.cookies[n-1]), s.inits[n-1]
	case "DATA":
		b = s.data(0, 0, cmp.Or(fields["data"], "x"))
		b[1] = byte(slices.Index(flagNames, cmp.Or(fields["flags"], "BE")))
		if fields["TSN"] != "" {
			s.tsn--
		}
	case "SACK":
		var gaps []wire.GapBlock
		if first, last, ok := strings.Cut(fields["gap"], "-"); ok {
			gaps = append(gaps, wire.GapBlock{Start: uint16(s.number(first)), End: uint16(s.number(last))})
		}
		b = sack(s.said.TSN-1, 1<<20, gaps...)
	case "ERROR":
		staleness, err := time.ParseDuration(fields["staleness"])
		require.NoError(s.t, err)
		b = wire.AppendError(nil, wire.Causes(nil).AppendStaleCookie(staleness))
	case "HEARTBEAT ACK":
		b = s.beatAck
	}
	if b == nil {
		s.fail("a chunk that the peer can send", name)
	}
	for _, f := range fieldsOf[wire.ChunkType(b[0])] {
		if value, ok := fields[f.name]; ok {
			n := f.base(&s.offer, to) + uint32(s.number(value))
			whole := binary.BigEndian.AppendUint32(nil, n)
			copy(b[f.at:], whole[4-f.size:])
		}
	}
	return b
}

// note puts into words what has come: packets, and the events since the last time.
func (s *script) note(packets []sentPacket, prefix string) {
	for i := range packets {
		s.packets = append(s.packets, prefix+s.packet(&packets[i]))
	}
	for i := range s.events {
		s.reports = append(s.reports, prefix+"user "+report(&s.events[i]))
	}
	if n := len(s.events); n > 0 {
		s.assoc = s.events[n-1].Assoc
	}
	s.events = nil
}

// packet puts a packet of this end's into words.
func (s *script) packet(p *sentPacket) string {
	require.Equal(s.t, s.from, p.to)
	var words []string
	for _, c := range p.chunks {
		words = append(words, s.chunkText(c))
	}
	right := s.offer.Tag
	if p.chunks[0].Type == wire.TypeInit {
		right = 0
	}
	switch p.Tag {
	case right:
	case s.said.Tag:
		words[0] += " vtag=ours"
	case s.oldPeer:
		words[0] += " vtag=old"
	default:
		words[0] += fmt.Sprintf(" vtag=%d", p.Tag)
	}
	return strings.Join(words, ", ")
}

// chunkText puts a chunk of this end's into words, and remembers what the peer is to know of it.
func (s *script) chunkText(c wire.Chunk) string {
	var b strings.Builder
	add := func(key string, value any) { fmt.Fprintf(&b, " %s=%v", key, value) }
	b.WriteString(c.Type.String())
	switch c.Type {
	case wire.TypeInit:
		offer, err := wire.ParseInit(c)
		require.NoError(s.t, err)
		require.Contains(s.t, []wire.VerificationTag{0, offer.Tag}, s.said.Tag, "an INIT that goes again has the same tag")
		s.said = offer
		for p := range offer.Params.All() {
			if more, err := p.CookiePreservative(); p.Type == wire.ParamCookiePreservative && err == nil {
				add("preservative", more)
			}
		}
	case wire.TypeInitAck:
		offer, cookie, err := wire.ParseInitAck(c)
		require.NoError(s.t, err)
		s.said, s.inits, s.cookies = offer, append(s.inits, offer), append(s.cookies, cookie)
	case wire.TypeCookieEcho:
		require.Equal(s.t, testCookie, c.Value())
	case wire.TypeHeartbeat:
		s.beatAck = wire.AppendHeartbeatAck(nil, c.Value()[4:])
	case wire.TypeSACK:
		parsed, err := wire.ParseSACK(c)
		require.NoError(s.t, err)
		for g := range parsed.GapBlocks.All() {
			add("gap", fmt.Sprintf("%d-%d", g.Start, g.End))
		}
		for tsn := range parsed.Duplicates.All() {
			add("dup", tsn.Sub(s.offer.TSN)+1)
		}
	case wire.TypeData:
		add("data", string(c.Bytes()[wire.DataHeaderSize:]))
		add("flags", flagNames[c.Flags])
	case wire.TypeAbort, wire.TypeError:
		causes, err := wire.ParseAbort(c)
		require.NoError(s.t, err)
		for cause := range causes.All() {
			add("cause", strings.ReplaceAll(cause.Code.String(), " ", "-"))
			if staleness, err := cause.StaleCookie(); cause.Code == wire.CauseStaleCookie && err == nil {
				add("staleness", staleness)
			}
		}
	}
	for _, f := range fieldsOf[c.Type] {
		whole := append(make([]byte, 4-f.size), c.Bytes()[f.at:f.at+f.size]...)
		n := binary.BigEndian.Uint32(whole) - f.base(&s.said, &s.offer)
		if n != 0 || f.name != "T" {
			add(f.name, int32(n))
		}
	}
	return b.String()
}

// report puts an event into words.
func report(e *socket.Event) string {
	words := e.Kind.String()
	var abort *socket.AbortError
	switch {
	case e.Kind == socket.Data:
		words += fmt.Sprintf(" stream=%d data=%s", e.Stream, e.Payload)
	case e.Kind == socket.Released:
		words += fmt.Sprintf(" owner=%v outcome=%v", e.Owner, e.Outcome)
	case errors.As(e.Err, &abort):
		cause := strings.ReplaceAll(wire.CauseCode(abort.Cause).String(), " ", "-")
		words += fmt.Sprintf(" remote=%v cause=%s", abort.Remote, cause)
	}
	return words
}
