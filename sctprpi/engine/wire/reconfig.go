package wire

// AppendReconfig appends a RE-CONFIG chunk with one or two re-configuration
// parameters.
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+---------------+---------------+-------------------------------+
//	|  Type = 130   |  Chunk Flags  |         Chunk Length          |
//	+---------------+---------------+-------------------------------+
//	\                  Re-configuration Parameter                   \
//	+---------------------------------------------------------------+
//	\             Re-configuration Parameter (optional)             \
//	+---------------------------------------------------------------+
//
// See [RFC 6525, section 3.1].
//
// [RFC 6525, section 3.1]: https://www.rfc-editor.org/rfc/rfc6525#section-3.1
func AppendReconfig(b []byte, params Params) []byte {
	start := len(b)
	b = openChunk(b, TypeReconfig, 0)
	return closeChunk(append(b, params...), start)
}

var errReconfigParams = violation("RE-CONFIG chunk with parameters that may not stand there together")

// ParseReconfig decodes a RE-CONFIG chunk. Its parameters are one of the ten
// combinations that RFC 6525, section 3.1, allows, in either order.
func ParseReconfig(c Chunk) (Params, error) {
	if !wellFormed(c.Value()) {
		return nil, errParamLength
	}
	params := Params(c.Value())
	var types [2]ParamType
	n := 0
	for p := range params.All() {
		if n == len(types) || p.Type == 0 {
			return nil, errReconfigParams
		}
		types[n] = p.Type
		n++
	}
	if !mayReconfigure(types[0], types[1]) {
		return nil, errReconfigParams
	}
	return params, nil
}

// mayReconfigure reports whether a RE-CONFIG chunk may consist of parameters
// of types a and b; b is 0, the type of no parameter, when there is one only.
func mayReconfigure(a, b ParamType) bool {
	switch (reconfigPair{min(a, b), max(a, b)}) {
	case reconfigPair{0, ParamOutgoingReset}, reconfigPair{0, ParamIncomingReset},
		reconfigPair{ParamOutgoingReset, ParamIncomingReset},
		reconfigPair{0, ParamAssociationReset},
		reconfigPair{0, ParamAddOutgoing}, reconfigPair{0, ParamAddIncoming},
		reconfigPair{ParamAddOutgoing, ParamAddIncoming},
		reconfigPair{0, ParamReconfigResponse},
		reconfigPair{ParamOutgoingReset, ParamReconfigResponse},
		reconfigPair{ParamReconfigResponse, ParamReconfigResponse}:
		return true
	}
	return false
}

// reconfigPair is two parameter types, the smaller first.
type reconfigPair struct{ low, high ParamType }
