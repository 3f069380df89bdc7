package wire

import "encoding/binary"

// AppendECNE appends an ECN-Echo chunk: the network has marked a packet whose lowest TSN is lowest (explicit congestion notification, RFC
// 3168).
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+---------------+---------------+-------------------------------+
//	|   Type = 12   |  Chunk Flags  |          Length = 8           |
//	+---------------+---------------+-------------------------------+
//	|                          Lowest TSN                           |
//	+---------------------------------------------------------------+
//
// RFC 9260, section 3.2, reserves the type. The form is that of [RFC 4960, appendix A], which Linux has.
//
// [RFC 4960, appendix A]: https://www.rfc-editor.org/rfc/rfc4960#appendix-A
func AppendECNE(b []byte, lowest TSN) []byte {
	b = append(b, byte(TypeECNE), 0, 0, ECNESize)
	return binary.BigEndian.AppendUint32(b, uint32(lowest))
}

// ECNESize is the length of an ECNE chunk in bytes, longECNESize what it is if its sender also counts marked packets
// (draft-stewart-tsvwg-sctpecn), as FreeBSD does.
const (
	ECNESize     = 8
	longECNESize = 12
	cwrSize      = 8
)

var (
	errECNELength = violation("ECNE chunk of a length other than 8 or 12")
	errCWRLength  = violation("CWR chunk of a length other than 8")
)

// ParseECNE decodes an ECNE chunk. It passes over the count of a long one.
func ParseECNE(c Chunk) (lowest TSN, err error) {
	if len(c.raw) != ECNESize && len(c.raw) != longECNESize {
		return 0, errECNELength
	}
	return TSN(binary.BigEndian.Uint32(c.raw[itemHeaderSize:])), nil
}

// AppendCWR appends a CWR (Congestion Window Reduced) chunk, which answers an ECNE chunk with the same TSN. It has the same form, with type
// 13.
func AppendCWR(b []byte, lowest TSN) []byte {
	b = append(b, byte(TypeCWR), 0, 0, cwrSize)
	return binary.BigEndian.AppendUint32(b, uint32(lowest))
}

// ParseCWR decodes a CWR chunk.
func ParseCWR(c Chunk) (lowest TSN, err error) {
	if len(c.raw) != cwrSize {
		return 0, errCWRLength
	}
	return TSN(binary.BigEndian.Uint32(c.raw[itemHeaderSize:])), nil
}

// AppendECNCapable adds an ECN Capable parameter: its sender echoes marks, and understands echoes.
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+-------------------------------+-------------------------------+
//	|         Type = 0x8000         |          Length = 4           |
//	+-------------------------------+-------------------------------+
func (l Params) AppendECNCapable() Params { return l.append(ParamECNCapable, nil) }

var errECNCapable = violation("ECN capable parameter of a length other than 4")

// ECNCapable checks an ECN Capable parameter.
func (p Param) ECNCapable() error {
	if len(p.Value()) != 0 {
		return errECNCapable
	}
	return nil
}
