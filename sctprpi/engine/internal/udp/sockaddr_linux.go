package udp

import (
	"encoding/binary"
	"net"
	"net/netip"
	"strconv"
	"sync"

	"golang.org/x/sys/unix"
)

// name is an address as the kernel has it: struct sockaddr_in or sockaddr_in6.
type name [unix.SizeofSockaddrInet6]byte

// put writes an address, in the form for a socket of AF_INET6 or AF_INET, and returns
// its length: 0 if it has no such form.
func (n *name) put(a netip.AddrPort, ipv6 bool) uint32 {
	clear(n[:])
	binary.BigEndian.PutUint16(n[2:], a.Port())
	addr := a.Addr()
	if !addr.IsValid() {
		return 0
	}
	if ipv6 {
		binary.NativeEndian.PutUint16(n[:], unix.AF_INET6)
		raw := addr.As16()
		copy(n[8:], raw[:])
		if addr.Zone() != "" {
			binary.NativeEndian.PutUint32(n[24:], zoneIndex(addr.Zone()))
		}
		return unix.SizeofSockaddrInet6
	}
	if addr = addr.Unmap(); !addr.Is4() {
		return 0
	}
	binary.NativeEndian.PutUint16(n[:], unix.AF_INET)
	raw := addr.As4()
	copy(n[4:], raw[:])
	return unix.SizeofSockaddrInet4
}

// get reads an address.
func (n *name) get() netip.AddrPort {
	port := binary.BigEndian.Uint16(n[2:])
	switch binary.NativeEndian.Uint16(n[:]) {
	case unix.AF_INET:
		return netip.AddrPortFrom(netip.AddrFrom4([4]byte(n[4:8])), port)
	case unix.AF_INET6:
		addr := netip.AddrFrom16([16]byte(n[8:24])).Unmap()
		if zone := binary.NativeEndian.Uint32(n[24:]); zone != 0 {
			addr = addr.WithZone(zones.name(zone))
		}
		return netip.AddrPortFrom(addr, port)
	}
	return netip.AddrPort{}
}

// zones remembers the names of the interfaces that link-local addresses are of.
var zones zoneNames

type zoneNames struct {
	mu    sync.Mutex
	names map[uint32]string
}

func (z *zoneNames) name(index uint32) string {
	z.mu.Lock()
	defer z.mu.Unlock()
	name, ok := z.names[index]
	if !ok {
		name = strconv.Itoa(int(index))
		if i, err := net.InterfaceByIndex(int(index)); err == nil {
			name = i.Name
		}
		if z.names == nil {
			z.names = make(map[uint32]string)
		}
		z.names[index] = name
	}
	return name
}

// zoneIndex returns the index of the interface that a zone names, 0 if there is none.
func zoneIndex(zone string) uint32 {
	if zone == "" {
		return 0
	}
	if i, ok := zones.index(zone); ok {
		return i
	}
	if i, err := net.InterfaceByName(zone); err == nil {
		return uint32(i.Index)
	}
	i, _ := strconv.ParseUint(zone, 10, 32)
	return uint32(i)
}

func (z *zoneNames) index(zone string) (uint32, bool) {
	z.mu.Lock()
	defer z.mu.Unlock()
	for index, name := range z.names {
		if name == zone {
			return index, true
		}
	}
	return 0, false
}
