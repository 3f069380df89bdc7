package wire

// AppendAbort appends an ABORT chunk, which must be the last of its packet and
// share it with no DATA chunk. tBit says that the packet's verification tag is
// reflected, see Chunk.Reflected.
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+---------------+-------------+-+-------------------------------+
//	|   Type = 6    |  Reserved   |T|            Length             |
//	+---------------+-------------+-+-------------------------------+
//	\                   zero or more Error Causes                   \
//	+---------------------------------------------------------------+
//
// See [RFC 9260, section 3.3.7].
//
// [RFC 9260, section 3.3.7]: https://www.rfc-editor.org/rfc/rfc9260#section-3.3.7
func AppendAbort(b []byte, tBit bool, causes Causes) []byte {
	start := len(b)
	b = openChunk(b, TypeAbort, reflected(tBit))
	return closeChunk(append(b, causes...), start)
}

// ParseAbort decodes an ABORT chunk. One that is malformed is to be dropped,
// and no ABORT chunk is ever answered.
func ParseAbort(c Chunk) (Causes, error) { return parseCauses(c) }
