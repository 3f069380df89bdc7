package wire

// AppendInitAck appends an INIT ACK chunk: an INIT chunk's fields under type
// 2. A State Cookie belongs among its parameters.
//
// See [RFC 9260, section 3.3.3].
//
// [RFC 9260, section 3.3.3]: https://www.rfc-editor.org/rfc/rfc9260#section-3.3.3
func AppendInitAck(b []byte, i *Init) []byte { return appendInit(b, TypeInitAck, i) }

// ParseInitAck decodes an INIT ACK chunk like ParseInit, and finds the state
// cookie among its parameters, a view to be echoed as it is. A cookie that
// follows an unknown parameter whose type says to stop is not found.
//
// Errors with a meaning of their own: those of ParseInit, ErrNoCookie,
// ErrEmptyCookie.
func ParseInitAck(c Chunk) (i Init, cookie []byte, err error) {
	i, err = ParseInit(c)
	if err != nil {
		return i, nil, err
	}
	for p := range i.Params.All() {
		switch {
		case p.Type == ParamStateCookie && len(p.Value()) == 0:
			return i, nil, ErrEmptyCookie
		case p.Type == ParamStateCookie:
			return i, p.Value(), nil
		case !p.Type.known() && p.Type.UnknownAction().Stop():
			return i, nil, ErrNoCookie
		}
	}
	return i, nil, ErrNoCookie
}
