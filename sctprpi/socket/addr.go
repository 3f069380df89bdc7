package socket

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"
)

// Addr is a transport address of SCTP: an IP address and an SCTP port, and the UDP
// port that packets are encapsulated in (RFC 6951), 0 for SCTP directly over IP.
type Addr struct {
	IP   netip.Addr
	Port uint16
	UDP  uint16
}

// String returns "192.0.2.1:5001", and with a UDP port "192.0.2.1:5001/9899".
func (a Addr) String() string {
	s := netip.AddrPortFrom(a.IP, a.Port).String()
	if a.UDP != 0 {
		s += "/" + strconv.Itoa(int(a.UDP))
	}
	return s
}

// ParseAddr parses what String returns.
func ParseAddr(s string) (Addr, error) {
	sctp, udp, encapsulated := strings.Cut(s, "/")
	ap, err := netip.ParseAddrPort(sctp)
	if err != nil {
		return Addr{}, fmt.Errorf("%w: %q: %w", ErrAddr, s, err)
	}
	a := Addr{IP: ap.Addr(), Port: ap.Port()}
	if encapsulated {
		port, err := strconv.ParseUint(udp, 10, 16)
		if err != nil || port == 0 {
			return Addr{}, fmt.Errorf("%w: %q: UDP port %q is not 1 to 65,535", ErrAddr, s, udp)
		}
		a.UDP = uint16(port)
	}
	return a, nil
}
