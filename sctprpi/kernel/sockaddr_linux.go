package kernel

import (
	"encoding/binary"
	"net"
	"net/netip"
	"strconv"

	"github.com/ishidawataru/sctp"
	"golang.org/x/sys/unix"
)

// storage is struct sockaddr_storage.
type storage [128]byte

func newStorage(a netip.AddrPort) (s storage) {
	copy(s[:], sockaddrs(a.Port(), a.Addr()))
	return s
}

// sockaddrs are addresses of one port, each as struct sockaddr_in or sockaddr_in6.
func sockaddrs(port uint16, ips ...netip.Addr) []byte {
	list := sctp.SCTPAddr{Port: int(port)}
	for _, ip := range ips {
		a := net.IPAddr{IP: ip.AsSlice()}
		if ip.Zone() != "" { // by its name: the module takes no number
			a.Zone = zoneName(zoneIndex(ip.Zone()))
		}
		list.IPAddrs = append(list.IPAddrs, a)
	}
	return list.ToRawSockAddrBuf()
}

// parseSockaddr reads the first of addresses as sockaddrs writes them, and returns how many
// bytes it has, 0 if there is none. The module reads addresses of one family only, and none
// of a notification.
func parseSockaddr(b []byte) (netip.AddrPort, int) {
	if len(b) < 2 {
		return netip.AddrPort{}, 0
	}
	switch family := binary.NativeEndian.Uint16(b); {
	case family == unix.AF_INET && len(b) >= unix.SizeofSockaddrInet4:
		ip := netip.AddrFrom4([4]byte(b[4:8]))
		return netip.AddrPortFrom(ip, binary.BigEndian.Uint16(b[2:])), unix.SizeofSockaddrInet4
	case family == unix.AF_INET6 && len(b) >= unix.SizeofSockaddrInet6:
		ip := netip.AddrFrom16([16]byte(b[8:24])).Unmap()
		// The kernel names the interface of others, too.
		if zone := binary.NativeEndian.Uint32(b[24:]); zone != 0 && ip.IsLinkLocalUnicast() {
			ip = ip.WithZone(zoneName(zone))
		}
		return netip.AddrPortFrom(ip, binary.BigEndian.Uint16(b[2:])), unix.SizeofSockaddrInet6
	}
	return netip.AddrPort{}, 0
}

func zoneIndex(zone string) uint32 {
	if i, err := net.InterfaceByName(zone); err == nil {
		return uint32(i.Index)
	}
	i, _ := strconv.ParseUint(zone, 10, 32)
	return uint32(i)
}

func zoneName(index uint32) string {
	if i, err := net.InterfaceByIndex(int(index)); err == nil {
		return i.Name
	}
	return strconv.FormatUint(uint64(index), 10)
}
