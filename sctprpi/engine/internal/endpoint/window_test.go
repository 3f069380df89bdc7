package endpoint

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// sacked returns the last SACK chunk among packets.
func (r *rig) sacked(packets []sentPacket) (s wire.SACK, n int) {
	r.t.Helper()
	for i := range packets {
		for _, c := range packets[i].chunks {
			if c.Type == wire.TypeSACK {
				var err error
				s, err = wire.ParseSACK(c)
				require.NoError(r.t, err)
				n++
			}
		}
	}
	return s, n
}

// Section 6.2: the window that is advertised shrinks by what is not read, to 0 rather
// than to a few bytes, and reading opens it again with a SACK of its own.
func TestWindowFollowsTheReader(t *testing.T) {
	const buffer = 64 << 10
	r := newRig(t, socket.Config{ReceiveBuffer: buffer, AckEvery: 1})
	r.unread = true
	r.accepted()
	last := uint32(buffer)
	for n := range wire.SSN(200) {
		s, sacks := r.sacked(r.say(r.data(0, n, strings.Repeat("x", 1000))))
		require.Equal(t, 1, sacks)
		require.LessOrEqual(t, s.Window, last)
		require.True(t, s.Window == 0 || s.Window >= 1000, "a silly window of %d bytes", s.Window)
		if s.Window == 0 && last == 0 {
			break
		}
		last = s.Window
	}
	require.Zero(t, last)
	r.unread = false
	s, sacks := r.sacked(r.run())
	assert.LessOrEqual(t, sacks, 5, "not one for each message read")
	assert.GreaterOrEqual(t, sacks, 1)
	assert.GreaterOrEqual(t, s.Window, uint32(buffer*3/4))
}

// A chunk that finds no room is not acknowledged, and is taken when it comes again.
func TestChunkThatFindsNoRoomComesAgain(t *testing.T) {
	r := newRig(t, socket.Config{ReceiveBuffer: 64 << 10, AckEvery: 1})
	r.unread = true
	r.accepted()
	var s wire.SACK
	ssn := wire.SSN(0)
	for s.CumulativeTSN == 0 || s.CumulativeTSN == r.tsn-1 {
		s, _ = r.sacked(r.say(r.data(0, ssn, strings.Repeat("x", 1000))))
		ssn++
	}
	assert.Equal(t, r.tsn-2, s.CumulativeTSN)
	assert.Zero(t, s.Window)
	r.unread = false
	r.run()
	r.tsn--
	s, _ = r.sacked(r.say(r.data(0, ssn-1, strings.Repeat("y", 1000))))
	assert.Equal(t, r.tsn-1, s.CumulativeTSN)
	assert.Equal(t, strings.Repeat("y", 1000), string(r.lastEvent().Payload))
}

// RFC 1122, section 4.2.3.4: a window of a few bytes is not filled with a small chunk
// cut off a long message.
func TestSillyWindowIsNotUsed(t *testing.T) {
	r := newRig(t, socket.Config{Heartbeat: -1}).accepted()
	r.send(text(0, "first"))
	r.say(sack(r.said.TSN, 100))
	assert.Empty(t, r.send(text(0, strings.Repeat("x", 5000))))
	for _, p := range r.say(sack(r.said.TSN, 1<<20)) {
		for _, c := range p.chunks {
			d, err := wire.ParseData(c)
			require.NoError(t, err)
			assert.GreaterOrEqual(t, len(d.Payload), 400)
		}
	}
}

// A window far beyond what an int32 holds is a window like another.
func TestHugeWindow(t *testing.T) {
	r := newRig(t, socket.Config{})
	r.offer.Window = 1<<32 - 1
	r.accepted()
	assert.NotEmpty(t, r.send(text(0, strings.Repeat("x", 5000))))
	assert.NotEmpty(t, r.say(sack(r.said.TSN+3, 1<<32-1)))
}
