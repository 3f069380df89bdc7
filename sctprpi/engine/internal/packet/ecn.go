package packet

// ECN are the two bits of an IP header for explicit congestion notification ([RFC 3168, section 5]): whether routers may mark the packet
// instead of dropping it, and whether one has.
//
// [RFC 3168, section 5]: https://www.rfc-editor.org/rfc/rfc3168#section-5
type ECN uint8

const (
	NotECT ECN = iota // routers drop it
	ECT1              // not used here: it asks for another response (RFC 9331)
	ECT0              // routers may mark it
	CE                // congestion experienced: one has
)
