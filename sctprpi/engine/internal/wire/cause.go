package wire

import (
	"iter"
	"strconv"
)

// CauseCode says what an error cause reports.
//
// See [RFC 9260, section 3.3.10].
//
// [RFC 9260, section 3.3.10]: https://www.rfc-editor.org/rfc/rfc9260#section-3.3.10
type CauseCode uint16

// The cause codes of RFC 9260.
const (
	CauseInvalidStream CauseCode = 1 + iota
	CauseMissingMandatoryParameter
	CauseStaleCookie
	CauseOutOfResource
	CauseUnresolvableAddress
	CauseUnrecognizedChunk
	CauseInvalidMandatoryParameter
	CauseUnrecognizedParameters
	CauseNoUserData
	CauseCookieWhileShuttingDown
	CauseRestartWithNewAddresses
	CauseUserAbort
	CauseProtocolViolation
	causeEnd
)

var causeNames = [causeEnd]string{
	CauseInvalidStream:             "Invalid Stream Identifier",
	CauseMissingMandatoryParameter: "Missing Mandatory Parameter",
	CauseStaleCookie:               "Stale Cookie",
	CauseOutOfResource:             "Out of Resource",
	CauseUnresolvableAddress:       "Unresolvable Address",
	CauseUnrecognizedChunk:         "Unrecognized Chunk Type",
	CauseInvalidMandatoryParameter: "Invalid Mandatory Parameter",
	CauseUnrecognizedParameters:    "Unrecognized Parameters",
	CauseNoUserData:                "No User Data",
	CauseCookieWhileShuttingDown:   "Cookie Received While Shutting Down",
	CauseRestartWithNewAddresses:   "Restart of an Association with New Addresses",
	CauseUserAbort:                 "User-Initiated Abort",
	CauseProtocolViolation:         "Protocol Violation",
}

func (c CauseCode) String() string {
	if 0 < c && c < causeEnd {
		return causeNames[c]
	}
	return "cause code " + strconv.Itoa(int(c))
}

// Cause is an error cause in an ERROR or ABORT chunk: a view, nothing is
// copied.
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+-------------------------------+-------------------------------+
//	|          Cause Code           |         Cause Length          |
//	+-------------------------------+-------------------------------+
//	\                  Cause-Specific Information                   \
//	+---------------------------------------------------------------+
type Cause struct {
	Code CauseCode
	raw  []byte
}

// Info returns the cause-specific information, without padding. Of a
// User-Initiated Abort cause it is the user's reason, of a Protocol Violation
// cause a remark, of an Unrecognized Chunk Type cause the chunk, of an
// Unresolvable Address cause the parameter: perhaps cut short by the peer.
func (c Cause) Info() []byte { return itemValue(c.raw) }

var errCauseLength = violation("error cause length shorter than its header or beyond the end of the chunk")

// Causes is a list of error causes in the form that it has on the wire, the
// last one without its padding. What a Parse function returns is well formed:
// All reaches its end. The zero Causes is an empty list; Append methods add to
// it. The caller keeps the list within a packet; a cause of more than 65,535
// bytes is not added at all.
type Causes []byte

// parseCauses decodes the value of an ERROR or ABORT chunk.
func parseCauses(c Chunk) (Causes, error) {
	if !wellFormed(c.Value()) {
		return nil, errCauseLength
	}
	return c.Value(), nil
}

// All walks the causes in order, those of unknown codes among them.
func (l Causes) All() iter.Seq[Cause] {
	return func(yield func(Cause) bool) {
		for b := []byte(l); len(b) > 0; {
			raw, rest, ok := cut(b)
			if !ok || !yield(Cause{Code: CauseCode(raw[0])<<8 | CauseCode(raw[1]), raw: raw}) {
				return
			}
			b = rest
		}
	}
}

func (l Causes) append(c CauseCode, info []byte) Causes { return appendToList(l, uint16(c), info) }
