package capture

import (
	"encoding/binary"
	"iter"
	"runtime"
	"strings"
)

// The blocks of a pcapng file that are written here, in little-endian order, and
// their options. See [draft-ietf-opsawg-pcapng].
//
// [draft-ietf-opsawg-pcapng]: https://datatracker.ietf.org/doc/draft-ietf-opsawg-pcapng/
const (
	blockSection    = 0x0A0D0D0A
	blockInterface  = 1
	blockStatistics = 5
	blockPacket     = 6

	optionEnd     = 0
	optionComment = 1

	sectionHardware    = 2
	sectionOS          = 3
	sectionApplication = 4

	interfaceName       = 2
	interfaceResolution = 9

	packetFlags     = 2
	packetDropCount = 4

	statisticsReceived = 4
	statisticsDropped  = 5

	byteOrderMagic = 0x1A2B3C4D
	linkTypeRaw    = 101 // LINKTYPE_RAW: IPv4 or IPv6, as its first nibble says
	nanoseconds    = 9   // timestamps count 10⁻⁹ s

	directionReceived, directionSent = 1, 2

	// packetDataOffset is where in a packet's block the packet is.
	packetDataOffset = 28
	// maxPacketOverhead is what is written with a UDP payload at most: the block,
	// its options, padding, and the headers of IPv6 and UDP.
	maxPacketOverhead = packetDataOffset + ipv6HeaderSize + udpHeaderSize + 3 + 8 + 12 + 4 + 4
)

const comment = "SCTP encapsulated in UDP (RFC 6951). " +
	"For a UDP port N other than 9899: tshark -d udp.port==N,sctp, or Decode As in Wireshark."

var le = binary.LittleEndian

// appendHeader appends what a file begins with: a section and its one interface.
func appendHeader(b []byte, application string) []byte {
	start := len(b)
	b = openBlock(b, blockSection)
	b = le.AppendUint32(b, byteOrderMagic)
	b = le.AppendUint16(b, 1) // version 1.0
	b = le.AppendUint16(b, 0)
	b = le.AppendUint64(b, ^uint64(0)) // length of the section: unknown
	b = appendOption(b, optionComment, comment)
	b = appendOption(b, sectionHardware, runtime.GOARCH)
	b = appendOption(b, sectionOS, runtime.GOOS)
	b = appendOption(b, sectionApplication, strings.ToValidUTF8(application, "\uFFFD"))
	b = appendOption(b, optionEnd, "")
	b = closeBlock(b, start)

	start = len(b)
	b = openBlock(b, blockInterface)
	b = le.AppendUint16(b, linkTypeRaw)
	b = le.AppendUint16(b, 0) // reserved
	b = le.AppendUint32(b, 0) // packets are whole
	b = appendOption(b, interfaceName, "udp")
	b = openOption(b, interfaceResolution, 1)
	b = pad(append(b, nanoseconds), 1)
	b = appendOption(b, optionEnd, "")
	return closeBlock(b, start)
}

// appendPacket appends the block of a packet. lost is how many packets before it were
// not recorded.
func appendPacket(b []byte, p *datagram, lost uint64) []byte {
	start := len(b)
	b = openBlock(b, blockPacket)
	b = le.AppendUint32(b, 0) // the interface
	b = appendTimestamp(b, p.at)
	size := uint32(p.headerSize() + p.size)
	b = le.AppendUint32(b, size) // captured
	b = le.AppendUint32(b, size) // on the network
	b = p.append(b)
	b = pad(b, int(size))

	direction := uint32(directionSent)
	if p.received {
		direction = directionReceived
	}
	b = openOption(b, packetFlags, 4)
	b = le.AppendUint32(b, direction)
	if lost > 0 {
		b = openOption(b, packetDropCount, 8)
		b = le.AppendUint64(b, lost)
	}
	b = appendOption(b, optionEnd, "")
	return closeBlock(b, start)
}

// statistics are about a whole capture, however many files it took.
type statistics struct {
	last       int64  // when the last packet was seen, in ns since 1970
	seen, lost uint64 // packets; those lost have been seen too
}

func appendStatistics(b []byte, s statistics) []byte {
	start := len(b)
	b = openBlock(b, blockStatistics)
	b = le.AppendUint32(b, 0) // the interface
	b = appendTimestamp(b, s.last)
	b = openOption(b, statisticsReceived, 8)
	b = le.AppendUint64(b, s.seen)
	b = openOption(b, statisticsDropped, 8)
	b = le.AppendUint64(b, s.lost)
	b = appendOption(b, optionEnd, "")
	return closeBlock(b, start)
}

// packetsIn walks the IP packets in blocks.
func packetsIn(blocks []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for b := blocks; len(b) > 0; b = b[blockSize(b):] {
			if le.Uint32(b) != blockPacket {
				continue
			}
			size := le.Uint32(b[packetDataOffset-8:])
			if !yield(b[packetDataOffset:][:size]) {
				return
			}
		}
	}
}

// wholeBlocks returns how many of the first n bytes of blocks are whole blocks.
func wholeBlocks(blocks []byte, n int) int {
	whole := 0
	for whole < n && whole+blockSize(blocks[whole:]) <= n {
		whole += blockSize(blocks[whole:])
	}
	return whole
}

func blockSize(b []byte) int { return int(le.Uint32(b[4:])) }

// openBlock appends the start of a block to be closed by closeBlock.
func openBlock(b []byte, blockType uint32) []byte {
	b = le.AppendUint32(b, blockType)
	return le.AppendUint32(b, 0)
}

// closeBlock ends the block that starts at start: its length, here and there.
func closeBlock(b []byte, start int) []byte {
	size := uint32(len(b) - start + 4)
	le.PutUint32(b[start+4:], size)
	return le.AppendUint32(b, size)
}

func appendOption(b []byte, code uint16, value string) []byte {
	b = openOption(b, code, len(value))
	return pad(append(b, value...), len(value))
}

func openOption(b []byte, code uint16, size int) []byte {
	b = le.AppendUint16(b, code)
	return le.AppendUint16(b, uint16(size))
}

// appendTimestamp appends a time in ns since 1970, its high half first.
func appendTimestamp(b []byte, ns int64) []byte {
	b = le.AppendUint32(b, uint32(uint64(ns)>>32))
	return le.AppendUint32(b, uint32(ns))
}

// pad appends zeros until size, the length of what was appended last, is a
// multiple of four.
func pad(b []byte, size int) []byte {
	return append(b, "\x00\x00\x00"[:-size&3]...)
}
