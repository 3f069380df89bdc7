package wire

import (
	"encoding/binary"
	"strconv"
)

// ReconfigResult says what became of a re-configuration request.
//
// See [RFC 6525, section 4.4].
//
// [RFC 6525, section 4.4]: https://www.rfc-editor.org/rfc/rfc6525#section-4.4
type ReconfigResult uint32

// The results of RFC 6525.
const (
	ResultNothingToDo ReconfigResult = iota
	ResultPerformed
	ResultDenied
	ResultWrongSSN
	ResultRequestInProgress
	ResultBadSequenceNumber
	ResultInProgress
	resultEnd
)

var resultNames = [resultEnd]string{
	"nothing to do", "performed", "denied", "wrong SSN", "another request in progress",
	"bad sequence number", "in progress",
}

func (r ReconfigResult) String() string {
	if r < resultEnd {
		return resultNames[r]
	}
	return "result " + strconv.FormatUint(uint64(r), 10)
}

// ReconfigResponse is a Re-configuration Response parameter.
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+-------------------------------+-------------------------------+
//	|     Parameter Type = 16       |  Parameter Length = 12 or 20  |
//	+-------------------------------+-------------------------------+
//	|         Re-configuration Response Sequence Number             |
//	+---------------------------------------------------------------+
//	|                            Result                             |
//	+---------------------------------------------------------------+
//	|                   Sender's Next TSN (optional)                |
//	+---------------------------------------------------------------+
//	|                  Receiver's Next TSN (optional)               |
//	+---------------------------------------------------------------+
//
// See [RFC 6525, section 4.4].
//
// [RFC 6525, section 4.4]: https://www.rfc-editor.org/rfc/rfc6525#section-4.4
type ReconfigResponse struct {
	// Response is the number of the request.
	Response RequestSeq
	Result   ReconfigResult
	// HasTSNs: the TSNs below are there, as they are in the answer to an
	// association reset that was performed.
	HasTSNs                        bool
	SenderNextTSN, ReceiverNextTSN TSN
}

const (
	reconfigResponseSize         = 12
	reconfigResponseWithTSNsSize = 20
)

// AppendReconfigResponse adds a Re-configuration Response parameter.
func (l Params) AppendReconfigResponse(r *ReconfigResponse) Params {
	list, start := openInList(l, uint16(ParamReconfigResponse))
	list = binary.BigEndian.AppendUint32(list, uint32(r.Response))
	list = binary.BigEndian.AppendUint32(list, uint32(r.Result))
	if r.HasTSNs {
		list = binary.BigEndian.AppendUint32(list, uint32(r.SenderNextTSN))
		list = binary.BigEndian.AppendUint32(list, uint32(r.ReceiverNextTSN))
	}
	return closeItem(list, start)
}

var errReconfigResponse = violation("re-configuration response parameter of a length other than 12 or 20")

// ReconfigResponse decodes a Re-configuration Response parameter.
func (p Param) ReconfigResponse() (ReconfigResponse, error) {
	raw := p.raw
	if len(raw) != reconfigResponseSize && len(raw) != reconfigResponseWithTSNsSize {
		return ReconfigResponse{}, errReconfigResponse
	}
	r := ReconfigResponse{
		Response: RequestSeq(binary.BigEndian.Uint32(raw[4:])),
		Result:   ReconfigResult(binary.BigEndian.Uint32(raw[8:])),
	}
	if len(raw) == reconfigResponseWithTSNsSize {
		r.HasTSNs = true
		r.SenderNextTSN = TSN(binary.BigEndian.Uint32(raw[12:]))
		r.ReceiverNextTSN = TSN(binary.BigEndian.Uint32(raw[16:]))
	}
	return r, nil
}
