package wire

import "encoding/binary"

// AppendShutdown appends a SHUTDOWN chunk, which acknowledges all TSNs up to
// cumulative.
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+---------------+---------------+-------------------------------+
//	|   Type = 7    |  Chunk Flags  |          Length = 8           |
//	+---------------+---------------+-------------------------------+
//	|                      Cumulative TSN Ack                       |
//	+---------------------------------------------------------------+
//
// See [RFC 9260, section 3.3.8].
//
// [RFC 9260, section 3.3.8]: https://www.rfc-editor.org/rfc/rfc9260#section-3.3.8
func AppendShutdown(b []byte, cumulative TSN) []byte {
	b = append(b, byte(TypeShutdown), 0, 0, shutdownSize)
	return binary.BigEndian.AppendUint32(b, uint32(cumulative))
}

const shutdownSize = 8

var errShutdownLength = violation("SHUTDOWN chunk of a length other than 8")

// ParseShutdown decodes a SHUTDOWN chunk.
func ParseShutdown(c Chunk) (cumulative TSN, err error) {
	if len(c.raw) != shutdownSize {
		return 0, errShutdownLength
	}
	return TSN(binary.BigEndian.Uint32(c.raw[itemHeaderSize:])), nil
}
