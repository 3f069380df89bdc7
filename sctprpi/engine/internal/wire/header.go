package wire

import "encoding/binary"

// HeaderSize is the length of the common header in bytes.
const HeaderSize = 12

// Header is the common header of a packet, but for its checksum, which
// SetChecksum and VerifyChecksum look after.
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+-------------------------------+-------------------------------+
//	|      Source Port Number       |    Destination Port Number    |
//	+-------------------------------+-------------------------------+
//	|                       Verification Tag                        |
//	+---------------------------------------------------------------+
//	|                           Checksum                            |
//	+---------------------------------------------------------------+
//
// See [RFC 9260, section 3.1].
//
// [RFC 9260, section 3.1]: https://www.rfc-editor.org/rfc/rfc9260#section-3.1
type Header struct {
	// SourcePort and DestinationPort are SCTP ports, never 0. Under UDP
	// encapsulation (RFC 6951) they have nothing to do with the UDP ports.
	SourcePort, DestinationPort uint16
	// Tag is the receiver's initiate tag; 0 in a packet with an INIT chunk.
	Tag VerificationTag
}

// AppendHeader appends the encoding of h, HeaderSize bytes, to b. The
// checksum is left 0.
func AppendHeader(b []byte, h Header) []byte {
	b = binary.BigEndian.AppendUint16(b, h.SourcePort)
	b = binary.BigEndian.AppendUint16(b, h.DestinationPort)
	b = binary.BigEndian.AppendUint32(b, uint32(h.Tag))
	return append(b, zeroField[:]...)
}

func parseHeader(b []byte) Header {
	return Header{
		SourcePort:      binary.BigEndian.Uint16(b),
		DestinationPort: binary.BigEndian.Uint16(b[2:]),
		Tag:             VerificationTag(binary.BigEndian.Uint32(b[4:])),
	}
}
