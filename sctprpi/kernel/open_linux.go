package kernel

import (
	"errors"
	"fmt"
	"net/netip"
	"os"
	"slices"
	"time"

	"github.com/ishidawataru/sctp"
	"golang.org/x/sys/unix"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// open makes an endpoint.
func open(c Config) (e *endpoint, err error) {
	family := unix.AF_INET
	if slices.ContainsFunc(c.Addrs, func(ip netip.Addr) bool { return !ip.Unmap().Is4() }) {
		family = unix.AF_INET6
	}
	fd, err := create(family)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			unix.Close(fd)
		}
	}()
	if err := checkPolicies(); err != nil {
		return nil, err
	}
	udp, err := udpPort()
	if err != nil {
		return nil, err
	}
	if c.Encapsulated && udp == 0 {
		return nil, errors.New("sctp: the kernel does not encapsulate in UDP: try sysctl net.sctp.udp_port=9899")
	}
	if err := setUp(fd, c); err != nil {
		return nil, err
	}
	if err := bind(fd, c); err != nil {
		return nil, err
	}
	e = newEndpoint(c, fd, udp)
	if err := e.learnAddrs(); err != nil {
		return nil, err
	}
	if !c.RefuseIncoming {
		if err := unix.Listen(fd, unix.SOMAXCONN); err != nil {
			return nil, fmt.Errorf("%w: %w", socket.ErrAddr, os.NewSyscallError("listen", err))
		}
	}
	return e, nil
}

// setUp sets the options that associations inherit.
func setUp(fd int, c Config) error {
	// Closing aborts.
	if err := unix.SetsockoptLinger(fd, unix.SOL_SOCKET, unix.SO_LINGER, &unix.Linger{Onoff: 1}); err != nil {
		return os.NewSyscallError("setsockopt SO_LINGER", err)
	}
	sizeBuffer(fd, unix.SO_SNDBUFFORCE, unix.SO_SNDBUF, c.SendBuffer)
	sizeBuffer(fd, unix.SO_RCVBUFFORCE, unix.SO_RCVBUF, c.ReceiveBuffer)
	heartbeat, testing := ms(c.Heartbeat), uint32(heartbeatOn)
	if c.Heartbeat < 0 {
		heartbeat, testing = 0, heartbeatOff
	}
	for _, o := range []struct {
		name   string
		option int
		value  any
	}{
		{"SCTP_NODELAY", sctp.SCTP_NODELAY, int32(1)},
		{"SCTP_RECVRCVINFO", optRecvRcvInfo, int32(1)},
		// Failures of sends are not reported: this package has reported the messages as taken long
		// ago.
		{"SCTP_EVENTS", sctp.SCTP_EVENTS, sctp.EventSubscribe{Association: 1, Address: 1, Shutdown: 1, PartialDelivery: 1}},
		// To Linux levels 1 and 2 are the same: messages of all associations, and of interleaved
		// streams, may mix.
		{"SCTP_FRAGMENT_INTERLEAVE", optInterleave, int32(1)},
		// Messages are delivered in part only when the receive buffer is full. If Linux delivers a
		// part because of its length, it may deliver it ahead of an earlier message of the stream
		// that has been lost.
		{"SCTP_PARTIAL_DELIVERY_POINT", optPartialDelivery, uint32(0)},
		{"SCTP_INITMSG", sctp.SCTP_INITMSG, sctp.InitMsg{
			NumOstreams: uint16(c.Streams), MaxInstreams: uint16(c.Streams),
			MaxAttempts: uint16(c.InitRetransmissions), MaxInitTimeout: uint16(min(ms(c.RTOMax), 65_535)),
		}},
		{"SCTP_RTOINFO", sctp.SCTP_RTOINFO, firstRTO(c)},
		{"SCTP_ASSOCINFO", sctp.SCTP_ASSOCINFO, assocParams{
			MaxRetransmissions: uint16(c.AssocRetransmissions), CookieMS: ms(c.CookieLife),
		}},
		{"SCTP_DELAYED_SACK", sctp.SCTP_DELAYED_SACK, sctp.SackTimer{SackDelay: ms(c.AckDelay), SackFrequency: uint32(c.AckEvery)}},
		{"SCTP_PEER_ADDR_PARAMS", sctp.SCTP_PEER_ADDR_PARAMS, pathParams{
			HeartbeatMS: heartbeat, Flags: testing, MaxRetransmissions: uint16(c.PathRetransmissions),
		}},
	} {
		if err := set(fd, o.option, o.value); err != nil {
			return fmt.Errorf("sctp: %s: %w", o.name, err)
		}
	}
	setScheduler(fd, c.Scheduler)
	if c.Interleaving {
		// This fails without net.sctp.intl_enable. Then interleaving is not offered.
		_ = set(fd, optInterleaving, assocValue{Value: 1})
	}
	return nil
}

// guards is how many times its RTO.Max an association may take to shut down. The time is fixed when
// the shutdown begins (T5-shutdown-guard; RFC 9260, section 9.2).
const guards = 5

// firstRTO returns the RTO of a new association. Its RTO.Max is so long that a shutdown waits for a
// silent peer as long as PeerTimeout; see settleRTO.
func firstRTO(c Config) rtoInfo {
	return rtoInfo{Initial: ms(c.RTOInitial), Max: ms(max(c.RTOMax, c.PeerTimeout/guards)), Min: ms(c.RTOMin)}
}

// settleRTO gives an association that is up the RTO.Max of the configuration. If it fails,
// retransmissions are only rarer.
func (e *endpoint) settleRTO(id int32) {
	c := &e.config
	if firstRTO(*c).Max == ms(c.RTOMax) {
		return
	}
	_ = e.using(func(fd int) error {
		return set(fd, sctp.SCTP_RTOINFO, rtoInfo{Assoc: id, Initial: ms(c.RTOInitial), Max: ms(c.RTOMax), Min: ms(c.RTOMin)})
	})
}

// setScheduler chooses a scheduler. If the kernel does not have it, it chooses the most similar
// one: the same data is sent in another order.
func setScheduler(fd int, s socket.Scheduler) {
	if set(fd, optScheduler, assocValue{Value: schedulers[s]}) != nil {
		_ = set(fd, optScheduler, assocValue{Value: schedulerRoundRobin})
	}
}

// sizeBuffer sets a buffer's size, beyond the system's limit if the process may. The kernel doubles
// the size, because it counts all memory and not only payload.
func sizeBuffer(fd, force, plain, size int) {
	if unix.SetsockoptInt(fd, unix.SOL_SOCKET, force, size) != nil {
		_ = unix.SetsockoptInt(fd, unix.SOL_SOCKET, plain, size)
	}
}

// bind binds to all local addresses (RFC 6458, section 9.1), one at a time, so that an error names
// the address. For a second address, port 0 means the port of the first.
func bind(fd int, c Config) error {
	for _, ip := range c.Addrs {
		if err := set(fd, sctp.SCTP_SOCKOPT_BINDX_ADD, sockaddrs(c.Port, ip)); err != nil {
			return fmt.Errorf("%w: binding %v: %w", socket.ErrAddr, netip.AddrPortFrom(ip, c.Port), err)
		}
	}
	return nil
}

// ms returns a time in milliseconds, at least one.
func ms(d time.Duration) uint32 { return uint32(max(d.Milliseconds(), 1)) }
