package wire

// AppendShutdownAck appends a SHUTDOWN ACK chunk, which is a chunk header and
// nothing else.
//
// See [RFC 9260, section 3.3.9].
//
// [RFC 9260, section 3.3.9]: https://www.rfc-editor.org/rfc/rfc9260#section-3.3.9
func AppendShutdownAck(b []byte) []byte { return appendBareChunk(b, TypeShutdownAck, 0) }

var errNotBare = violation("SHUTDOWN ACK, SHUTDOWN COMPLETE or COOKIE ACK chunk with a value")

// ParseShutdownAck checks a SHUTDOWN ACK chunk.
func ParseShutdownAck(c Chunk) error { return parseBareChunk(c) }

func parseBareChunk(c Chunk) error {
	if len(c.Value()) != 0 {
		return errNotBare
	}
	return nil
}
