package wire

// AppendECNE appends an ECNE chunk: the packet with lowest, the lowest TSN of
// those not reported so far, came with the mark of a congested router. It is
// repeated until a CWR chunk answers.
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+---------------+---------------+-------------------------------+
//	|   Type = 12   |  Chunk Flags  |          Length = 8           |
//	+---------------+---------------+-------------------------------+
//	|                       Lowest TSN Number                       |
//	+---------------------------------------------------------------+
//
// RFC 9260 reserves the type; the form is that of [RFC 4960, appendix A].
//
// [RFC 4960, appendix A]: https://www.rfc-editor.org/rfc/rfc4960#appendix-A
func AppendECNE(b []byte, lowest TSN) []byte { return appendTSNChunk(b, TypeECNE, lowest) }

// ParseECNE decodes an ECNE chunk.
func ParseECNE(c Chunk) (lowest TSN, err error) { return parseTSNChunk(c) }
