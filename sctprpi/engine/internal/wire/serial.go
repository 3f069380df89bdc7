package wire

// Named integers of the protocol.
type (
	// TSN is a transmission sequence number: the place of a DATA or I-DATA
	// chunk in everything that one side sends.
	TSN uint32
	// SSN is the sequence number of an ordered message in its stream.
	SSN uint16
	// MID is the message identifier that takes the SSN's place in I-DATA
	// chunks. Ordered and unordered messages of a stream count apart.
	MID uint32
	// FSN numbers the fragments of one I-DATA message, from 0.
	FSN uint32
	// VerificationTag proves that the sender of a packet has seen the
	// association's set-up.
	VerificationTag uint32
)

// TSNs, SSNs and MIDs wrap around, so their order is that of
// serial number arithmetic ([RFC 9260, section 1.6], RFC 1982): a comes before
// b when b is reached from a by adding less than half of the number space. Of
// two numbers exactly half the space apart neither comes before the other.
//
// [RFC 9260, section 1.6]: https://www.rfc-editor.org/rfc/rfc9260#section-1.6
type serial interface{ ~uint16 | ~uint32 }

func less[T serial](a, b T) bool      { return b-a-1 < ^T(0)>>1 }
func lessEqual[T serial](a, b T) bool { return b-a <= ^T(0)>>1 }

// Less reports whether t comes before u in serial number arithmetic.
func (t TSN) Less(u TSN) bool { return less(t, u) }

// LessEqual reports whether t is u or comes before it.
func (t TSN) LessEqual(u TSN) bool { return lessEqual(t, u) }

// Sub returns how far t is past u; negative when t comes before u.
func (t TSN) Sub(u TSN) int { return int(int32(t - u)) }

// Less reports whether s comes before u in serial number arithmetic.
func (s SSN) Less(u SSN) bool { return less(s, u) }

// LessEqual reports whether s is u or comes before it.
func (s SSN) LessEqual(u SSN) bool { return lessEqual(s, u) }

// Sub returns how far s is past u; negative when s comes before u.
func (s SSN) Sub(u SSN) int { return int(int16(s - u)) }

// Less reports whether m comes before u in serial number arithmetic.
func (m MID) Less(u MID) bool { return less(m, u) }

// LessEqual reports whether m is u or comes before it.
func (m MID) LessEqual(u MID) bool { return lessEqual(m, u) }

// Sub returns how far m is past u; negative when m comes before u.
func (m MID) Sub(u MID) int { return int(int32(m - u)) }
