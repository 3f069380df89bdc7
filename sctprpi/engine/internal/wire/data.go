package wire

import (
	"encoding/binary"
	"math"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// DataFlags are the chunk flags of a DATA or I-DATA chunk.
type DataFlags uint8

// FlagBegin with FlagEnd marks a message that is not fragmented.
const (
	// FlagEnd marks the last fragment of a message.
	FlagEnd DataFlags = 1 << iota
	// FlagBegin marks the first fragment of a message.
	FlagBegin
	// FlagUnordered marks a message outside its stream's order.
	FlagUnordered
	// FlagImmediate asks for a SACK without delay.
	FlagImmediate

	dataFlags = FlagEnd | FlagBegin | FlagUnordered | FlagImmediate
)

// DataHeaderSize is the length in bytes of a DATA chunk before its user data,
// and MaxDataPayload the most user data that its length field can count.
const (
	DataHeaderSize = 16
	MaxDataPayload = math.MaxUint16 - DataHeaderSize
)

// Data is a DATA chunk: a message or a fragment of one.
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+---------------+-------+-+-+-+-+-------------------------------+
//	|   Type = 0    |  Res  |I|U|B|E|            Length             |
//	+---------------+-------+-+-+-+-+-------------------------------+
//	|                              TSN                              |
//	+-------------------------------+-------------------------------+
//	|       Stream Identifier       |    Stream Sequence Number     |
//	+-------------------------------+-------------------------------+
//	|                  Payload Protocol Identifier                  |
//	+---------------------------------------------------------------+
//	\                           User Data                           \
//	+---------------------------------------------------------------+
//
// See [RFC 9260, section 3.3.1].
//
// [RFC 9260, section 3.3.1]: https://www.rfc-editor.org/rfc/rfc9260#section-3.3.1
type Data struct {
	Flags  DataFlags
	TSN    TSN
	Stream socket.StreamID
	// SSN means nothing in an unordered message.
	SSN  SSN
	PPID socket.PPID
	// Payload is a view of the packet.
	Payload []byte
}

// AppendDataHeader appends the header, DataHeaderSize bytes, of a DATA chunk
// with payloadLen bytes of user data, 1 to MaxDataPayload. The user data is to
// follow it, as d.Payload or from wherever the caller has it, and after that
// the padding. A payload longer than that has no header: nothing is appended.
func AppendDataHeader(b []byte, d *Data, payloadLen int) []byte {
	if payloadLen > MaxDataPayload {
		return b
	}
	b = append(b, byte(TypeData), byte(d.Flags))
	b = binary.BigEndian.AppendUint16(b, uint16(DataHeaderSize+payloadLen))
	b = binary.BigEndian.AppendUint32(b, uint32(d.TSN))
	b = binary.BigEndian.AppendUint16(b, uint16(d.Stream))
	b = binary.BigEndian.AppendUint16(b, uint16(d.SSN))
	return binary.BigEndian.AppendUint32(b, uint32(d.PPID))
}

var errDataLength = violation("DATA chunk shorter than its header")

// ParseData decodes a DATA chunk. With ErrNoUserData the Data is whole but for
// its payload.
func ParseData(c Chunk) (Data, error) {
	raw := c.raw
	if len(raw) < DataHeaderSize {
		return Data{}, errDataLength
	}
	d := Data{
		Flags:   DataFlags(c.Flags) & dataFlags,
		TSN:     TSN(binary.BigEndian.Uint32(raw[4:])),
		Stream:  socket.StreamID(binary.BigEndian.Uint16(raw[8:])),
		SSN:     SSN(binary.BigEndian.Uint16(raw[10:])),
		PPID:    socket.PPID(binary.BigEndian.Uint32(raw[12:])),
		Payload: raw[DataHeaderSize:],
	}
	if len(d.Payload) == 0 {
		return d, ErrNoUserData
	}
	return d, nil
}
