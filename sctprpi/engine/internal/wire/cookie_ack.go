package wire

// AppendCookieAck appends a COOKIE ACK chunk, which is a chunk header and
// nothing else. DATA and SACK chunks of the packet come after it.
//
// See [RFC 9260, section 3.3.12].
//
// [RFC 9260, section 3.3.12]: https://www.rfc-editor.org/rfc/rfc9260#section-3.3.12
func AppendCookieAck(b []byte) []byte { return appendBareChunk(b, TypeCookieAck, 0) }

// ParseCookieAck checks a COOKIE ACK chunk.
func ParseCookieAck(c Chunk) error { return parseBareChunk(c) }
