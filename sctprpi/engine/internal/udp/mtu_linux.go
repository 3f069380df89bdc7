package udp

import (
	"net/netip"

	"golang.org/x/sys/unix"
)

// routeMTU asks a socket connected for the question: one that is not connected has no
// route.
func routeMTU(to netip.Addr) int {
	family, level, option := unix.AF_INET, unix.SOL_IP, unix.IP_MTU
	if to.Is6() {
		family, level, option = unix.AF_INET6, unix.SOL_IPV6, unix.IPV6_MTU
	}
	fd, err := unix.Socket(family, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return unknownMTU
	}
	defer unix.Close(fd)
	const discard = 9 // any port will do: nothing is sent
	if err := unix.Connect(fd, sockaddr(netip.AddrPortFrom(to, discard))); err != nil {
		return unknownMTU
	}
	mtu, err := unix.GetsockoptInt(fd, level, option)
	if err != nil {
		return unknownMTU
	}
	return mtu
}

func sockaddr(a netip.AddrPort) unix.Sockaddr {
	if a.Addr().Is4() {
		return &unix.SockaddrInet4{Port: int(a.Port()), Addr: a.Addr().As4()}
	}
	return &unix.SockaddrInet6{Port: int(a.Port()), Addr: a.Addr().As16(), ZoneId: zoneIndex(a.Addr().Zone())}
}
