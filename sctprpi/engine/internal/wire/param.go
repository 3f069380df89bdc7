package wire

import (
	"iter"
	"strconv"
)

// ParamType says what a parameter is. A type means the same in every chunk.
//
// See [RFC 9260, section 3.2.1].
//
// [RFC 9260, section 3.2.1]: https://www.rfc-editor.org/rfc/rfc9260#section-3.2.1
type ParamType uint16

// The parameter types that this package knows. Any other, those of RFC 6525 (stream
// re-configuration) among them, is unknown: see UnknownAction.
const (
	ParamHeartbeatInfo          ParamType = 1
	ParamIPv4Address            ParamType = 5
	ParamIPv6Address            ParamType = 6
	ParamStateCookie            ParamType = 7
	ParamUnrecognized           ParamType = 8
	ParamCookiePreservative     ParamType = 9
	ParamHostName               ParamType = 11 // deprecated: answered with an ABORT chunk
	ParamSupportedAddressTypes  ParamType = 12
	ParamECNCapable             ParamType = 0x8000
	ParamZeroChecksumAcceptable ParamType = 0x8001
	ParamPadding                ParamType = 0x8005
	ParamSupportedExtensions    ParamType = 0x8008
	ParamStreamLimit            ParamType = 0xB0B0 // not standard: see AppendStreamLimit
	ParamMultipath              ParamType = 0xB0B1 // not standard: see AppendMultipath
	ParamForwardTSNSupported    ParamType = 0xC000
)

var paramNames = map[ParamType]string{
	ParamHeartbeatInfo: "Heartbeat Info", ParamIPv4Address: "IPv4 Address",
	ParamIPv6Address: "IPv6 Address", ParamStateCookie: "State Cookie",
	ParamUnrecognized: "Unrecognized Parameter", ParamCookiePreservative: "Cookie Preservative",
	ParamHostName: "Host Name Address", ParamSupportedAddressTypes: "Supported Address Types",
	ParamECNCapable: "ECN Capable", ParamZeroChecksumAcceptable: "Zero Checksum Acceptable",
	ParamPadding: "Padding", ParamSupportedExtensions: "Supported Extensions",
	ParamStreamLimit: "Stream Limit", ParamMultipath: "Multipath", ParamForwardTSNSupported: "Forward-TSN-Supported",
}

func (t ParamType) known() bool { return paramNames[t] != "" }

func (t ParamType) String() string {
	if t.known() {
		return paramNames[t]
	}
	return "parameter type " + strconv.Itoa(int(t))
}

// UnknownAction returns what to do with a parameter of this type when the type
// is unknown or not in use.
func (t ParamType) UnknownAction() UnknownAction { return UnknownAction(t >> 14) }

// Param is a parameter in a chunk: a view, nothing is copied.
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+-------------------------------+-------------------------------+
//	|        Parameter Type         |       Parameter Length        |
//	+-------------------------------+-------------------------------+
//	\                        Parameter Value                        \
//	+---------------------------------------------------------------+
type Param struct {
	Type ParamType
	raw  []byte
}

// Bytes returns the parameter with its header and without its padding: what
// reports of unrecognized parameters and unresolvable addresses carry.
func (p Param) Bytes() []byte { return p.raw }

// Value returns what follows the parameter's header, without padding.
func (p Param) Value() []byte { return itemValue(p.raw) }

var errParamLength = violation("parameter length shorter than the parameter header or beyond the end of what holds it")

func cutParam(b []byte) (p Param, rest []byte, ok bool) {
	raw, rest, ok := cut(b)
	if !ok {
		return Param{}, nil, false
	}
	return Param{Type: ParamType(raw[0])<<8 | ParamType(raw[1]), raw: raw}, rest, true
}

// Params is a list of parameters in the form that it has on the wire, the last
// one without its padding. What a Parse function returns is well formed: All
// reaches its end. The zero Params is an empty list; Append methods add to it.
type Params []byte

// All walks the parameters in order. Parameters of unknown types are among
// them; the caller sees to ParamType.UnknownAction.
func (l Params) All() iter.Seq[Param] {
	return func(yield func(Param) bool) {
		for b := []byte(l); len(b) > 0; {
			p, rest, ok := cutParam(b)
			if !ok || !yield(p) {
				return
			}
			b = rest
		}
	}
}

// Append adds a copy of p, for reports of parameters.
func (l Params) Append(p Param) Params { return l.append(p.Type, p.Value()) }

func (l Params) append(t ParamType, value []byte) Params { return appendToList(l, uint16(t), value) }
