package wire

import (
	"encoding/binary"
	"math"
	"time"
)

// AppendStateCookie adds a State Cookie parameter. ParseInitAck finds it.
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+-------------------------------+-------------------------------+
//	|           Type = 7            |            Length             |
//	+-------------------------------+-------------------------------+
//	\                            Cookie                             \
//	+---------------------------------------------------------------+
//
// See [RFC 9260, section 3.3.3.1.1].
//
// [RFC 9260, section 3.3.3.1.1]: https://www.rfc-editor.org/rfc/rfc9260#section-3.3.3.1.1
func (l Params) AppendStateCookie(cookie []byte) Params { return l.append(ParamStateCookie, cookie) }

// AppendCookiePreservative adds a Cookie Preservative parameter: the wish that
// the state cookie live longer, by increment in whole milliseconds, 0 to about
// 49 days.
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+-------------------------------+-------------------------------+
//	|           Type = 9            |          Length = 8           |
//	+-------------------------------+-------------------------------+
//	|         Suggested Cookie Life-Span Increment (msec.)          |
//	+---------------------------------------------------------------+
//
// See [RFC 9260, section 3.3.2.1.3].
//
// [RFC 9260, section 3.3.2.1.3]: https://www.rfc-editor.org/rfc/rfc9260#section-3.3.2.1.3
func (l Params) AppendCookiePreservative(increment time.Duration) Params {
	return l.appendUint32(ParamCookiePreservative, clampUint32(increment.Milliseconds()))
}

var errCookiePreservative = violation("cookie preservative parameter of a length other than 8")

// CookiePreservative decodes a Cookie Preservative parameter. Granting the
// wish is up to the receiver.
func (p Param) CookiePreservative() (increment time.Duration, err error) {
	ms, ok := p.uint32()
	if !ok {
		return 0, errCookiePreservative
	}
	return time.Duration(ms) * time.Millisecond, nil
}

// uint32 decodes a parameter that is one number.
func (p Param) uint32() (uint32, bool) {
	if len(p.raw) != itemHeaderSize+4 {
		return 0, false
	}
	return binary.BigEndian.Uint32(p.Value()), true
}

func (l Params) appendUint32(t ParamType, n uint32) Params {
	var value [4]byte
	binary.BigEndian.PutUint32(value[:], n)
	return l.append(t, value[:])
}

func clampUint32(n int64) uint32 { return uint32(min(max(n, 0), math.MaxUint32)) }
