package wire

// AppendPad appends a PAD chunk that takes up size bytes of the packet, a
// multiple of 4 from 4 to 65,532; other sizes append nothing. A receiver skips
// it, and so does one that does not know the type. With a HEARTBEAT chunk it
// makes a probe for the path MTU (RFC 8899).
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+---------------+---------------+-------------------------------+
//	|  Type = 0x84  |   Flags = 0   |            Length             |
//	+---------------+---------------+-------------------------------+
//	\                         Padding Data                          \
//	+---------------------------------------------------------------+
//
// See [RFC 4820, section 3].
//
// [RFC 4820, section 3]: https://www.rfc-editor.org/rfc/rfc4820#section-3
func AppendPad(b []byte, size int) []byte {
	if size < itemHeaderSize || size != PaddedLen(size) {
		return b
	}
	start := len(b)
	b = openChunk(b, TypePad, 0)
	return closeChunk(appendZeros(b, size-itemHeaderSize), start)
}
