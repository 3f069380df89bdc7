package associations

import (
	"fmt"
	"net/netip"
	"strings"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// formatAddrs encodes the addresses of a socket for the peers, such as
// "192.0.2.1:7000/7000,198.51.100.1:7000/7000".
func formatAddrs(addrs []socket.Addr) string {
	list := make([]string, len(addrs))
	for i, a := range addrs {
		list[i] = a.String()
	}
	return strings.Join(list, ",")
}

// Protocol names the packets of the transport. Two transports with the same protocol can talk to
// each other, whatever their names.
func (m *Manager) Protocol() string {
	switch {
	case m.sealing.guard != nil:
		return "sctp/udp/sealed"
	case strings.Contains(m.address, "/"): // there is a UDP port
		return "sctp/udp"
	}
	return "sctp/ip"
}

// published returns the addresses that peers are told. A translator of addresses sees UDP: the SCTP port stays.
func published(cfg rpi.Config, bound []socket.Addr) []socket.Addr {
	list := make([]socket.Addr, len(bound))
	for i, a := range bound {
		at := cfg.Published(netip.AddrPortFrom(a.IP, a.UDP))
		list[i] = socket.Addr{IP: at.Addr(), Port: a.Port, UDP: at.Port()}
	}
	return list
}

// parseAddrs decodes what formatAddrs returns.
func parseAddrs(s string) ([]socket.Addr, error) {
	list := strings.Split(s, ",")
	if len(list) > rpi.MaxAddresses {
		return nil, fmt.Errorf("%w: %d addresses, at most %d", socket.ErrAddr, len(list), rpi.MaxAddresses)
	}
	addrs := make([]socket.Addr, len(list))
	for i := range list {
		a, err := socket.ParseAddr(list[i])
		switch {
		case err != nil:
			return nil, err
		case a.Port == 0 || a.IP.IsUnspecified() || a.IP.IsMulticast():
			return nil, fmt.Errorf("%w: %q is not the address of a process", socket.ErrAddr, list[i])
		case a.Port != addrs[0].Port && i > 0:
			return nil, fmt.Errorf("%w: %q: the addresses of a process have one SCTP port", socket.ErrAddr, s)
		}
		addrs[i] = a
	}
	return addrs, nil
}
