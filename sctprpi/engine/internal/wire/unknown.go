package wire

// UnknownAction is what a receiver does with a chunk or parameter of a type
// that it does not know. The sender says so in the two highest bits of the
// type.
//
// See [RFC 9260, section 3.2], for chunks and section 3.2.1 for parameters.
//
// [RFC 9260, section 3.2]: https://www.rfc-editor.org/rfc/rfc9260#section-3.2
type UnknownAction uint8

// The four actions, by the value of the two bits.
const (
	StopSilently UnknownAction = iota
	StopAndReport
	SkipSilently
	SkipAndReport
)

// Stop reports whether to drop the item with all that follows it: the rest of
// the packet after a chunk, the rest of the chunk after a parameter. Otherwise
// only the item itself is skipped.
func (a UnknownAction) Stop() bool { return a == StopSilently || a == StopAndReport }

// Report reports whether to tell the sender: an unknown chunk by the cause
// Unrecognized Chunk Type, a parameter of an INIT chunk by the parameter
// Unrecognized Parameter in the INIT ACK chunk, any other parameter by the
// cause Unrecognized Parameters.
func (a UnknownAction) Report() bool { return a == StopAndReport || a == SkipAndReport }
