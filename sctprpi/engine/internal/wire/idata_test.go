package wire

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

func appendIData(b []byte, d IData) []byte {
	b = AppendIDataHeader(b, &d, len(d.Payload))
	return AppendPadding(append(b, d.Payload...), len(d.Payload))
}

var idataCodec = codec[IData]{
	parse:  ParseIData,
	append: appendIData,
	bytes:  "40 06 0019 01020304 0005 0000 0a0b0c0d 00000035 68656c6c6f 000000",
	value: IData{
		Flags: FlagBegin | FlagUnordered, TSN: 0x01020304, Stream: 5, MID: 0x0a0b0c0d, PPID: 0x35,
		Payload: []byte("hello"),
	},
	valid: func(n int) bool { return n > IDataHeaderSize },
	random: func(r *rand.Rand) IData {
		d := IData{
			Flags: DataFlags(r.Uint32()) & dataFlags, TSN: TSN(r.Uint32()), Stream: socket.StreamID(r.Uint32()),
			MID: MID(r.Uint32()), Payload: randomBytes(r, 1, 50),
		}
		if d.Flags&FlagBegin != 0 {
			d.PPID = socket.PPID(r.Uint32())
		} else {
			d.FSN = FSN(r.Uint32())
		}
		return d
	},
}

func TestIData(t *testing.T) { idataCodec.test(t) }
func FuzzIData(f *testing.F) { idataCodec.fuzz(f) }

// RFC 8260, section 2.1: the last word of the header is the PPID of the first
// fragment and the fragment sequence number of the others.
func TestLaterIDataFragmentsCarryTheirNumber(t *testing.T) {
	later := idataCodec
	later.bytes = "40 01 0019 01020304 0005 0000 0a0b0c0d 00000002 68656c6c6f 000000"
	later.value = IData{
		Flags: FlagEnd, TSN: 0x01020304, Stream: 5, MID: 0x0a0b0c0d, FSN: 2, Payload: []byte("hello"),
	}
	later.test(t)
}

func TestIDataWithoutUserDataTellsItsTSN(t *testing.T) {
	d, err := ParseIData(chunkOf(t, TypeIData, unhex(t, "01020304 0005 0000 0a0b0c0d 00000035")))
	assert.ErrorIs(t, err, ErrNoUserData)
	assert.Equal(t, TSN(0x01020304), d.TSN)
}
