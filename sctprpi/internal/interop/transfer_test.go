//go:build !race && linux

package interop

import (
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/internal/interop/interoptest"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

const manyStreams = 64

// handshake: the ends agree on the lesser number of streams, and know each other's
// addresses (RFC 9260, section 5.1).
func handshake(s *setting) {
	caller := s.peer(0, s.caller, socket.Config{Streams: 100}, interoptest.Local{}, 0, 1)
	called := s.peer(1, s.called, socket.Config{Streams: manyStreams}, interoptest.Local{}, 0, 1)
	interoptest.Join(caller, called)
	for _, ends := range [][2]*interoptest.Peer{{caller, called}, {called, caller}} {
		status, err := ends[0].Status(ends[0].ID)
		require.NoError(s, err)
		assert.True(s, status.Established)
		assert.Equal(s, manyStreams, status.Outbound)
		assert.Equal(s, manyStreams, status.Inbound)
		assert.False(s, status.Interleaving)
		var paths []socket.Addr
		for _, p := range status.Paths {
			paths = append(paths, p.Addr)
		}
		assert.ElementsMatch(s, ends[1].LocalAddrs(), paths)
	}
	interoptest.Converse(caller, called)
}

// load is messages of 1 byte to 1 MiB, on all streams in turn. Those of 1 MiB are on the
// first and the last.
func load() (all []interoptest.Message) {
	const large = 1 << 20
	for _, size := range []int{1, 100, 1452, 1453, 20_000, large} {
		for stream := range manyStreams {
			switch {
			case size < large:
				all = append(all, interoptest.NewMessage(stream, size+stream))
			case stream%(manyStreams-1) == 0:
				all = append(all, interoptest.NewMessage(stream, size))
			}
		}
	}
	all[0].Body = all[0].Body[:1]
	return all
}

// streams: messages of all sizes go both ways on many streams.
func streams(s *setting) {
	caller, called := s.joined(socket.Config{Streams: manyStreams}, 0)
	interoptest.Exchange(s, caller, called, load(), load())
}

// streamsUnderLoss: the same over a bad network.
func streamsUnderLoss(s *setting) {
	caller, called := s.joined(socket.Config{Streams: manyStreams}, 0)
	s.impair("delay 5ms loss 1% reorder 5%")
	interoptest.Exchange(s, caller, called, load(), load())
	var again uint64
	for _, p := range []*interoptest.Peer{caller, called} {
		status, err := p.Status(p.ID)
		require.NoError(s, err)
		again += status.Retransmissions
	}
	require.Positive(s, again, "retransmissions of some thousand packets, of which 1%% are lost")
}

// patient tries again soon, and many times.
var patient = socket.Config{
	RTOInitial: 50 * time.Millisecond, RTOMin: 20 * time.Millisecond, RTOMax: 100 * time.Millisecond,
	InitRetransmissions: 100, AssocRetransmissions: 100,
}

// beginAndEndUnderLoss: what sets up and shuts down associations is repeated until it is
// heard.
func beginAndEndUnderLoss(s *setting) {
	s.impair("delay 1ms loss 10% reorder 5%")
	const some = 10
	for range some {
		caller, called := s.joined(patient, 0)
		interoptest.Converse(caller, called)
		require.NoError(s, caller.Shutdown(caller.ID))
		requireClosed(s, caller, called)
	}
}
