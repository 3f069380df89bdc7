//go:build !race && linux

package interop

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/netem/lab/labtest"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/capturetest"
)

// kinds are the types of chunks that the matrix has each stack send the other (RFC 9260, section 3.2;
// I-DATA: RFC 8260).
var kinds = map[uint64]string{
	0: "DATA", 1: "INIT", 2: "INIT ACK", 3: "SACK", 4: "HEARTBEAT", 5: "HEARTBEAT ACK", 6: "ABORT", 7: "SHUTDOWN",
	8: "SHUTDOWN ACK", 10: "COOKIE ECHO", 11: "COOKIE ACK", 14: "SHUTDOWN COMPLETE", 64: "I-DATA",
}

// requireDecoded has tshark decode the capture of the matrix: it has no complaint, and
// the engine has sent and received chunks of all kinds.
func requireDecoded(t *testing.T, path string) {
	if os.Getenv("SCTPMPI_REQUIRE_LAB") == "1" {
		_, err := exec.LookPath("tshark")
		require.NoError(t, err, "apt-get install tshark")
	}
	packets := capturetest.Verify(t, path, labtest.UDPPort)
	for direction, seen := range chunks(t, path) {
		for kind, name := range kinds {
			assert.Positive(t, seen[kind], "%s chunks that the engine has %s", name, direction)
		}
		t.Logf("of %d packets, chunks %s: %v", packets, direction, seen)
	}
}

// chunks counts the chunks of a capture by direction and kind.
func chunks(t *testing.T, path string) map[string]map[uint64]int {
	sent, received := make(map[uint64]int), make(map[uint64]int)
	for _, row := range capturetest.Fields(t, path, labtest.UDPPort, "frame.packet_flags_direction", "sctp.chunk_type") {
		direction, err := strconv.ParseUint(row[0], 0, 32)
		require.NoError(t, err)
		seen := map[uint64]map[uint64]int{1: received, 2: sent}[direction]
		for text := range strings.SplitSeq(row[1], ",") {
			kind, err := strconv.ParseUint(text, 10, 8)
			require.NoError(t, err)
			seen[kind]++
		}
	}
	return map[string]map[uint64]int{"sent": sent, "received": received}
}
