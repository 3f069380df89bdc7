package wire

// Error is a rule of the protocol that something received breaks. All errors
// of this package are of this type; none is allocated when it occurs, so that
// malformed packets cost no garbage.
type Error struct {
	// Cause is the error cause to answer with, in an ABORT or ERROR chunk as
	// the association's state asks; 0 where RFC 9260 wants silence.
	Cause CauseCode
	// Rule says what was wrong. It fits a Protocol Violation cause as
	// additional information.
	Rule string
}

func (e *Error) Error() string { return "sctp: " + e.Rule }

// Errors that say to drop something and keep silent.
var (
	// ErrShortPacket: too short for a common header and one chunk.
	ErrShortPacket = &Error{0, "packet shorter than a common header and a chunk header"}
	// ErrZeroPort: a source or destination port is 0, which RFC 9260, section
	// 3.1, forbids.
	ErrZeroPort = &Error{0, "port 0 in the common header"}
	// ErrPartialChunk: a chunk's length is shorter than its header or reaches
	// beyond the packet. RFC 9260, section 6.10: the chunk is dropped, what
	// came before it in the packet counts.
	ErrPartialChunk = &Error{0, "chunk length shorter than the chunk header or beyond the end of the packet"}
	// ErrBundled: an INIT, INIT ACK or SHUTDOWN COMPLETE chunk is not alone
	// in its packet. It is to be dropped with all that follows.
	ErrBundled = &Error{0, "chunk that must be alone shares its packet"}
	// ErrEmptyCookieEcho: a COOKIE ECHO chunk with nothing in it, which is
	// like one whose authentication fails.
	ErrEmptyCookieEcho = &Error{0, "COOKIE ECHO chunk without a cookie"}
)

// Errors that want an answer of their own. All other errors have the cause
// CauseProtocolViolation.
var (
	// ErrNoUserData: a DATA or I-DATA chunk without user data. The Data or
	// IData returned with it has the TSN that the cause reports.
	ErrNoUserData = &Error{CauseNoUserData, "DATA chunk without user data"}
	// ErrZeroInitiateTag: an INIT or INIT ACK chunk with initiate tag 0. The
	// answer to the INIT is silence all the same.
	ErrZeroInitiateTag = &Error{CauseInvalidMandatoryParameter, "initiate tag 0"}
	// ErrSmallWindow: an INIT or INIT ACK chunk that advertises less than
	// MinWindow.
	ErrSmallWindow = &Error{CauseInvalidMandatoryParameter, "advertised receiver window below 1500 bytes"}
	// ErrNoStreams: an INIT or INIT ACK chunk that offers no outbound or
	// accepts no inbound streams.
	ErrNoStreams = &Error{CauseInvalidMandatoryParameter, "no outbound or no inbound streams"}
	// ErrNoCookie: an INIT ACK chunk without a State Cookie parameter.
	ErrNoCookie = &Error{CauseMissingMandatoryParameter, "INIT ACK chunk without a state cookie"}
	// ErrEmptyCookie: a State Cookie parameter with nothing in it.
	ErrEmptyCookie = &Error{CauseInvalidMandatoryParameter, "empty state cookie"}
)

// violation makes the error for a malformed item.
func violation(rule string) *Error { return &Error{CauseProtocolViolation, rule} }
