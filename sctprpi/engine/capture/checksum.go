package capture

// setChecksums computes what IPv6 does not let a UDP header do without: its
// checksum (RFC 8200, section 8.1). The goroutine that writes does it, so that
// Packet need not read what it copies.
func setChecksums(blocks []byte) {
	for packet := range packetsIn(blocks) {
		if packet[0]>>4 == 6 {
			setUDPChecksum(packet)
		}
	}
}

// setUDPChecksum computes the UDP checksum of an IPv6 packet, 0 so far.
func setUDPChecksum(packet []byte) {
	addresses, udp := packet[8:ipv6HeaderSize], packet[ipv6HeaderSize:]
	// The pseudo-header: addresses, length, protocol.
	acc := sum(uint64(len(udp))+protocolUDP, addresses)
	checksum := ^fold(sum(acc, udp))
	if checksum == 0 {
		checksum = 0xFFFF // 0 would say that there is none
	}
	be.PutUint16(udp[6:], checksum)
}

// sum adds b to the Internet checksum acc (RFC 1071), not yet folded. It takes
// 32 bits at a time, of which acc holds the carries of 2³² additions.
func sum(acc uint64, b []byte) uint64 {
	for ; len(b) >= 8; b = b[8:] {
		v := be.Uint64(b)
		acc += v>>32 + v&0xFFFFFFFF
	}
	var rest [8]byte
	copy(rest[:], b)
	v := be.Uint64(rest[:])
	return acc + v>>32 + v&0xFFFFFFFF
}

func fold(acc uint64) uint16 {
	for acc > 0xFFFF {
		acc = acc>>16 + acc&0xFFFF
	}
	return uint16(acc)
}
