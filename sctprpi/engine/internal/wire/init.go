package wire

import "encoding/binary"

// MinWindow is the least receiver window, in bytes, that an INIT or INIT ACK
// chunk may advertise.
const MinWindow = 1500

const initHeaderSize = 20

// Init is an INIT chunk, and an INIT ACK chunk, which has the same form.
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+---------------+---------------+-------------------------------+
//	|   Type = 1    |  Chunk Flags  |         Chunk Length          |
//	+---------------+---------------+-------------------------------+
//	|                         Initiate Tag                          |
//	+---------------------------------------------------------------+
//	|          Advertised Receiver Window Credit (a_rwnd)           |
//	+-------------------------------+-------------------------------+
//	|  Number of Outbound Streams   |   Number of Inbound Streams   |
//	+-------------------------------+-------------------------------+
//	|                          Initial TSN                          |
//	+---------------------------------------------------------------+
//	\              Optional/Variable-Length Parameters              \
//	+---------------------------------------------------------------+
//
// See [RFC 9260, section 3.3.2].
//
// [RFC 9260, section 3.3.2]: https://www.rfc-editor.org/rfc/rfc9260#section-3.3.2
type Init struct {
	// Tag is what packets to the sender are to carry; never 0.
	Tag VerificationTag
	// Window is the sender's receive buffer in bytes, MinWindow or more.
	Window uint32
	// OutStreams is how many streams the sender wants to send on, InStreams
	// how many it accepts; neither is 0.
	OutStreams, InStreams uint16
	// TSN is the first TSN that the sender will use.
	TSN TSN
	// Params is well formed; how many of them to heed, addresses for example,
	// is the caller's bound to set.
	Params Params
}

// AppendInit appends an INIT chunk.
func AppendInit(b []byte, i *Init) []byte { return appendInit(b, TypeInit, i) }

func appendInit(b []byte, t ChunkType, i *Init) []byte {
	start := len(b)
	b = openChunk(b, t, 0)
	b = binary.BigEndian.AppendUint32(b, uint32(i.Tag))
	b = binary.BigEndian.AppendUint32(b, i.Window)
	b = binary.BigEndian.AppendUint16(b, i.OutStreams)
	b = binary.BigEndian.AppendUint16(b, i.InStreams)
	b = binary.BigEndian.AppendUint32(b, uint32(i.TSN))
	b = append(b, i.Params...)
	return closeChunk(b, start)
}

var errInitLength = violation("INIT or INIT ACK chunk shorter than its mandatory fields")

// ParseInit decodes an INIT chunk. Whenever the mandatory fields are there
// the Init holds them, whatever the error, so that an ABORT chunk can be sent
// with its tag.
//
// Errors with a meaning of their own: ErrZeroInitiateTag, ErrSmallWindow,
// ErrNoStreams.
func ParseInit(c Chunk) (Init, error) {
	raw := c.raw
	if len(raw) < initHeaderSize {
		return Init{}, errInitLength
	}
	i := Init{
		Tag:        VerificationTag(binary.BigEndian.Uint32(raw[4:])),
		Window:     binary.BigEndian.Uint32(raw[8:]),
		OutStreams: binary.BigEndian.Uint16(raw[12:]),
		InStreams:  binary.BigEndian.Uint16(raw[14:]),
		TSN:        TSN(binary.BigEndian.Uint32(raw[16:])),
	}
	switch params := raw[initHeaderSize:]; {
	case i.Tag == 0:
		return i, ErrZeroInitiateTag
	case i.Window < MinWindow:
		return i, ErrSmallWindow
	case i.OutStreams == 0 || i.InStreams == 0:
		return i, ErrNoStreams
	case !wellFormed(params):
		return i, errParamLength
	default:
		i.Params = params
		return i, nil
	}
}
