package kernel

import (
	"errors"
	"fmt"
	"net/netip"
	"os"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// open makes an endpoint. Its watch is the caller's to start.
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
	if !c.ClosedDoor {
		if err := unix.Listen(fd, unix.SOMAXCONN); err != nil {
			return nil, fmt.Errorf("%w: %w", socket.ErrAddr, os.NewSyscallError("listen", err))
		}
	}
	if err := e.poller.open(fd); err != nil {
		return nil, err
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
		{"SCTP_NODELAY", optNoDelay, int32(1)},
		{"SCTP_RECVRCVINFO", optRecvRcvInfo, int32(1)},
		// Data, association, address, send failure, error, shutdown, partial
		// delivery: what is not sent was reported as taken long ago.
		{"SCTP_EVENTS", optEvents, []byte{0, 1, 1, 0, 0, 1, 1}},
		// Levels 1 and 2 are one to Linux: messages of all associations, and of
		// interleaved streams, may mix.
		{"SCTP_FRAGMENT_INTERLEAVE", optInterleave, int32(1)},
		// Messages are delivered in part when the receive buffer is full, and not
		// before: what Linux delivers because of its length it may deliver ahead of
		// an earlier message of the stream that has been lost.
		{"SCTP_PARTIAL_DELIVERY_POINT", optPartialDelivery, uint32(0)},
		{"SCTP_INITMSG", optInitMsg, initMsg{
			Outbound: uint16(c.Streams), Inbound: uint16(c.Streams),
			Attempts: uint16(c.InitRetransmissions), TimeoutMS: uint16(min(ms(c.RTOMax), 65_535)),
		}},
		{"SCTP_RTOINFO", optRTOInfo, firstRTO(c)},
		{"SCTP_ASSOCINFO", optAssocInfo, assocParams{
			MaxRetransmissions: uint16(c.AssocRetransmissions), CookieMS: ms(c.CookieLife),
		}},
		{"SCTP_DELAYED_SACK", optDelayedSACK, sackMsg{DelayMS: ms(c.AckDelay), EveryPacket: uint32(c.AckEvery)}},
		{"SCTP_PEER_ADDR_PARAMS", optPeerAddrParams, pathParams{
			HeartbeatMS: heartbeat, Flags: testing, MaxRetransmissions: uint16(c.PathRetransmissions),
		}},
	} {
		if err := set(fd, o.option, o.value); err != nil {
			return fmt.Errorf("sctp: %s: %w", o.name, err)
		}
	}
	setScheduler(fd, c.Scheduler)
	if c.Interleaving {
		// Not unless net.sctp.intl_enable: then it is not offered.
		_ = set(fd, optInterleaving, assocValue{Value: 1})
	}
	return nil
}

// guards is how many times its RTO.Max an association may take to shut down: it takes that
// when it begins (T5-shutdown-guard; RFC 9260, section 9.2).
const guards = 5

// firstRTO is what an association begins with. Its RTO.Max is so long that a shutdown waits
// for a silent peer as long as PeerTimeout says; see settleRTO.
func firstRTO(c Config) rtoInfo {
	return rtoInfo{Initial: ms(c.RTOInitial), Max: ms(max(c.RTOMax, c.PeerTimeout/guards)), Min: ms(c.RTOMin)}
}

// settleRTO gives an association that is up the RTO.Max of the configuration. If it fails
// retransmissions are only rarer.
func (e *endpoint) settleRTO(id int32) {
	c := &e.config
	if firstRTO(*c).Max == ms(c.RTOMax) {
		return
	}
	_ = e.using(func(fd int) error {
		return set(fd, optRTOInfo, rtoInfo{Assoc: id, Initial: ms(c.RTOInitial), Max: ms(c.RTOMax), Min: ms(c.RTOMin)})
	})
}

// setScheduler chooses a scheduler, or if the kernel does not have it, the one that
// comes nearest: what is sent is the same.
func setScheduler(fd int, s socket.Scheduler) {
	if set(fd, optScheduler, assocValue{Value: schedulers[s]}) != nil {
		_ = set(fd, optScheduler, assocValue{Value: schedulerRoundRobin})
	}
}

// sizeBuffer asks for a buffer's size, beyond the system's limit if we may. The kernel
// doubles it, for what it counts is memory.
func sizeBuffer(fd, force, plain, size int) {
	if unix.SetsockoptInt(fd, unix.SOL_SOCKET, force, size) != nil {
		_ = unix.SetsockoptInt(fd, unix.SOL_SOCKET, plain, size)
	}
}

// bind binds to all local addresses (RFC 6458, section 9.1).
func bind(fd int, c Config) error {
	port := c.Port
	for i, ip := range c.Addrs {
		addr := netip.AddrPortFrom(ip, port)
		if err := set(fd, optBindxAdd, appendSockaddr(nil, addr)); err != nil {
			return fmt.Errorf("%w: binding %v: %w", socket.ErrAddr, addr, err)
		}
		if i > 0 || port != 0 {
			continue
		}
		bound, err := localAddrs(fd)
		if err != nil {
			return err
		}
		port = bound[0].Port()
	}
	return nil
}

// ms is a time in milliseconds, at least one.
func ms(d time.Duration) uint32 { return uint32(max(d.Milliseconds(), 1)) }
