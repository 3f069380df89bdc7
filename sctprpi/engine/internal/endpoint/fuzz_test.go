package endpoint

import (
	"encoding/binary"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// FuzzEndpoint has two Endpoints do what a script says, a byte for each step and some
// for its arguments, with a network between them that is the script's too: it loses,
// duplicates, reorders, changes and makes up packets, with correct checksums and tags.
// It demands, besides that nothing panics or goes on for ever, what stage.check does
// after each step, and that nothing is left in the end.
func FuzzEndpoint(f *testing.F) {
	for _, script := range scripts(f) {
		f.Add(script)
	}
	f.Fuzz(func(t *testing.T, script []byte) { newStage(t, script).play() })
}

// The steps. Bit 7 of a step says at which end.
const (
	stepExchange = iota // packets to and fro until there are none
	stepReceive         // one packet, of those on the way
	stepLose
	stepRepeat
	stepChange   // some bytes of a packet
	stepForge    // a packet of any chunk
	stepStranger // a packet comes from elsewhere
	stepWait
	stepConnect
	stepSend
	stepShutdown
	stepAbort
	stepRead // or not, from now on
	stepReadStream
	stepTooBig
	stepUnreachable
	stepAuthenticated
	stepMark // what is received, or not, from now on
	steps
)

// maxSteps bounds a script.
const maxSteps = 200

func (s *stage) next() byte {
	if len(s.script) == 0 {
		return 0
	}
	b := s.script[0]
	s.script = s.script[1:]
	return b
}

func (s *stage) play() {
	for range maxSteps {
		if len(s.script) == 0 {
			break
		}
		b := s.next()
		a := s.actors[b>>7]
		s.step(a, int(b&0x7F)%steps)
		for _, a := range s.actors {
			a.flush()
			a.check()
		}
	}
	s.end()
}

func (s *stage) step(a *actor, step int) {
	switch step {
	case stepExchange:
		s.exchange()
	case stepReceive:
		if from, b := a.take(int(s.next())); b != nil {
			a.receive(from, b)
		}
	case stepLose:
		a.take(int(s.next()))
	case stepRepeat:
		if from, b := a.take(int(s.next())); b != nil {
			a.receive(from, slices.Clone(b))
			a.inbox = append(a.inbox, letter{from, b})
		}
	case stepChange:
		if from, b := a.take(int(s.next())); b != nil {
			a.receive(from, s.change(b))
		}
	case stepForge:
		a.receive(a.peer.addrs[0], s.forge(a))
	case stepStranger:
		if from, b := a.take(int(s.next())); b != nil {
			a.receive(netipPort(from, 1+uint16(s.next())), b)
		}
	case stepWait:
		s.wait(time.Millisecond << (s.next() % 17))
	case stepConnect:
		_, _ = a.Connect(s.now, a.peer.remote()...)
	case stepSend:
		a.send(s.next(), s.next(), s.next())
	case stepShutdown:
		_ = a.Shutdown(s.now, a.any())
	case stepAbort:
		_ = a.Abort(a.any(), "the script says so")
	case stepRead:
		a.reads = !a.reads
	case stepReadStream:
		stream := socket.StreamID(s.next() % 4)
		_ = a.Hold(a.any(), stream, !a.reads)
		n, _ := a.PollStream(a.any(), stream, a.events[:])
		for i := range a.events[:n] { // which may come before an Up that is not read
			a.events[i].Release()
		}
	case stepAuthenticated:
		_ = a.Authenticated(a.any())
	case stepMark:
		a.marks = !a.marks
	case stepTooBig:
		a.TooBig(s.now, a.peer.addrs[0], int(s.next())<<6)
	case stepUnreachable:
		quoted := wire.Header{SourcePort: a.host.Port, DestinationPort: a.peer.host.Port}
		if en := a.byID[a.any()]; en != nil {
			quoted.Tag = en.PeerTag()
		}
		a.Unreachable(s.now, a.peer.addrs[0], wire.AppendHeader(nil, quoted))
	}
}

// change changes a packet, mostly beyond its common header, and corrects its checksum.
func (s *stage) change(b []byte) []byte {
	for range 1 + s.next()%4 {
		at := wire.HeaderSize + int(s.next())
		if at == wire.HeaderSize+255 {
			at = int(s.next()) % wire.HeaderSize
		}
		if at < len(b) {
			b[at] ^= s.next()
		}
	}
	if cut := int(s.next()); cut < 64 && wire.HeaderSize+4*cut <= len(b) {
		b = b[:len(b)-4*cut]
	}
	wire.SetChecksum(b)
	return b
}

// forge makes a packet for an actor of a chunk that the script has, with the tag and
// ports of an association, and the TSN that is in many chunks made to fit it.
func (s *stage) forge(a *actor) []byte {
	head := wire.Header{SourcePort: a.peer.host.Port, DestinationPort: a.host.Port}
	if en := a.byID[a.any()]; en != nil {
		head.Tag = en.LocalTag()
	}
	t, flags := wire.ChunkType(s.next()), s.next()
	value := s.script[:min(int(s.next()), len(s.script))]
	s.script = s.script[len(value):]
	b := append(wire.AppendHeader(nil, head), byte(t), flags)
	b = binary.BigEndian.AppendUint16(b, uint16(4+len(value)))
	b = append(b, value...)
	if tsn := wire.HeaderSize + 4; len(value) >= 4 {
		base := a.acked
		switch t {
		case wire.TypeSACK, wire.TypeShutdown, wire.TypeECNE:
			base = a.sent
		case wire.TypeData, wire.TypeIData, wire.TypeForwardTSN, wire.TypeIForwardTSN, wire.TypeCWR:
		default:
			base = 0
		}
		field := b[tsn : tsn+4]
		binary.BigEndian.PutUint32(field, binary.BigEndian.Uint32(field)+uint32(base))
	}
	b = wire.AppendPadding(b, len(value))
	wire.SetChecksum(b)
	return b
}

// end aborts whatever there is, or closes both Endpoints, and demands that nothing is
// left.
func (s *stage) end() {
	for _, a := range s.actors {
		a.reads = true
		a.inbox = nil
		if s.closes {
			a.Close(s.now, &a.batch)
			a.batch.Reset()
			a.Discard()
		} else {
			for id := range a.byID {
				_ = a.Abort(id, "the end")
			}
			a.flush()
			require.Empty(s.t, a.lent, "messages that have not come back")
		}
		require.False(s.t, a.Ready())
		require.False(s.t, a.Sending())
		_, runs := a.Deadline()
		require.False(s.t, runs)
		require.Zero(s.t, a.Associations())
		require.Empty(s.t, a.byTag)
		require.Empty(s.t, a.byPeer)
		require.Empty(s.t, a.timers)
		require.Zero(s.t, a.pool.Lent())
	}
}
