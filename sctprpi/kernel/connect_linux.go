package kernel

import (
	"fmt"
	"net/netip"
	"runtime"
	"unsafe"

	"github.com/ishidawataru/sctp"
	"golang.org/x/sys/unix"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// maxPeerAddrs is how many addresses Connect accepts.
const maxPeerAddrs = 256

// Connect begins an association.
func (e *endpoint) Connect(peer ...socket.Addr) (socket.AssocID, error) {
	if err := e.checkPeer(peer); err != nil {
		return 0, err
	}
	e.reading.Lock()
	defer e.reading.Unlock()
	defer e.admit()
	// A second attempt is needed if the peer has begun an association meanwhile, and a third if
	// that one has ended.
	var err error
	for range 8 {
		if id := e.find(peer); id != 0 {
			return id, e.join(id)
		}
		if err := e.vacancy(); err != nil {
			return 0, err
		}
		var id socket.AssocID
		if id, err = e.connect(peer); err == nil {
			return id, e.join(id)
		}
		if err != unix.EISCONN && err != unix.EALREADY {
			break
		}
	}
	return 0, e.orClosed(fmt.Errorf("%w: connecting to %v: %w", socket.ErrAddr, peer, err))
}

// checkPeer checks the addresses of a peer.
func (e *endpoint) checkPeer(peer []socket.Addr) error {
	if len(peer) == 0 || len(peer) > maxPeerAddrs {
		return fmt.Errorf("%w: a peer has 1 to %d addresses, not %d", socket.ErrAddr, maxPeerAddrs, len(peer))
	}
	for _, a := range peer {
		switch {
		case !a.IP.IsValid() || a.IP.IsUnspecified():
			return fmt.Errorf("%w: %v has no IP address", socket.ErrAddr, a)
		case a.Port == 0:
			return fmt.Errorf("%w: %v has no port", socket.ErrAddr, a)
		case a.Port != peer[0].Port:
			return fmt.Errorf("%w: %v and %v are not of one socket, whose ports are the same", socket.ErrAddr, peer[0], a)
		case a.UDP != 0 && e.udp == 0:
			return fmt.Errorf("%w: %v is reached by UDP, which the kernel does not do: "+
				"try sysctl net.sctp.udp_port=9899 before the socket is made", socket.ErrAddr, a)
		}
	}
	return nil
}

// vacancy returns why there can be no more associations, nil if there can.
func (e *endpoint) vacancy() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := e.state(); err != nil {
		return err
	}
	if e.full() {
		return fmt.Errorf("%w: %d", socket.ErrTooMany, len(e.assocs))
	}
	return nil
}

// join adds an association that the kernel has.
func (e *endpoint) join(id socket.AssocID) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := e.state(); err != nil {
		return err
	}
	a := e.assocs[id]
	if a == nil {
		a = e.add(id)
	}
	e.removeUnauthenticated(a) // the user has asked for it
	return nil
}

// add adds an association.
func (e *endpoint) add(id socket.AssocID) *association {
	a := &association{id: id}
	e.assocs[id] = a
	return a
}

// admit makes the kernel refuse associations that peers begin while there are enough. Its caller
// holds reading.
func (e *endpoint) admit() {
	if e.config.RefuseIncoming {
		return
	}
	e.mu.Lock()
	full := e.full()
	e.mu.Unlock()
	if full == e.refusing {
		return
	}
	backlog := unix.SOMAXCONN
	if full {
		backlog = 0
	}
	if e.using(func(fd int) error { return unix.Listen(fd, backlog) }) == nil {
		e.refusing = full
	}
}

// find returns the association with one of the addresses, 0 if there is none.
func (e *endpoint) find(peer []socket.Addr) socket.AssocID {
	for _, a := range peer {
		info := sctp.PeerAddrinfo{Address: newStorage(netip.AddrPortFrom(a.IP, a.Port))}
		if ask(e, sctp.SCTP_GET_PEER_ADDR_INFO, &info) == nil {
			return socket.AssocID(info.AssocID)
		}
	}
	return 0
}

// connect is sctp_connectx (RFC 6458, section 9.9). The module's SCTPConnect does not return the
// association of a nonblocking socket.
func (e *endpoint) connect(peer []socket.Addr) (id socket.AssocID, err error) {
	if err := e.encapsulate(encapsulation{}, peer[0].UDP); err != nil {
		return 0, err
	}
	ips := make([]netip.Addr, len(peer))
	for i, a := range peer {
		ips[i] = a.IP
	}
	list := sockaddrs(peer[0].Port, ips...)
	question := struct {
		assoc, size int32
		list        unsafe.Pointer
	}{size: int32(len(list)), list: unsafe.Pointer(&list[0])}
	n := uint32(unsafe.Sizeof(question))
	err = e.using(func(fd int) error {
		_, _, errno := unix.Syscall6(unix.SYS_GETSOCKOPT, uintptr(fd), unix.IPPROTO_SCTP, sctp.SCTP_SOCKOPT_CONNECTX3,
			uintptr(unsafe.Pointer(&question)), uintptr(unsafe.Pointer(&n)), 0)
		if errno != 0 && errno != unix.EINPROGRESS {
			return errno
		}
		return nil
	})
	runtime.KeepAlive(list)
	if err != nil {
		return 0, err
	}
	for _, a := range peer[1:] {
		if a.UDP != peer[0].UDP {
			to := encapsulation{Assoc: question.assoc, Addr: newStorage(netip.AddrPortFrom(a.IP, a.Port))}
			if err := e.encapsulate(to, a.UDP); err != nil {
				return 0, err
			}
		}
	}
	return socket.AssocID(question.assoc), nil
}

// orClosed returns err, or the error of a closed socket if the socket is closed.
func (e *endpoint) orClosed(err error) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return socket.ErrClosed
	}
	return err
}
