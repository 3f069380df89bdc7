package capturetest

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

const (
	// What tshark says of a checksum that it has found right, and of one that
	// is not there.
	checksumGood    = "1"
	checksumMissing = "3"
	// severityError is the least of Wireshark's severities of an expert info
	// that is an error. Retransmissions, for one, are below.
	severityError = 0x800000
	// noChecksum is what stands in the field of a packet that does without one.
	// Versions of tshark differ in what they say of that.
	noChecksum = "0x00000000"
)

// Verify checks the capture file path of SCTP over UDP port port: every packet is
// SCTP to tshark, none is malformed or has a bad CRC32c, and tshark has no
// complaint about any that it would call an error. Losses, duplicates and
// retransmissions are fine. It returns the number of packets.
//
// Packets that were corrupted on their way, and those that do without a checksum
// (RFC 9653), fail it.
func Verify(t testing.TB, path string, port uint16) (packets int) {
	t.Helper()
	rows := Fields(t, path, port, "frame.number", "frame.protocols", "sctp.checksum.status", "sctp.checksum",
		"udp.checksum.status", "_ws.expert.severity", "_ws.expert.message", "_ws.malformed")
	for _, row := range rows {
		number, protocols, crc, field, udp, severities, messages, malformed := row[0], row[1], row[2], row[3], row[4], row[5], row[6], row[7]
		assert.Contains(t, []string{"raw:ip:udp:sctp", "raw:ipv6:udp:sctp"}, strings.ReplaceAll(protocols, ":data", ""),
			"packet %s of %s is not SCTP over UDP", number, path)
		assert.Equal(t, checksumGood, crc, "packet %s of %s: CRC32c", number, path)
		assert.NotEqual(t, noChecksum, field, "packet %s of %s: no CRC32c", number, path)
		assert.Contains(t, []string{checksumGood, checksumMissing}, udp, "packet %s of %s: UDP checksum", number, path)
		assert.Empty(t, malformed, "packet %s of %s is malformed", number, path)
		assert.Less(t, worst(severities), severityError, "packet %s of %s: %s", number, path, messages)
	}
	return len(rows)
}

// worst returns the highest of severities, which are joined by commas.
func worst(severities string) (most int) {
	for s := range strings.SplitSeq(severities, ",") {
		n, _ := strconv.Atoi(s) // none: 0
		most = max(most, n)
	}
	return most
}
