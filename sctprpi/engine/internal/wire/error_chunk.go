package wire

// AppendError appends an ERROR chunk: errors that end nothing.
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+---------------+---------------+-------------------------------+
//	|   Type = 9    |  Chunk Flags  |            Length             |
//	+---------------+---------------+-------------------------------+
//	\                    one or more Error Causes                   \
//	+---------------------------------------------------------------+
//
// See [RFC 9260, section 3.3.10].
//
// [RFC 9260, section 3.3.10]: https://www.rfc-editor.org/rfc/rfc9260#section-3.3.10
func AppendError(b []byte, causes Causes) []byte {
	start := len(b)
	b = openChunk(b, TypeError, 0)
	return closeChunk(append(b, causes...), start)
}

var errNoCause = violation("ERROR chunk without an error cause")

// ParseError decodes an ERROR chunk.
func ParseError(c Chunk) (Causes, error) {
	if len(c.Value()) == 0 {
		return nil, errNoCause
	}
	return parseCauses(c)
}
