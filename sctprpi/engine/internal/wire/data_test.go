package wire

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

func appendData(b []byte, d Data) []byte {
	b = AppendDataHeader(b, &d, len(d.Payload))
	return AppendPadding(append(b, d.Payload...), len(d.Payload))
}

var dataCodec = codec[Data]{
	parse:  ParseData,
	append: appendData,
	bytes:  "00 0b 0015 01020304 0005 0006 00000035 68656c6c6f 000000",
	value: Data{
		Flags: FlagBegin | FlagEnd | FlagImmediate, TSN: 0x01020304, Stream: 5, SSN: 6, PPID: 0x35,
		Payload: []byte("hello"),
	},
	valid: func(n int) bool { return n > DataHeaderSize },
	random: func(r *rand.Rand) Data {
		return Data{
			Flags: DataFlags(r.Uint32()) & dataFlags, TSN: TSN(r.Uint32()), Stream: socket.StreamID(r.Uint32()),
			SSN: SSN(r.Uint32()), PPID: socket.PPID(r.Uint32()), Payload: randomBytes(r, 1, 50),
		}
	},
}

func TestData(t *testing.T) { dataCodec.test(t) }
func FuzzData(f *testing.F) { dataCodec.fuzz(f) }

// RFC 9260, section 3.3.1.
func TestDataFlags(t *testing.T) {
	assert.Equal(t, DataFlags(1), FlagEnd)
	assert.Equal(t, DataFlags(2), FlagBegin)
	assert.Equal(t, DataFlags(4), FlagUnordered)
	assert.Equal(t, DataFlags(8), FlagImmediate)

	c := chunkOf(t, TypeData, make([]byte, 13))
	c.Flags = 0xff
	d, err := ParseData(c)
	require.NoError(t, err)
	assert.Equal(t, FlagEnd|FlagBegin|FlagUnordered|FlagImmediate, d.Flags, "reserved bits are ignored")
}

// RFC 9260, section 6.2: the cause No User Data reports the TSN.
func TestDataWithoutUserDataTellsItsTSN(t *testing.T) {
	d, err := ParseData(chunkOf(t, TypeData, unhex(t, "01020304 0005 0006 00000035")))
	assert.ErrorIs(t, err, ErrNoUserData)
	assert.Equal(t, TSN(0x01020304), d.TSN)
	assert.Equal(t, CauseNoUserData, ErrNoUserData.Cause)
}

func TestPayloadIsAViewOfThePacket(t *testing.T) {
	b := appendData(nil, dataCodec.value)
	c, err := ParseChunk(b)
	require.NoError(t, err)
	d, err := ParseData(c)
	require.NoError(t, err)
	assert.Same(t, &b[DataHeaderSize], &d.Payload[0])
	assert.Equal(t, len(d.Payload), cap(d.Payload), "appending to it leaves the packet alone")
}
