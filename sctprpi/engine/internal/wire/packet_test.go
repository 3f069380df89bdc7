package wire

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// packetOf returns a packet with those bytes as its chunks.
func packetOf(t testing.TB, chunks []byte) Packet {
	p, err := ParsePacket(append(AppendHeader(nil, Header{5000, 5001, 1}), chunks...))
	require.NoError(t, err)
	return p
}

// walk returns the types of the packet's chunks up to an error.
func walk(p Packet) (types []ChunkType, err error) {
	for c, err := range p.Chunks() {
		if err != nil {
			return types, err
		}
		types = append(types, c.Type)
	}
	return types, nil
}

func TestCommonHeaderHasTheFormOfTheRFC(t *testing.T) {
	b := AppendHeader(nil, Header{SourcePort: 0x1388, DestinationPort: 0x1389, Tag: 0x01020304})
	assert.Equal(t, unhex(t, "1388 1389 01020304 00000000"), b)
	p, err := ParsePacket(AppendCookieAck(b))
	require.NoError(t, err)
	assert.Equal(t, Header{0x1388, 0x1389, 0x01020304}, p.Header)
}

func TestPacketShorterThanAHeaderAndAChunkIsRefused(t *testing.T) {
	b := AppendCookieAck(AppendHeader(nil, Header{1, 2, 3}))
	for n := range len(b) {
		_, err := ParsePacket(b[:n])
		assert.ErrorIs(t, err, ErrShortPacket, "%d bytes", n)
	}
}

// RFC 9260, section 3.1.
func TestPacketWithPort0IsRefused(t *testing.T) {
	for _, h := range []Header{{0, 5001, 1}, {5000, 0, 1}} {
		_, err := ParsePacket(AppendCookieAck(AppendHeader(nil, h)))
		assert.ErrorIs(t, err, ErrZeroPort)
	}
}

func TestChunksAreWalkedInOrder(t *testing.T) {
	b := AppendCookieEcho(nil, []byte("cookie"))
	b = AppendSACK(b, &SACK{})
	b = AppendShutdown(b, 7)
	types, err := walk(packetOf(t, b))
	require.NoError(t, err)
	assert.Equal(t, []ChunkType{TypeCookieEcho, TypeSACK, TypeShutdown}, types)

	for c, err := range packetOf(t, b).Chunks() {
		require.NoError(t, err)
		assert.Equal(t, TypeCookieEcho, c.Type)
		break
	}
}

// A chunk that claims to be shorter than its own header must not be met again
// and again.
func TestChunkShorterThanItsHeaderEndsTheWalk(t *testing.T) {
	for _, length := range []byte{0, 1, 2, 3} {
		b := append(AppendCookieAck(nil), byte(TypeSACK), 0, 0, length, 1, 2, 3, 4)
		types, err := walk(packetOf(t, b))
		assert.ErrorIs(t, err, ErrPartialChunk)
		assert.Equal(t, []ChunkType{TypeCookieAck}, types, "what came before counts")
	}
}

// RFC 9260, section 6.10: a partial chunk is dropped.
func TestChunkBeyondThePacketEndsTheWalk(t *testing.T) {
	whole := AppendShutdown(AppendCookieAck(nil), 7)
	for n := len(whole) - 1; n > 4; n-- {
		types, err := walk(packetOf(t, whole[:n]))
		assert.ErrorIs(t, err, ErrPartialChunk, "%d bytes", n)
		assert.Equal(t, []ChunkType{TypeCookieAck}, types)
	}
}

// RFC 9260, section 3.2: the receiver ignores padding; that of the packet's
// last chunk may be missing.
func TestPaddingIsIgnored(t *testing.T) {
	b := AppendCookieEcho(nil, []byte{1})
	b[5], b[6], b[7] = 0xff, 0xff, 0xff
	b = AppendCookieEcho(b, []byte{2, 3})
	for range 3 {
		types, err := walk(packetOf(t, b))
		require.NoError(t, err)
		assert.Equal(t, []ChunkType{TypeCookieEcho, TypeCookieEcho}, types)
		b = b[:14]
	}
}

// RFC 9260, sections 3 and 6.10.
func TestChunksThatMustBeAlone(t *testing.T) {
	init := AppendInit(nil, &someInit)
	initAck := AppendInitAck(nil, &someInitAck)
	complete := AppendShutdownComplete(nil, false)
	ack := AppendCookieAck(nil)
	for _, alone := range [][]byte{init, initAck, complete} {
		_, err := walk(packetOf(t, alone))
		assert.NoError(t, err)

		types, err := walk(packetOf(t, append(append([]byte{}, alone...), ack...)))
		assert.ErrorIs(t, err, ErrBundled, "in front of another")
		assert.Empty(t, types)

		types, err = walk(packetOf(t, append(append([]byte{}, ack...), alone...)))
		assert.ErrorIs(t, err, ErrBundled, "after another")
		assert.Equal(t, []ChunkType{TypeCookieAck}, types)
	}
}

func TestTheZeroChunkHasNoValue(t *testing.T) {
	assert.Empty(t, Chunk{}.Value())
	assert.Empty(t, Param{}.Value())
	assert.Empty(t, Cause{}.Info())
}

// Whatever arrives, the walk ends, and what it yields lies in the packet one
// after the other.
func FuzzPacket(f *testing.F) {
	for _, p := range linuxPackets(f) {
		f.Add(p.bytes)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := ParsePacket(b)
		if err != nil {
			return
		}
		size := HeaderSize
		for c, err := range p.Chunks() {
			if err != nil {
				return
			}
			require.GreaterOrEqual(t, len(c.Bytes()), itemHeaderSize)
			require.Equal(t, b[size:size+len(c.Bytes())], c.Bytes())
			size = min(size+PaddedLen(len(c.Bytes())), len(b))
		}
		require.Equal(t, len(b), size)
	})
}
