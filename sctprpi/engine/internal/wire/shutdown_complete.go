package wire

// AppendShutdownComplete appends a SHUTDOWN COMPLETE chunk, which must be
// alone in its packet. tBit says that the packet's verification tag is
// reflected, see Chunk.Reflected.
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+---------------+-------------+-+-------------------------------+
//	|   Type = 14   |  Reserved   |T|          Length = 4           |
//	+---------------+-------------+-+-------------------------------+
//
// See [RFC 9260, section 3.3.13].
//
// [RFC 9260, section 3.3.13]: https://www.rfc-editor.org/rfc/rfc9260#section-3.3.13
func AppendShutdownComplete(b []byte, tBit bool) []byte {
	return appendBareChunk(b, TypeShutdownComplete, reflected(tBit))
}

// ParseShutdownComplete checks a SHUTDOWN COMPLETE chunk.
func ParseShutdownComplete(c Chunk) error { return parseBareChunk(c) }
