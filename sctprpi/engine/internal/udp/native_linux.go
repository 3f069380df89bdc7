package udp

import (
	"net"
	"net/netip"
	"os"
	"sync"
	"sync/atomic"

	"golang.org/x/sys/unix"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/packet"
)

// native is a socket by means of Linux' system calls. Its descriptor is not known to
// Go's network poller, which would wake an idle thread whenever something arrives, at
// the expense of the one that is about to receive it.
type native struct {
	*shared
	fd   int
	ipv6 bool // whether the socket is of AF_INET6, which takes IPv4 as well
	// tellsLocal: the kernel tells which local address a datagram was sent to. A socket that is
	// bound to one address does without.
	tellsLocal bool
	own        []local // local addresses

	// use is read-locked while the descriptor is used, so that it is not closed or changed
	// meanwhile (see callFragmented). Calls made under it do not block.
	use    sync.RWMutex
	closed bool

	calls      calls
	segmenting atomic.Bool
	coalescing bool
	notifies   bool      // of congestion: see Conn.ECN
	writers    sync.Pool // of *writer
	reader     reader
}

// local is a local address in the form that control messages have it.
type local struct {
	raw  [16]byte
	addr netip.Addr
}

func openNative(s *shared, port uint16, c Config) (*native, error) {
	single := len(s.locals) == 1 && !s.locals[0].IsUnspecified()
	n := &native{shared: s, tellsLocal: !single, calls: kernel}
	family, v4, v6 := unix.AF_INET, false, false
	for _, a := range s.locals {
		n.own = append(n.own, local{a.As16(), a})
		v4 = v4 || a.Is4()
		v6 = v6 || a.Is6()
	}
	if v6 {
		family, n.ipv6 = unix.AF_INET6, true
	}
	any6 := s.locals[0].IsUnspecified() && v6
	fd, err := unix.Socket(family, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, unix.IPPROTO_UDP)
	if err != nil {
		return nil, os.NewSyscallError("socket", err)
	}
	n.fd = fd
	if err := n.setUp(port, c, !v4 && !any6); err != nil {
		unix.Close(fd)
		return nil, err
	}
	n.writers.New = func() any { return newWriter(n) }
	n.reader.init()
	return n, nil
}

// setUp sets the socket's options and binds it.
func (n *native) setUp(port uint16, c Config, only6 bool) error {
	n.sizeBuffer(unix.SO_RCVBUFFORCE, unix.SO_RCVBUF, c.ReceiveBuffer)
	n.sizeBuffer(unix.SO_SNDBUFFORCE, unix.SO_SNDBUF, c.SendBuffer)
	if !c.NoOffload {
		// Not known to kernels before 4.18 and 5.0: ENOPROTOOPT.
		n.segmenting.Store(unix.SetsockoptInt(n.fd, unix.SOL_UDP, unix.UDP_SEGMENT, 0) == nil)
		n.coalescing = unix.SetsockoptInt(n.fd, unix.SOL_UDP, unix.UDP_GRO, 1) == nil
	}
	// The path MTU is the engine's to find (RFC 8899), so the kernel neither
	// fragments nor holds packets to the path MTU that it has heard of. It keeps
	// what it hears for us (drainErrors).
	options := []option{
		{unix.SOL_IP, unix.IP_MTU_DISCOVER, unix.IP_PMTUDISC_PROBE, "IP_MTU_DISCOVER"},
		{unix.SOL_IP, unix.IP_RECVERR, 1, "IP_RECVERR"},
	}
	if n.ipv6 {
		v6only := 0
		if only6 {
			v6only = 1
		}
		options = append(options,
			option{unix.SOL_IPV6, unix.IPV6_V6ONLY, v6only, "IPV6_V6ONLY"},
			option{unix.SOL_IPV6, unix.IPV6_MTU_DISCOVER, unix.IPV6_PMTUDISC_PROBE, "IPV6_MTU_DISCOVER"},
			option{unix.SOL_IPV6, unix.IPV6_RECVERR, 1, "IPV6_RECVERR"})
	}
	if n.tellsLocal {
		if n.ipv6 {
			options = append(options, option{unix.SOL_IPV6, unix.IPV6_RECVPKTINFO, 1, "IPV6_RECVPKTINFO"})
		} else {
			options = append(options, option{unix.SOL_IP, unix.IP_PKTINFO, 1, "IP_PKTINFO"})
		}
	}
	for _, o := range options {
		if err := unix.SetsockoptInt(n.fd, o.level, o.name, o.value); err != nil {
			return os.NewSyscallError("setsockopt "+o.what, err)
		}
	}
	n.notifies = c.ECN && n.notify()
	bind := n.locals[0]
	if n.tellsLocal && n.ipv6 {
		bind = netip.IPv6Unspecified()
	} else if n.tellsLocal {
		bind = netip.IPv4Unspecified()
	}
	return os.NewSyscallError("bind", unix.Bind(n.fd, sockaddr(netip.AddrPortFrom(bind, port))))
}

type option struct {
	level, name, value int
	what               string
}

// notify has the kernel tell the ECN bits of what arrives, and set ECT(0) in what is sent, unless a control message says otherwise: so
// most packets of data need none. It reports whether the kernel does.
func (n *native) notify() bool {
	options := []option{
		{unix.SOL_IP, unix.IP_RECVTOS, 1, "IP_RECVTOS"},
		{unix.SOL_IP, unix.IP_TOS, int(packet.ECT0), "IP_TOS"},
	}
	if n.ipv6 {
		options = append(options,
			option{unix.SOL_IPV6, unix.IPV6_RECVTCLASS, 1, "IPV6_RECVTCLASS"},
			option{unix.SOL_IPV6, unix.IPV6_TCLASS, int(packet.ECT0), "IPV6_TCLASS"})
	}
	for i, o := range options {
		if unix.SetsockoptInt(n.fd, o.level, o.name, o.value) != nil {
			for _, done := range options[:i] {
				_ = unix.SetsockoptInt(n.fd, done.level, done.name, 0)
			}
			return false
		}
	}
	return true
}

func (n *native) ecn() bool { return n.notifies }

// sizeBuffer asks for a buffer's size, beyond the system's limit if we may.
func (n *native) sizeBuffer(force, plain, size int) {
	if unix.SetsockoptInt(n.fd, unix.SOL_SOCKET, force, size) != nil {
		_ = unix.SetsockoptInt(n.fd, unix.SOL_SOCKET, plain, size) // what is granted, Buffers tells
	}
}

func (n *native) buffers() (receive, send int) {
	granted := func(option int) int {
		size, _ := unix.GetsockoptInt(n.fd, unix.SOL_SOCKET, option)
		return size / 2 // the kernel doubles what it is asked for: socket(7)
	}
	n.use.RLock()
	defer n.use.RUnlock()
	if n.closed {
		return 0, 0
	}
	return granted(unix.SO_RCVBUF), granted(unix.SO_SNDBUF)
}

func (n *native) boundPort() uint16 {
	switch a, _ := unix.Getsockname(n.fd); a := a.(type) {
	case *unix.SockaddrInet4:
		return uint16(a.Port)
	case *unix.SockaddrInet6:
		return uint16(a.Port)
	}
	return 0
}

func (n *native) offloads() (segmentation, coalescing bool) {
	return n.segmenting.Load(), n.coalescing
}

func (n *native) close() error {
	n.use.Lock()
	if n.closed {
		n.use.Unlock()
		return nil
	}
	n.closed = true
	n.reader.drop()
	n.use.Unlock()
	return os.NewSyscallError("close", unix.Close(n.fd))
}

func (n *native) descriptor() int { return n.fd }

func (n *native) rest() (ready bool) {
	n.reader.rested.Store(true)
	return n.reader.kept.Load()
}

// alive fails if the socket is closed.
func (n *native) alive() error {
	n.use.RLock()
	defer n.use.RUnlock()
	if n.closed {
		return net.ErrClosed
	}
	return nil
}
