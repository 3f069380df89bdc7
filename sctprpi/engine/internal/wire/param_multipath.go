package wire

// AppendMultipath adds a Multipath parameter, which is this engine's own: its sender sends on several paths at once, and takes data that
// comes so. It does not take back what it has acknowledged by a gap ack block, so that SACK chunks may overtake each other on paths that take
// longer than others. A receiver that does not know the parameter skips it in silence.
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+-------------------------------+-------------------------------+
//	|         Type = 0xB0B1         |          Length = 4           |
//	+-------------------------------+-------------------------------+
func (l Params) AppendMultipath() Params { return l.append(ParamMultipath, nil) }

var errMultipath = violation("multipath parameter of a length other than 4")

// Multipath checks a Multipath parameter.
func (p Param) Multipath() error {
	if len(p.Value()) != 0 {
		return errMultipath
	}
	return nil
}
