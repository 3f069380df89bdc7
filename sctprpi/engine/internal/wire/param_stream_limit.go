package wire

// StreamLimit is how much an end keeps of each incoming stream while its program does not read it.
type StreamLimit struct {
	// Bytes is the limit, counted by StreamCharge, at most MaxStreamLimit; 0 is
	// none.
	Bytes uint32
	// Whole says that a message is read when all of it is there, so that one that
	// has been begun must be finished whatever the limit.
	Whole bool
}

// MaxStreamLimit is the highest limit that there can be. Offsets within so much of each
// other, and a message, can be told apart though they wrap around.
const MaxStreamLimit = 1 << 30

const wholeMessages = 1 << 31

// Uint32 returns the limit as it is in the parameter; ParseStreamLimit reverses that.
func (l StreamLimit) Uint32() uint32 {
	n := min(l.Bytes, MaxStreamLimit)
	if l.Whole {
		n |= wholeMessages
	}
	return n
}

// ParseStreamLimit is the reverse of Uint32. A limit above MaxStreamLimit is taken for
// that.
func ParseStreamLimit(n uint32) StreamLimit {
	return StreamLimit{Bytes: min(n&^wholeMessages, MaxStreamLimit), Whole: n&wholeMessages != 0}
}

// AppendStreamLimit adds a Stream Limit parameter, which is this engine's own: its
// sender knows STREAM CREDIT and STREAM BLOCKED chunks, and has the peer keep to a
// limit for each stream. A receiver that does not know it skips it in silence.
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+-------------------------------+-------------------------------+
//	|         Type = 0xB0B0         |          Length = 8           |
//	+-+-----------------------------+-------------------------------+
//	|W|                    Limit in bytes, or 0                     |
//	+-+-------------------------------------------------------------+
func (l Params) AppendStreamLimit(limit StreamLimit) Params {
	return l.appendUint32(ParamStreamLimit, limit.Uint32())
}

var errStreamLimit = violation("stream limit parameter of a length other than 8")

// StreamLimit decodes a Stream Limit parameter.
func (p Param) StreamLimit() (StreamLimit, error) {
	limit, ok := p.uint32()
	if !ok {
		return StreamLimit{}, errStreamLimit
	}
	return ParseStreamLimit(limit), nil
}
