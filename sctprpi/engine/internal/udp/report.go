package udp

import "net/netip"

// OnTooBig sets the function that is told that packets to an address were too big,
// and the MTU that was learnt: the largest IP packet in bytes that may pass. It is
// called by Send about packets that the system refuses at once, and by Send and Receive
// about those that a router reports back (ICMP). A router's report is not
// authenticated: RFC 8899, section 4.6, says how to treat it.
func (c *Conn) OnTooBig(f func(to netip.AddrPort, mtu int)) { c.onTooBig.Store(&f) }

// OnUnreachable sets a function that is called when a host reports by ICMP that it has no listener
// on the UDP port to which a packet was sent. quoted is the beginning of that packet, as far as the
// host quotes it: up to 28 bytes of the UDP payload. Send and Receive make the call, on Linux. The
// function must check that such a packet has been sent: any host can forge a report.
func (c *Conn) OnUnreachable(f func(to netip.AddrPort, quoted []byte)) { c.onUnreachable.Store(&f) }

// OnDenied sets a function that is called by Send when the system refuses to send packets to an address, for another reason than
// their size or a lack of room: there is no route, or a firewall of this host forbids it.
func (c *Conn) OnDenied(f func(to netip.AddrPort, why error)) { c.onDenied.Store(&f) }

// quotedSize is how much of a packet OnUnreachable's function is told: SCTP's common header and, of an INIT chunk, as
// far as its tag, which are 20 bytes; or the header of a sealed packet.
const quotedSize = 28

// report tells that packets were too big, or, when it has no MTU, that one was refused: by this system if there is a denial, else
// by the other host.
type report struct {
	to     netip.AddrPort
	mtu    int
	quoted []byte
	denial error
}

// tell passes reports on. No lock is held, as the functions may use the Conn.
func (s *shared) tell(reports []report) {
	for _, r := range reports {
		if f := s.onTooBig.Load(); r.mtu > 0 && f != nil && *f != nil {
			(*f)(r.to, r.mtu)
		}
		if f := s.onDenied.Load(); r.denial != nil && f != nil && *f != nil {
			(*f)(r.to, r.denial)
		}
		if f := s.onUnreachable.Load(); r.mtu == 0 && r.denial == nil && f != nil && *f != nil {
			(*f)(r.to, r.quoted)
		}
	}
}
