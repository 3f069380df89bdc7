package wire

import "encoding/binary"

// StreamLimit is how much an end keeps of each incoming stream while its program does not read it.
type StreamLimit struct {
	// Bytes is the limit, counted by StreamCharge, at most MaxStreamLimit; 0 is
	// none.
	Bytes uint32
	// Whole says that a message is read when all of it is there, so that one that
	// has been begun must be finished whatever the limit.
	Whole bool
	// Base is what each stream may have unread whatever others have, and Pool what
	// they share beyond that, counted alike. Both are 0 if there is no pool.
	Base, Pool uint32
}

// MaxStreamLimit is the highest limit that there can be. Offsets within so much of each
// other, and a message, can be told apart though they wrap around.
const MaxStreamLimit = 1 << 30

// MinStreamPool is the smallest pool.
const MinStreamPool = 32 << 10

const wholeMessages = 1 << 31

// Uint32 returns the limit and Whole as they are in the parameter; ParseStreamLimit reverses
// that.
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

// ValidPool reports whether Base and Pool make sense: there are both or neither, a chunk fits
// Base, which is within the limit, and both together are no more than MaxStreamLimit.
func (l StreamLimit) ValidPool() bool {
	if l.Pool == 0 {
		return l.Base == 0
	}
	return l.Pool >= MinStreamPool && l.Pool <= MaxStreamLimit &&
		l.Base >= MinStreamCharge && l.Base <= MaxStreamLimit-l.Pool &&
		(l.Bytes == 0 || l.Bytes >= l.Base)
}

// AppendStreamLimit adds a Stream Limit parameter, which is this engine's own: its
// sender knows STREAM CREDIT and STREAM BLOCKED chunks, and has the peer keep to a
// limit for each stream. A receiver that does not know it skips it in silence. The last
// two words are there if there is a pool.
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+-------------------------------+-------------------------------+
//	|         Type = 0xB0B0         |        Length = 8 or 16       |
//	+-+-----------------------------+-------------------------------+
//	|W|                    Limit in bytes, or 0                     |
//	+-+-------------------------------------------------------------+
//	|                         Base in bytes                         |
//	+---------------------------------------------------------------+
//	|                         Pool in bytes                         |
//	+---------------------------------------------------------------+
func (l Params) AppendStreamLimit(limit StreamLimit) Params {
	if limit.Pool == 0 {
		return l.appendUint32(ParamStreamLimit, limit.Uint32())
	}
	var value [streamPoolSize]byte
	binary.BigEndian.PutUint32(value[:], limit.Uint32())
	binary.BigEndian.PutUint32(value[4:], limit.Base)
	binary.BigEndian.PutUint32(value[8:], limit.Pool)
	return l.append(ParamStreamLimit, value[:])
}

// streamPoolSize is the length of the parameter's value if there is a pool.
const streamPoolSize = 12

var (
	errStreamLimit = violation("stream limit parameter of a length other than 8 or 16")
	errStreamPool  = violation("stream limit parameter with a pool that cannot be")
)

// StreamLimit decodes a Stream Limit parameter.
func (p Param) StreamLimit() (StreamLimit, error) {
	if limit, ok := p.uint32(); ok {
		return ParseStreamLimit(limit), nil
	}
	v := p.Value()
	if len(v) != streamPoolSize {
		return StreamLimit{}, errStreamLimit
	}
	limit := ParseStreamLimit(binary.BigEndian.Uint32(v))
	limit.Base, limit.Pool = binary.BigEndian.Uint32(v[4:]), binary.BigEndian.Uint32(v[8:])
	if limit.Pool == 0 || !limit.ValidPool() {
		return StreamLimit{}, errStreamPool
	}
	return limit, nil
}
