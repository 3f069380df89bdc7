package wire

// AppendCookieEcho appends a COOKIE ECHO chunk with the cookie of the INIT ACK
// chunk as it was. It must be the first of its packet.
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+---------------+---------------+-------------------------------+
//	|   Type = 10   |  Chunk Flags  |            Length             |
//	+---------------+---------------+-------------------------------+
//	\                            Cookie                             \
//	+---------------------------------------------------------------+
//
// See [RFC 9260, section 3.3.11].
//
// [RFC 9260, section 3.3.11]: https://www.rfc-editor.org/rfc/rfc9260#section-3.3.11
func AppendCookieEcho(b, cookie []byte) []byte {
	start := len(b)
	b = openChunk(b, TypeCookieEcho, 0)
	return closeChunk(append(b, cookie...), start)
}

// ParseCookieEcho decodes a COOKIE ECHO chunk. The cookie is a view of the packet. It may be
// forged: authenticate it before reading it.
//
// Error: ErrEmptyCookieEcho.
func ParseCookieEcho(c Chunk) (cookie []byte, err error) {
	if len(c.Value()) == 0 {
		return nil, ErrEmptyCookieEcho
	}
	return c.Value(), nil
}
