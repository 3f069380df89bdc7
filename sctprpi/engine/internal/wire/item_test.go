package wire

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestPaddingFillsUpToFour(t *testing.T) {
	for n := range 9 {
		assert.Len(t, AppendPadding(make([]byte, n), n), PaddedLen(n))
	}
	assert.Equal(t, 8, PaddedLen(5))
}

// The length of an item never wraps: an item of more than 65,535 bytes is not
// appended.
func TestItemTooLongForItsLengthFieldIsNotAppended(t *testing.T) {
	before := []byte("before")
	fits, tooLong := make([]byte, math.MaxUint16-itemHeaderSize), make([]byte, math.MaxUint16-itemHeaderSize+1)
	assert.Len(t, AppendCookieEcho(before, fits), 6+1<<16)
	assert.Equal(t, before, AppendCookieEcho(before, tooLong))
	assert.Equal(t, before, AppendAbort(before, false, tooLong))
	assert.Equal(t, before, AppendSACK(before, &SACK{GapBlocks: tooLong}))
	assert.Equal(t, before, AppendPad(before, 1<<16))
	assert.Len(t, AppendPad(before, 1<<16-4), 6+1<<16-4)
	assert.Len(t, Params{}.AppendStateCookie(fits), math.MaxUint16)
	assert.Empty(t, Params{}.AppendStateCookie(tooLong))
	assert.Empty(t, Params{}.AppendPadding(1<<16))
	assert.Empty(t, Causes{}.AppendUserAbort(tooLong))

	assert.Equal(t, before, AppendDataHeader(before, &Data{}, MaxDataPayload+1))
	assert.Equal(t, before, AppendIDataHeader(before, &IData{}, MaxIDataPayload+1))
	assert.Equal(t, []byte{0xff, 0xff}, AppendDataHeader(nil, &Data{}, MaxDataPayload)[2:4])
	assert.Equal(t, []byte{0xff, 0xff}, AppendIDataHeader(nil, &IData{}, MaxIDataPayload)[2:4])
}
