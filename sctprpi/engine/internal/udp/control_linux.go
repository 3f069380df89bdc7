package udp

import (
	"encoding/binary"
	"net/netip"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/packet"
)

// control is memory, aligned, for the control messages that go with a message: the
// local address, the size of the datagrams in a GSO batch, and the bits of ECN; and for
// what the error queue has.
type control [20]uint64

func (c *control) bytes() []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(c)), int(unsafe.Sizeof(*c)))
}

// put writes a control message at an offset and returns where its data goes and the
// offset of the next.
func (c *control) put(at, level, kind, size int) (data []byte, next int) {
	b := c.bytes()
	h := (*unix.Cmsghdr)(unsafe.Pointer(&b[at]))
	h.Level, h.Type = int32(level), int32(kind)
	h.SetLen(unix.CmsgLen(size))
	data = b[at+unix.CmsgLen(0):][:size]
	clear(data)
	return data, at + unix.CmsgSpace(size)
}

// putSource tells which local address to send from. It returns the length of what
// is written.
func (c *control) putSource(from netip.Addr, ipv6 bool) int {
	if ipv6 {
		data, next := c.put(0, unix.SOL_IPV6, unix.IPV6_PKTINFO, unix.SizeofInet6Pktinfo)
		raw := from.As16()
		copy(data, raw[:])
		return next
	}
	data, next := c.put(0, unix.SOL_IP, unix.IP_PKTINFO, unix.SizeofInet4Pktinfo)
	if from = from.Unmap(); from.Is4() {
		raw := from.As4()
		copy(data[4:], raw[:]) // ipi_spec_dst
	}
	return next
}

// putSegment tells of how many bytes the datagrams of a GSO batch are.
func (c *control) putSegment(at, size int) int {
	data, next := c.put(at, unix.SOL_UDP, unix.UDP_SEGMENT, 2)
	binary.NativeEndian.PutUint16(data, uint16(size))
	return next
}

// putECN tells of the bits of ECN of a datagram to an IPv4 or IPv6 address.
func (c *control) putECN(at int, ecn packet.ECN, v4 bool) int {
	level, kind := unix.SOL_IPV6, unix.IPV6_TCLASS
	if v4 {
		level, kind = unix.SOL_IP, unix.IP_TOS
	}
	data, next := c.put(at, level, kind, 4)
	binary.NativeEndian.PutUint32(data, uint32(ecn))
	return next
}

// parse reads the control messages of a message received: the size of the datagrams
// in it, 0 if it is one, the local address that it was sent to, mapped into IPv6,
// all zero if that is not told, and the bits of ECN.
func parse(b []byte) (size int, to [16]byte, ecn packet.ECN) {
	for len(b) > 0 {
		h, data, rest, err := unix.ParseOneSocketControlMessage(b)
		if err != nil {
			return
		}
		switch {
		case h.Level == unix.SOL_UDP && h.Type == unix.UDP_GRO && len(data) >= 4:
			size = int(binary.NativeEndian.Uint32(data))
		case h.Level == unix.SOL_IP && h.Type == unix.IP_PKTINFO && len(data) >= unix.SizeofInet4Pktinfo:
			to = netip.AddrFrom4([4]byte(data[8:12])).As16() // ipi_addr
		case h.Level == unix.SOL_IPV6 && h.Type == unix.IPV6_PKTINFO && len(data) >= unix.SizeofInet6Pktinfo:
			to = [16]byte(data[:16])
		case h.Level == unix.SOL_IP && h.Type == unix.IP_TOS && len(data) >= 1:
			ecn = packet.ECN(data[0]) & packet.CE
		case h.Level == unix.SOL_IPV6 && h.Type == unix.IPV6_TCLASS && len(data) >= 4:
			ecn = packet.ECN(binary.NativeEndian.Uint32(data)) & packet.CE
		}
		b = rest
	}
	return
}
