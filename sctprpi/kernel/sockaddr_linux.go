package kernel

import (
	"encoding/binary"
	"net"
	"net/netip"
	"strconv"

	"golang.org/x/sys/unix"
)

// storage is struct sockaddr_storage.
type storage [128]byte

func newStorage(a netip.AddrPort) (s storage) {
	copy(s[:], appendSockaddr(nil, a))
	return s
}

// appendSockaddr appends an address as struct sockaddr_in or sockaddr_in6.
func appendSockaddr(b []byte, a netip.AddrPort) []byte {
	ip := a.Addr().Unmap()
	if ip.Is4() {
		b = binary.NativeEndian.AppendUint16(b, unix.AF_INET)
		b = binary.BigEndian.AppendUint16(b, a.Port())
		b = append(b, ip.AsSlice()...)
		return append(b, make([]byte, 8)...)
	}
	b = binary.NativeEndian.AppendUint16(b, unix.AF_INET6)
	b = binary.BigEndian.AppendUint16(b, a.Port())
	b = append(b, 0, 0, 0, 0) // flow label
	b = append(b, ip.AsSlice()...)
	return binary.NativeEndian.AppendUint32(b, zoneIndex(ip.Zone()))
}

// parseSockaddr reads an address that appendSockaddr could have written, and returns
// how long it is, 0 if it is none.
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
	if zone == "" {
		return 0
	}
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
