package wire

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

func TestNumbersTakeTheirSizeOnTheWire(t *testing.T) {
	chunks := NumbersOf(TypeIData, TypePad)
	assert.Equal(t, Numbers[ChunkType]{0x40, 0x84}, chunks)
	assert.Equal(t, 2, chunks.Len())
	assert.Equal(t, []ChunkType{TypeIData, TypePad}, slices.Collect(chunks.All()))
	assert.True(t, chunks.Contains(TypePad))
	assert.False(t, chunks.Contains(TypeData))

	streams := NumbersOf[socket.StreamID](1, 0xfffe)
	assert.Equal(t, Numbers[socket.StreamID]{0, 1, 0xff, 0xfe}, streams)
	assert.Equal(t, []socket.StreamID{1, 0xfffe}, slices.Collect(streams.All()))
	assert.True(t, streams.Contains(0xfffe))

	tsns := NumbersOf[TSN](0x01020304, 0xfffffffe)
	assert.Equal(t, Numbers[TSN]{1, 2, 3, 4, 0xff, 0xff, 0xff, 0xfe}, tsns)
	assert.Equal(t, []TSN{0x01020304, 0xfffffffe}, slices.Collect(tsns.All()))
}

func TestPartOfANumberIsNoNumber(t *testing.T) {
	l := Numbers[TSN]{1, 2, 3, 4, 5, 6}
	assert.False(t, l.whole())
	assert.Equal(t, []TSN{0x01020304}, slices.Collect(l.All()))
	assert.Empty(t, slices.Collect(Numbers[TSN](nil).All()))
}
