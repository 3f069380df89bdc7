package kernel

import (
	"cmp"
	"fmt"
	"net/netip"
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Config is how a socket is set up. The zero Config is a socket on a free port of the
// IPv4 loopback address.
type Config struct {
	socket.Config

	// Addrs are the local IP addresses. Several make the socket multihomed.
	Addrs []netip.Addr
	// Port is the SCTP port, 0 for a free one.
	Port uint16
	// Encapsulated tells peers, by way of LocalAddrs, to come by UDP, to the port
	// that net.sctp.udp_port names (RFC 6951). Without, they come by IP, but are
	// answered if they do not.
	Encapsulated bool
}

// withDefaults fills in what is left open, or says what cannot be.
func (c Config) withDefaults() (Config, error) {
	if len(c.Addrs) == 0 {
		c.Addrs = []netip.Addr{netip.AddrFrom4([4]byte{127, 0, 0, 1})}
	}
	for _, ip := range c.Addrs {
		if !ip.IsValid() {
			return c, fmt.Errorf("%w: local address without an IP", socket.ErrAddr)
		}
	}
	for _, f := range []struct {
		name         string
		value        *int
		most, preset int
	}{
		{"Streams", &c.Streams, 65_535, 1024},
		{"SendBuffer", &c.SendBuffer, 1 << 30, 4 << 20},
		{"ReceiveBuffer", &c.ReceiveBuffer, 1 << 30, 4 << 20},
		{"AckEvery", &c.AckEvery, 255, 2},
		{"PathRetransmissions", &c.PathRetransmissions, 65_535, 5},
		{"AssocRetransmissions", &c.AssocRetransmissions, 65_535, 10},
		{"InitRetransmissions", &c.InitRetransmissions, 65_535, 8},
		{"MaxAssociations", &c.MaxAssociations, 1 << 30, 65_536},
		{"MaxUnauthenticated", &c.MaxUnauthenticated, 1 << 30, 0},
	} {
		if *f.value < 0 || *f.value > f.most {
			return c, fmt.Errorf("sctp: %s is %d, and must be 1 to %d, or 0 for %d", f.name, *f.value, f.most, f.preset)
		}
		*f.value = cmp.Or(*f.value, f.preset)
	}
	for _, f := range []struct {
		name         string
		value        *time.Duration
		most, preset time.Duration
	}{
		{"RTOInitial", &c.RTOInitial, time.Hour, time.Second},
		{"RTOMin", &c.RTOMin, time.Hour, 50 * time.Millisecond},
		{"RTOMax", &c.RTOMax, time.Hour, time.Minute},
		{"AckDelay", &c.AckDelay, 500 * time.Millisecond, 20 * time.Millisecond},
		{"CookieLife", &c.CookieLife, time.Hour, time.Minute},
	} {
		if *f.value < 0 || *f.value > f.most {
			return c, fmt.Errorf("sctp: %s is %v, and must be at most %v, or 0 for %v", f.name, *f.value, f.most, f.preset)
		}
		*f.value = cmp.Or(*f.value, f.preset)
	}
	if c.RTOMin > c.RTOMax {
		return c, fmt.Errorf("sctp: RTOMin %v is longer than RTOMax %v", c.RTOMin, c.RTOMax)
	}
	c.RTOInitial = min(max(c.RTOInitial, c.RTOMin), c.RTOMax)
	c.Heartbeat = cmp.Or(c.Heartbeat, 30*time.Second)
	if c.PeerTimeout < 0 || c.PeerTimeout > 24*time.Hour {
		return c, fmt.Errorf("sctp: PeerTimeout is %v, and must be at most a day, or 0", c.PeerTimeout)
	}
	if c.PeerTimeout > 0 {
		c.AssocRetransmissions = retransmissions(c)
		if len(c.Addrs) == 1 {
			// Else Linux would test a lone path that is down at the leisure of
			// Heartbeat.
			c.PathRetransmissions = c.AssocRetransmissions - 1
		}
	}
	return c, nil
}

// retransmissions returns how many timeouts in a row Linux is to count before it gives a peer up:
// never fewer than there can be in PeerTimeout, at the end of which the pulse decides. There are those
// of T3-rtx, which double up to RTOMax, while something is being sent, those of heartbeats on each
// path, which come about as often once one has failed, and the demanded ones.
func retransmissions(c Config) int {
	n, left, paths := 1, c.PeerTimeout, len(c.Addrs)
	for timeout := c.RTOMin; timeout < c.RTOMax && left > 0; timeout *= 2 {
		left -= timeout
		n++
	}
	n += int(max(left, 0) / c.RTOMax)
	return min(n*(1+paths)+beats*paths, 65_535)
}
