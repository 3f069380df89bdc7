package wire

import (
	"encoding/binary"
	"math"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// IDataHeaderSize is the length in bytes of an I-DATA chunk before its user
// data, and MaxIDataPayload the most user data that its length field can count.
const (
	IDataHeaderSize = 20
	MaxIDataPayload = math.MaxUint16 - IDataHeaderSize
)

// IData is an I-DATA chunk: a message or a fragment of one, which may be
// interleaved with fragments of other messages.
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+---------------+-------+-+-+-+-+-------------------------------+
//	|   Type = 64   |  Res  |I|U|B|E|            Length             |
//	+---------------+-------+-+-+-+-+-------------------------------+
//	|                              TSN                              |
//	+-------------------------------+-------------------------------+
//	|       Stream Identifier       |           Reserved            |
//	+-------------------------------+-------------------------------+
//	|                      Message Identifier                       |
//	+---------------------------------------------------------------+
//	|     B: Payload Protocol Identifier, else: Fragment Number     |
//	+---------------------------------------------------------------+
//	\                           User Data                           \
//	+---------------------------------------------------------------+
//
// See [RFC 8260, section 2.1].
//
// [RFC 8260, section 2.1]: https://www.rfc-editor.org/rfc/rfc8260#section-2.1
type IData struct {
	Flags  DataFlags
	TSN    TSN
	Stream socket.StreamID
	MID    MID
	// PPID travels with the first fragment only and is 0 in the others.
	PPID socket.PPID
	// FSN is 0 in the first fragment.
	FSN FSN
	// Payload is a view of the packet.
	Payload []byte
}

// AppendIDataHeader appends the header, IDataHeaderSize bytes, of an I-DATA
// chunk with payloadLen bytes of user data, 1 to MaxIDataPayload. The user
// data is to follow it, as d.Payload or from wherever the caller has it, and
// after that the padding. A payload longer than that has no header: nothing is
// appended.
func AppendIDataHeader(b []byte, d *IData, payloadLen int) []byte {
	if payloadLen > MaxIDataPayload {
		return b
	}
	last := uint32(d.FSN)
	if d.Flags&FlagBegin != 0 {
		last = uint32(d.PPID)
	}
	b = append(b, byte(TypeIData), byte(d.Flags))
	b = binary.BigEndian.AppendUint16(b, uint16(IDataHeaderSize+payloadLen))
	b = binary.BigEndian.AppendUint32(b, uint32(d.TSN))
	b = binary.BigEndian.AppendUint16(b, uint16(d.Stream))
	b = append(b, 0, 0)
	b = binary.BigEndian.AppendUint32(b, uint32(d.MID))
	return binary.BigEndian.AppendUint32(b, last)
}

var errIDataLength = violation("I-DATA chunk shorter than its header")

// ParseIData decodes an I-DATA chunk. With ErrNoUserData the IData is whole
// but for its payload.
func ParseIData(c Chunk) (IData, error) {
	raw := c.raw
	if len(raw) < IDataHeaderSize {
		return IData{}, errIDataLength
	}
	d := IData{
		Flags:   DataFlags(c.Flags) & dataFlags,
		TSN:     TSN(binary.BigEndian.Uint32(raw[4:])),
		Stream:  socket.StreamID(binary.BigEndian.Uint16(raw[8:])),
		MID:     MID(binary.BigEndian.Uint32(raw[12:])),
		Payload: raw[IDataHeaderSize:],
	}
	last := binary.BigEndian.Uint32(raw[16:])
	if d.Flags&FlagBegin != 0 {
		d.PPID = socket.PPID(last)
	} else {
		d.FSN = FSN(last)
	}
	if len(d.Payload) == 0 {
		return d, ErrNoUserData
	}
	return d, nil
}
