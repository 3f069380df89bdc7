package wire

// AppendHeartbeatAck appends a HEARTBEAT ACK chunk, a HEARTBEAT chunk's
// information under type 5.
//
// See [RFC 9260, section 3.3.6].
//
// [RFC 9260, section 3.3.6]: https://www.rfc-editor.org/rfc/rfc9260#section-3.3.6
func AppendHeartbeatAck(b, info []byte) []byte { return appendHeartbeat(b, TypeHeartbeatAck, info) }

// ParseHeartbeatAck decodes a HEARTBEAT ACK chunk. The information is what the
// peer says it received: check that it is one's own before reading it.
func ParseHeartbeatAck(c Chunk) (info []byte, err error) { return ParseHeartbeat(c) }
