package wire

// AppendUnrecognized adds an Unrecognized Parameter parameter: the answer, in
// an INIT ACK chunk, to a parameter of the INIT chunk that is unknown and
// wants to be reported.
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+-------------------------------+-------------------------------+
//	|           Type = 8            |            Length             |
//	+-------------------------------+-------------------------------+
//	\                    Unrecognized Parameter                     \
//	+---------------------------------------------------------------+
//
// See [RFC 9260, section 3.3.3.1.2].
//
// [RFC 9260, section 3.3.3.1.2]: https://www.rfc-editor.org/rfc/rfc9260#section-3.3.3.1.2
func (l Params) AppendUnrecognized(p Param) Params { return l.append(ParamUnrecognized, p.Bytes()) }

// Unrecognized decodes an Unrecognized Parameter parameter: the one that the
// peer did not know.
func (p Param) Unrecognized() (Param, error) {
	inner, rest, ok := cutParam(p.Value())
	if !ok || len(rest) > 0 {
		return Param{}, errParamLength
	}
	return inner, nil
}
