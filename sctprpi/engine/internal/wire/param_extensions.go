package wire

// ErrorDetectionMethod names what protects packets sent without a checksum
// ("EDMID"). RFC 9653 defines one.
type ErrorDetectionMethod uint32

// DetectByDTLS says that the packets travel in DTLS records.
const DetectByDTLS ErrorDetectionMethod = 1

// AppendForwardTSNSupported adds a Forward-TSN-Supported parameter (RFC 3758,
// section 3.1), which is a parameter header and nothing else.
func (l Params) AppendForwardTSNSupported() Params { return l.append(ParamForwardTSNSupported, nil) }

// AppendZeroChecksumAcceptable adds a Zero Checksum Acceptable parameter: the
// sender takes packets without a checksum if method protects them.
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+-------------------------------+-------------------------------+
//	|         Type = 0x8001         |          Length = 8           |
//	+-------------------------------+-------------------------------+
//	|           Error Detection Method Identifier (EDMID)           |
//	+---------------------------------------------------------------+
//
// See [RFC 9653, section 4].
//
// [RFC 9653, section 4]: https://www.rfc-editor.org/rfc/rfc9653#section-4
func (l Params) AppendZeroChecksumAcceptable(method ErrorDetectionMethod) Params {
	return l.appendUint32(ParamZeroChecksumAcceptable, uint32(method))
}

var errZeroChecksum = violation("zero checksum acceptable parameter of a length other than 8")

// ZeroChecksumAcceptable decodes a Zero Checksum Acceptable parameter.
func (p Param) ZeroChecksumAcceptable() (ErrorDetectionMethod, error) {
	method, ok := p.uint32()
	if !ok {
		return 0, errZeroChecksum
	}
	return ErrorDetectionMethod(method), nil
}

// AppendSupportedExtensions adds a Supported Extensions parameter: the chunk
// types beyond RFC 9260 that the sender knows, TypeIData for example.
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+-------------------------------+-------------------------------+
//	|         Type = 0x8008         |            Length             |
//	+---------------+---------------+---------------+---------------+
//	| Chunk Type 1  | Chunk Type 2  |      ...      | Chunk Type N  |
//	+---------------+---------------+---------------+---------------+
//
// See [RFC 5061, section 4.2.7].
//
// [RFC 5061, section 4.2.7]: https://www.rfc-editor.org/rfc/rfc5061#section-4.2.7
func (l Params) AppendSupportedExtensions(types Numbers[ChunkType]) Params {
	return l.append(ParamSupportedExtensions, types)
}

// SupportedExtensions decodes a Supported Extensions parameter.
func (p Param) SupportedExtensions() Numbers[ChunkType] { return p.Value() }

// AppendPadding adds a Padding parameter that takes up size bytes of an INIT
// chunk, a multiple of 4 from 4 to 65,532; other sizes add nothing. Receivers
// ignore it.
//
// See [RFC 4820, section 4].
//
// [RFC 4820, section 4]: https://www.rfc-editor.org/rfc/rfc4820#section-4
func (l Params) AppendPadding(size int) Params {
	if size < itemHeaderSize || size != PaddedLen(size) {
		return l
	}
	list, start := openInList(l, uint16(ParamPadding))
	return closeItem(appendZeros(list, size-itemHeaderSize), start)
}
