package wire

// AppendHeartbeat appends a HEARTBEAT chunk with that sender-specific
// information, which the peer returns as it is.
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+---------------+---------------+-------------------------------+
//	|   Type = 4    |  Chunk Flags  |       Heartbeat Length        |
//	+---------------+---------------+-------------------------------+
//	|    Heartbeat Info Type = 1    |        HB Info Length         |
//	+-------------------------------+-------------------------------+
//	\                Sender-Specific Heartbeat Info                 \
//	+---------------------------------------------------------------+
//
// See [RFC 9260, section 3.3.5].
//
// [RFC 9260, section 3.3.5]: https://www.rfc-editor.org/rfc/rfc9260#section-3.3.5
func AppendHeartbeat(b, info []byte) []byte { return appendHeartbeat(b, TypeHeartbeat, info) }

func appendHeartbeat(b []byte, t ChunkType, info []byte) []byte {
	start := len(b)
	b = openChunk(b, t, 0)
	param := len(b)
	b = openItem(b, uint16(ParamHeartbeatInfo))
	b = closeItem(append(b, info...), param)
	return closeChunk(b, start)
}

var errHeartbeat = violation("HEARTBEAT or HEARTBEAT ACK chunk is not one heartbeat information parameter")

// ParseHeartbeat decodes a HEARTBEAT chunk: the information in it is to go
// back in a HEARTBEAT ACK chunk. It is a view, and as long as the peer pleases.
func ParseHeartbeat(c Chunk) (info []byte, err error) {
	p, rest, ok := cutParam(c.Value())
	if !ok || len(rest) > 0 || p.Type != ParamHeartbeatInfo {
		return nil, errHeartbeat
	}
	return p.Value(), nil
}
