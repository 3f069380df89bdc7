package udp

import "net/netip"

const (
	udpHeader   = 8
	ipv4Header  = 20
	ipv6Header  = 40
	maxIPLength = 65_535 // of a packet in IPv4, of its payload in IPv6

	// unknownMTU is what a route is taken to have about which nothing is known:
	// Ethernet's.
	unknownMTU = 1500
)

// maxPayload returns the largest UDP payload in bytes.
func maxPayload(to netip.Addr) int {
	if to.Unmap().Is4() {
		return maxIPLength - ipv4Header - udpHeader // 65,507
	}
	return maxIPLength - udpHeader // 65,527
}

// ipSize returns the size of the IP packet that has a UDP payload of so many bytes.
func ipSize(to netip.Addr, payload int) int {
	if to.Unmap().Is4() {
		return ipv4Header + udpHeader + payload
	}
	return ipv6Header + udpHeader + payload
}

// refusal returns the report of a packet that the system refused to send and said the
// MTU was mtu. Whatever it said, that packet was too big.
func refusal(to netip.AddrPort, payload, mtu int) report {
	return report{to: to, mtu: min(mtu, ipSize(to.Addr(), maxPayload(to.Addr())), ipSize(to.Addr(), payload)-1)}
}
