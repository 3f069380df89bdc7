package assoc

// State is the state of an association (RFC 9260, section 4).
type State uint8

// The states. Closed is also that of one that has ended and is being read to its
// end.
const (
	Closed State = iota
	CookieWait
	CookieEchoed
	Established
	ShutdownPending
	ShutdownSent
	ShutdownReceived
	ShutdownAckSent
)

var stateNames = [...]string{
	"CLOSED", "COOKIE-WAIT", "COOKIE-ECHOED", "ESTABLISHED", "SHUTDOWN-PENDING",
	"SHUTDOWN-SENT", "SHUTDOWN-RECEIVED", "SHUTDOWN-ACK-SENT",
}

func (s State) String() string { return stateNames[s] }

// Connected reports whether the set-up is over and the end has not come.
func (s State) Connected() bool { return s >= Established }

// takesData reports whether the peer's data is accepted. In SHUTDOWN-RECEIVED
// there cannot be any but what has arrived before.
func (s State) takesData() bool { return s >= Established && s <= ShutdownReceived }

// sendsData reports whether data may be sent that was queued before.
func (s State) sendsData() bool {
	return s == Established || s == ShutdownPending || s == ShutdownReceived
}

// testsPaths reports whether HEARTBEAT chunks may be sent: not after SHUTDOWN or
// SHUTDOWN ACK, whose timer tests the path (section 8.3).
func (s State) testsPaths() bool { return s.sendsData() }
