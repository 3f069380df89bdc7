package capture

import (
	"encoding/binary"
	"net/netip"
	"time"
)

const (
	ipv4HeaderSize = 20
	ipv6HeaderSize = 40
	udpHeaderSize  = 8

	protocolUDP    = 17
	hopLimit       = 64
	dontFragment   = 0x4000
	maxFieldLength = 65_535 // what a 16-bit length can say
)

var be = binary.BigEndian

// datagram is a UDP datagram to be recorded.
type datagram struct {
	at       int64 // ns since 1970
	received bool
	v6       bool
	from, to netip.AddrPort
	parts    [][]byte
	size     int // of the payload
}

func newDatagram(at time.Time, received bool, from, to netip.AddrPort, parts [][]byte) datagram {
	d := datagram{at: at.UnixNano(), received: received, parts: parts}
	d.from = netip.AddrPortFrom(from.Addr().Unmap(), from.Port())
	d.to = netip.AddrPortFrom(to.Addr().Unmap(), to.Port())
	d.v6 = needsIPv6(d.from.Addr()) || needsIPv6(d.to.Addr())
	for _, part := range parts {
		d.size += len(part)
	}
	return d
}

// needsIPv6 reports whether an IPv4 header cannot say a. An unspecified address
// fits into either: a socket that is bound to :: talks IPv4 too.
func needsIPv6(a netip.Addr) bool { return a.Is6() && !a.IsUnspecified() }

// headerSize returns the length of the IP and UDP headers.
func (d *datagram) headerSize() int {
	if d.v6 {
		return ipv6HeaderSize + udpHeaderSize
	}
	return ipv4HeaderSize + udpHeaderSize
}

// maxSize returns how long the payload may be. The length field of IPv4 counts
// the IP header, that of IPv6 does not.
func (d *datagram) maxSize() int {
	if d.v6 {
		return maxFieldLength - udpHeaderSize
	}
	return maxFieldLength - ipv4HeaderSize - udpHeaderSize
}

// append appends the IP packet. Over IPv6 its UDP checksum is left to
// setChecksums; over IPv4 it has none, which RFC 768 allows.
func (d *datagram) append(b []byte) []byte {
	udpSize := uint16(udpHeaderSize + d.size)
	if d.v6 {
		b = d.appendIPv6(b, udpSize)
	} else {
		b = d.appendIPv4(b, udpSize)
	}
	b = be.AppendUint16(b, d.from.Port())
	b = be.AppendUint16(b, d.to.Port())
	b = be.AppendUint16(b, udpSize)
	b = be.AppendUint16(b, 0)
	for _, part := range d.parts {
		b = append(b, part...)
	}
	return b
}

// appendIPv4 appends the header of RFC 791, section 3.1, without options. As the
// packet is no fragment its identification is 0 (RFC 6864).
func (d *datagram) appendIPv4(b []byte, udpSize uint16) []byte {
	start := len(b)
	b = append(b, 4<<4|ipv4HeaderSize/4, 0)
	b = be.AppendUint16(b, ipv4HeaderSize+udpSize)
	b = be.AppendUint16(b, 0)
	b = be.AppendUint16(b, dontFragment)
	b = append(b, hopLimit, protocolUDP, 0, 0)
	from, to := as4(d.from.Addr()), as4(d.to.Addr())
	b = append(b, from[:]...)
	b = append(b, to[:]...)
	be.PutUint16(b[start+10:], ^fold(sum(0, b[start:])))
	return b
}

// appendIPv6 appends the header of RFC 8200, section 3.
func (d *datagram) appendIPv6(b []byte, udpSize uint16) []byte {
	b = append(b, 6<<4, 0, 0, 0)
	b = be.AppendUint16(b, udpSize)
	b = append(b, protocolUDP, hopLimit)
	from, to := d.from.Addr().As16(), d.to.Addr().As16()
	b = append(b, from[:]...)
	return append(b, to[:]...)
}

// as4 returns an address of which needsIPv6 says that it does not.
func as4(a netip.Addr) (b [4]byte) {
	if a.Is4() {
		b = a.As4()
	}
	return b
}
