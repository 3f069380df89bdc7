package udp

import "net/netip"

// OnTooBig sets the function that is told that packets to an address were too big,
// and the MTU that was learnt: the largest IP packet in bytes that may pass. It is
// called by Send about packets that the system refuses at once, and by Send and Receive
// about those that a router reports back (ICMP). A router's report is not
// authenticated: RFC 8899, section 4.6, says how to treat it.
func (c *Conn) OnTooBig(f func(to netip.AddrPort, mtu int)) { c.onTooBig.Store(&f) }

// OnUnreachable sets the function that is told that a packet has come to an address whose
// host says that nobody has the port (ICMP), and how the packet begins, as far as the
// host quotes it: up to 20 bytes of the UDP payload. Send and Receive call it, on Linux.
// Whether the quotation is that of a packet which has been sent is for the function to
// find out: anybody can make such a report.
func (c *Conn) OnUnreachable(f func(to netip.AddrPort, quoted []byte)) { c.onUnreachable.Store(&f) }

// quotedSize is how much of a packet OnUnreachable's function is told: SCTP's common
// header and, of an INIT chunk, as far as its tag.
const quotedSize = 20

// report tells that packets were too big, or, when it has no MTU, that one was refused.
type report struct {
	to     netip.AddrPort
	mtu    int
	quoted []byte
}

// tell passes reports on. No lock is held, as the functions may use the Conn.
func (s *shared) tell(reports []report) {
	for _, r := range reports {
		if f := s.onTooBig.Load(); r.mtu > 0 && f != nil && *f != nil {
			(*f)(r.to, r.mtu)
		}
		if f := s.onUnreachable.Load(); r.mtu == 0 && f != nil && *f != nil {
			(*f)(r.to, r.quoted)
		}
	}
}
