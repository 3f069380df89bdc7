package udplink

import (
	"encoding/binary"
	"fmt"
	"net/netip"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

const (
	// spins is how often an empty socket is polled before the process blocks.
	spins = 300
	// bufferSize is the size in bytes that is asked for. The system may grant less.
	bufferSize = 4 << 20
)

// socket is a UDP socket, with the arguments of its system calls, which are allocated once.
type socket struct {
	fd           int
	addr         netip.AddrPort
	buffered     int // bytes of the receive buffer
	out, in      unix.Msghdr
	to, from     unix.RawSockaddrInet4
	outControl   [8]uint64 // aligned as a control message is
	inControl    [8]uint64
	parts        []unix.Iovec
	datagram     []byte
	datagramPart unix.Iovec
}

// open opens a socket bound to the loopback interface.
func open() (_ *socket, err error) {
	s := &socket{datagram: make([]byte, 1<<16)}
	s.fd, err = unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, os.NewSyscallError("socket", err)
	}
	defer func() {
		if err != nil {
			_ = s.close()
		}
	}()
	if err := unix.Bind(s.fd, &unix.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		return nil, os.NewSyscallError("bind", err)
	}
	name, err := unix.Getsockname(s.fd)
	if err != nil {
		return nil, os.NewSyscallError("getsockname", err)
	}
	s.addr = netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), uint16(name.(*unix.SockaddrInet4).Port))
	for _, option := range []int{unix.SO_RCVBUF, unix.SO_SNDBUF} {
		if err := unix.SetsockoptInt(s.fd, unix.SOL_SOCKET, option, bufferSize); err != nil {
			return nil, os.NewSyscallError("setsockopt", err)
		}
	}
	if s.buffered, err = unix.GetsockoptInt(s.fd, unix.SOL_SOCKET, unix.SO_RCVBUF); err != nil {
		return nil, os.NewSyscallError("getsockopt", err)
	}
	if err := unix.SetsockoptInt(s.fd, unix.SOL_UDP, unix.UDP_GRO, 1); err != nil {
		return nil, fmt.Errorf("the kernel does not know UDP_GRO, Linux 5.0 does: %w", err)
	}
	s.out.Name, s.out.Namelen = (*byte)(unsafe.Pointer(&s.to)), unix.SizeofSockaddrInet4
	s.in.Name = (*byte)(unsafe.Pointer(&s.from))
	s.datagramPart.Base = &s.datagram[0]
	s.datagramPart.SetLen(len(s.datagram))
	s.in.Iov = &s.datagramPart
	s.in.SetIovlen(1)
	s.in.Control = (*byte)(unsafe.Pointer(&s.inControl))
	return s, nil
}

// target sets the address to send to.
func (s *socket) target(a netip.AddrPort) {
	s.to = unix.RawSockaddrInet4{Family: unix.AF_INET, Addr: a.Addr().As4()}
	binary.BigEndian.PutUint16((*[2]byte)(unsafe.Pointer(&s.to.Port))[:], a.Port())
}

// targetSource sets the address to send to: where the last datagram came from.
func (s *socket) targetSource() { s.to = s.from }

// send sends parts as packets of packetSize bytes. The last may be shorter.
func (s *socket) send(parts [][]byte, packets int) error {
	s.parts = s.parts[:0]
	for _, part := range parts {
		v := unix.Iovec{Base: &part[0]}
		v.SetLen(len(part))
		s.parts = append(s.parts, v)
	}
	s.out.Iov = &s.parts[0]
	s.out.SetIovlen(len(s.parts))
	s.out.Control = nil
	s.out.SetControllen(0)
	if packets > 1 {
		control := (*unix.Cmsghdr)(unsafe.Pointer(&s.outControl))
		control.Level, control.Type = unix.SOL_UDP, unix.UDP_SEGMENT
		control.SetLen(unix.CmsgLen(2))
		*(*uint16)(unsafe.Add(unsafe.Pointer(control), unix.CmsgLen(0))) = packetSize
		s.out.Control = (*byte)(unsafe.Pointer(control))
		s.out.SetControllen(unix.CmsgSpace(2))
	}
	for {
		// Raw, as it does not block, so the scheduler need not know.
		_, _, errno := unix.RawSyscall(unix.SYS_SENDMSG, uintptr(s.fd), uintptr(unsafe.Pointer(&s.out)), 0)
		switch errno {
		case 0:
			return nil
		case unix.EAGAIN:
			if err := s.wait(unix.POLLOUT); err != nil {
				return err
			}
		case unix.EINTR:
		default:
			return os.NewSyscallError("sendmsg", errno)
		}
	}
}

// receive waits for packets. It returns them together, and their size, except that the last may be
// shorter. They are in the socket's memory until the next call.
func (s *socket) receive() (b []byte, size int, err error) {
	for tries := 1; ; tries++ {
		s.in.Namelen = unix.SizeofSockaddrInet4
		s.in.SetControllen(len(s.inControl) * 8)
		n, _, errno := unix.RawSyscall(unix.SYS_RECVMSG, uintptr(s.fd), uintptr(unsafe.Pointer(&s.in)), 0)
		switch errno {
		case 0:
			return s.datagram[:n], s.segment(int(n)), nil
		case unix.EAGAIN:
			if tries%spins == 0 {
				if err := s.wait(unix.POLLIN); err != nil {
					return nil, 0, err
				}
			}
		case unix.EINTR:
		default:
			return nil, 0, os.NewSyscallError("recvmsg", errno)
		}
	}
}

// segment returns the size of the packets in n bytes that were received together.
func (s *socket) segment(n int) int {
	control := (*unix.Cmsghdr)(unsafe.Pointer(&s.inControl))
	if int(s.in.Controllen) < unix.CmsgLen(4) || control.Level != unix.SOL_UDP || control.Type != unix.UDP_GRO {
		return n
	}
	return int(*(*int32)(unsafe.Add(unsafe.Pointer(control), unix.CmsgLen(0))))
}

func (s *socket) wait(events int16) error {
	for {
		_, err := unix.Poll([]unix.PollFd{{Fd: int32(s.fd), Events: events}}, -1)
		if err != unix.EINTR {
			return os.NewSyscallError("poll", err)
		}
	}
}

func (s *socket) close() error { return os.NewSyscallError("close", unix.Close(s.fd)) }
