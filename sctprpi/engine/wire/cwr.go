package wire

// AppendCWR appends a CWR chunk: the congestion window has been reduced
// because of an ECNE chunk that named lowest.
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+---------------+---------------+-------------------------------+
//	|   Type = 13   |  Chunk Flags  |          Length = 8           |
//	+---------------+---------------+-------------------------------+
//	|                       Lowest TSN Number                       |
//	+---------------------------------------------------------------+
//
// RFC 9260 reserves the type; the form is that of [RFC 4960, appendix A].
//
// [RFC 4960, appendix A]: https://www.rfc-editor.org/rfc/rfc4960#appendix-A
func AppendCWR(b []byte, lowest TSN) []byte { return appendTSNChunk(b, TypeCWR, lowest) }

// ParseCWR decodes a CWR chunk.
func ParseCWR(c Chunk) (lowest TSN, err error) { return parseTSNChunk(c) }
