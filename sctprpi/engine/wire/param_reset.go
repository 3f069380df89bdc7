package wire

import "encoding/binary"

// OutgoingReset is an Outgoing SSN Reset Request parameter: its sender wants
// to start streams that it sends on again at SSN 0.
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+-------------------------------+-------------------------------+
//	|     Parameter Type = 13       | Parameter Length = 16 + 2 * N |
//	+-------------------------------+-------------------------------+
//	|           Re-configuration Request Sequence Number            |
//	+---------------------------------------------------------------+
//	|           Re-configuration Response Sequence Number           |
//	+---------------------------------------------------------------+
//	|                Sender's Last Assigned TSN                     |
//	+-------------------------------+-------------------------------+
//	|  Stream Number 1 (optional)   |    Stream Number 2 (optional) |
//	+-------------------------------+-------------------------------+
//
// See [RFC 6525, section 4.1].
//
// [RFC 6525, section 4.1]: https://www.rfc-editor.org/rfc/rfc6525#section-4.1
type OutgoingReset struct {
	Request RequestSeq
	// Response is the number of the IncomingReset that asked for this; else
	// the number before the one that the peer's next request will have.
	Response RequestSeq
	// LastTSN is the last TSN that the sender gave out before the reset.
	LastTSN TSN
	// Streams is empty to mean all.
	Streams Numbers[StreamID]
}

const outgoingResetHeaderSize = 16

// AppendOutgoingReset adds an Outgoing SSN Reset Request parameter.
func (l Params) AppendOutgoingReset(r *OutgoingReset) Params {
	list, start := openInList(l, uint16(ParamOutgoingReset))
	list = binary.BigEndian.AppendUint32(list, uint32(r.Request))
	list = binary.BigEndian.AppendUint32(list, uint32(r.Response))
	list = binary.BigEndian.AppendUint32(list, uint32(r.LastTSN))
	return closeItem(append(list, r.Streams...), start)
}

var errOutgoingReset = violation("outgoing SSN reset request parameter too short or with half a stream number")

// OutgoingReset decodes an Outgoing SSN Reset Request parameter.
func (p Param) OutgoingReset() (OutgoingReset, error) {
	raw := p.raw
	if len(raw) < outgoingResetHeaderSize || len(raw)%2 != 0 {
		return OutgoingReset{}, errOutgoingReset
	}
	return OutgoingReset{
		Request:  RequestSeq(binary.BigEndian.Uint32(raw[4:])),
		Response: RequestSeq(binary.BigEndian.Uint32(raw[8:])),
		LastTSN:  TSN(binary.BigEndian.Uint32(raw[12:])),
		Streams:  raw[outgoingResetHeaderSize:],
	}, nil
}

// IncomingReset is an Incoming SSN Reset Request parameter: its sender wants
// the peer to reset streams that the peer sends on.
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+-------------------------------+-------------------------------+
//	|     Parameter Type = 14       |  Parameter Length = 8 + 2 * N |
//	+-------------------------------+-------------------------------+
//	|          Re-configuration Request Sequence Number             |
//	+-------------------------------+-------------------------------+
//	|  Stream Number 1 (optional)   |    Stream Number 2 (optional) |
//	+-------------------------------+-------------------------------+
//
// See [RFC 6525, section 4.2].
//
// [RFC 6525, section 4.2]: https://www.rfc-editor.org/rfc/rfc6525#section-4.2
type IncomingReset struct {
	Request RequestSeq
	// Streams is empty to mean all.
	Streams Numbers[StreamID]
}

const incomingResetHeaderSize = 8

// AppendIncomingReset adds an Incoming SSN Reset Request parameter.
func (l Params) AppendIncomingReset(r *IncomingReset) Params {
	list, start := openInList(l, uint16(ParamIncomingReset))
	list = binary.BigEndian.AppendUint32(list, uint32(r.Request))
	return closeItem(append(list, r.Streams...), start)
}

var errIncomingReset = violation("incoming SSN reset request parameter too short or with half a stream number")

// IncomingReset decodes an Incoming SSN Reset Request parameter.
func (p Param) IncomingReset() (IncomingReset, error) {
	raw := p.raw
	if len(raw) < incomingResetHeaderSize || len(raw)%2 != 0 {
		return IncomingReset{}, errIncomingReset
	}
	return IncomingReset{
		Request: RequestSeq(binary.BigEndian.Uint32(raw[4:])),
		Streams: raw[incomingResetHeaderSize:],
	}, nil
}

// AppendAssociationReset adds an SSN/TSN Reset Request parameter: its sender
// wants to start all streams and the TSNs of both sides anew.
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+-------------------------------+-------------------------------+
//	|     Parameter Type = 15       |     Parameter Length = 8      |
//	+-------------------------------+-------------------------------+
//	|         Re-configuration Request Sequence Number              |
//	+---------------------------------------------------------------+
//
// See [RFC 6525, section 4.3].
//
// [RFC 6525, section 4.3]: https://www.rfc-editor.org/rfc/rfc6525#section-4.3
func (l Params) AppendAssociationReset(request RequestSeq) Params {
	return l.appendUint32(ParamAssociationReset, uint32(request))
}

var errAssociationReset = violation("SSN/TSN reset request parameter of a length other than 8")

// AssociationReset decodes an SSN/TSN Reset Request parameter.
func (p Param) AssociationReset() (RequestSeq, error) {
	request, ok := p.uint32()
	if !ok {
		return 0, errAssociationReset
	}
	return RequestSeq(request), nil
}
