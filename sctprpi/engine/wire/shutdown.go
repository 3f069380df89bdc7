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
	return appendTSNChunk(b, TypeShutdown, cumulative)
}

// ParseShutdown decodes a SHUTDOWN chunk.
func ParseShutdown(c Chunk) (cumulative TSN, err error) { return parseTSNChunk(c) }

// SHUTDOWN, ECNE and CWR chunks are a TSN each.

const tsnChunkSize = 8

func appendTSNChunk(b []byte, t ChunkType, tsn TSN) []byte {
	b = append(b, byte(t), 0, 0, tsnChunkSize)
	return binary.BigEndian.AppendUint32(b, uint32(tsn))
}

var errTSNChunkLength = violation("SHUTDOWN, ECNE or CWR chunk of a length other than 8")

func parseTSNChunk(c Chunk) (TSN, error) {
	if len(c.raw) != tsnChunkSize {
		return 0, errTSNChunkLength
	}
	return TSN(binary.BigEndian.Uint32(c.raw[itemHeaderSize:])), nil
}
