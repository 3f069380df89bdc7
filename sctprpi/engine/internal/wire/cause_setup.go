package wire

import (
	"encoding/binary"
	"time"
)

// AppendMissingMandatoryParameter adds the cause for an INIT or INIT ACK chunk
// without parameters that it must have.
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+-------------------------------+-------------------------------+
//	|        Cause Code = 2         |   Cause Length = 8 + N * 2    |
//	+-------------------------------+-------------------------------+
//	|                 Number of missing params = N                  |
//	+-------------------------------+-------------------------------+
//	|     Missing Param Type #1     |     Missing Param Type #2     |
//	+-------------------------------+-------------------------------+
//	\                              ...                              \
//	+---------------------------------------------------------------+
//
// See [RFC 9260, section 3.3.10.2].
//
// [RFC 9260, section 3.3.10.2]: https://www.rfc-editor.org/rfc/rfc9260#section-3.3.10.2
func (l Causes) AppendMissingMandatoryParameter(types Numbers[ParamType]) Causes {
	list, start := openInList(l, uint16(CauseMissingMandatoryParameter))
	list = binary.BigEndian.AppendUint32(list, uint32(types.Len()))
	return closeItem(append(list, types...), start)
}

var errMissingParams = violation("missing mandatory parameter cause whose length does not match its number of parameters")

// MissingMandatoryParameter decodes a Missing Mandatory Parameter cause.
func (c Cause) MissingMandatoryParameter() (Numbers[ParamType], error) {
	info := c.Info()
	if len(info) < 4 {
		return nil, errMissingParams
	}
	types := Numbers[ParamType](info[4:])
	if !types.whole() || uint32(types.Len()) != binary.BigEndian.Uint32(info) {
		return nil, errMissingParams
	}
	return types, nil
}

// AppendStaleCookie adds the cause for a state cookie that came staleness, 0
// to about 71 minutes, after its end; 0 if the sender will not say.
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+-------------------------------+-------------------------------+
//	|        Cause Code = 3         |       Cause Length = 8        |
//	+-------------------------------+-------------------------------+
//	|                 Measure of Staleness (usec.)                  |
//	+---------------------------------------------------------------+
//
// See [RFC 9260, section 3.3.10.3].
//
// [RFC 9260, section 3.3.10.3]: https://www.rfc-editor.org/rfc/rfc9260#section-3.3.10.3
func (l Causes) AppendStaleCookie(staleness time.Duration) Causes {
	roundedUp := (staleness + time.Microsecond - 1).Microseconds()
	return l.appendUint32(CauseStaleCookie, clampUint32(roundedUp))
}

var errStaleCookie = violation("stale cookie cause of a length other than 8")

// StaleCookie decodes a Stale Cookie cause.
func (c Cause) StaleCookie() (staleness time.Duration, err error) {
	info := c.Info()
	if len(info) != 4 {
		return 0, errStaleCookie
	}
	return time.Duration(binary.BigEndian.Uint32(info)) * time.Microsecond, nil
}

// AppendUnresolvableAddress adds the cause for an address parameter that the
// receiver cannot use, a Host Name Address for example (RFC 9260, section
// 3.3.10.5). The information is the whole parameter.
func (l Causes) AppendUnresolvableAddress(p Param) Causes {
	return l.append(CauseUnresolvableAddress, p.Bytes())
}

// AppendInvalidMandatoryParameter adds the cause for an INIT or INIT ACK chunk
// with a mandatory field or parameter of an invalid value (RFC 9260, section
// 3.3.10.7). It has no information.
func (l Causes) AppendInvalidMandatoryParameter() Causes {
	return l.append(CauseInvalidMandatoryParameter, nil)
}

// AppendUnrecognizedParameters adds the cause for parameters of an INIT ACK
// chunk that are unknown and want to be reported (RFC 9260, section 3.3.10.8).
// The information is the whole parameters.
func (l Causes) AppendUnrecognizedParameters(params Params) Causes {
	return l.append(CauseUnrecognizedParameters, params)
}

// AppendCookieWhileShuttingDown adds the cause for a COOKIE ECHO chunk in the
// SHUTDOWN-ACK-SENT state (RFC 9260, section 3.3.10.10). It has no
// information.
func (l Causes) AppendCookieWhileShuttingDown() Causes {
	return l.append(CauseCookieWhileShuttingDown, nil)
}

// AppendRestartWithNewAddresses adds the cause for an INIT chunk that would
// restart an association with addresses that it did not have (RFC 9260,
// section 3.3.10.11). The information is the whole new address parameters.
func (l Causes) AppendRestartWithNewAddresses(addresses Params) Causes {
	return l.append(CauseRestartWithNewAddresses, addresses)
}

// Params decodes an Unrecognized Parameters or Restart of an Association with
// New Addresses cause.
func (c Cause) Params() (Params, error) {
	if !wellFormed(c.Info()) {
		return nil, errParamLength
	}
	return c.Info(), nil
}
