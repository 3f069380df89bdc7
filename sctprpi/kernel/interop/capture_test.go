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

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/capture/capturetest"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/kernel/kerneltest"
)

// kinds are the chunks that the matrix has each stack send the other.
var kinds = []wire.ChunkType{
	wire.TypeData, wire.TypeInit, wire.TypeInitAck, wire.TypeSACK, wire.TypeHeartbeat, wire.TypeHeartbeatAck,
	wire.TypeAbort, wire.TypeShutdown, wire.TypeShutdownAck, wire.TypeCookieEcho, wire.TypeCookieAck,
	wire.TypeShutdownComplete, wire.TypeIData,
}

// requireDecoded has tshark decode the capture of the matrix: it has no complaint, and
// the engine has sent and received chunks of all kinds.
func requireDecoded(t *testing.T, path string) {
	if os.Getenv("SCTPMPI_REQUIRE_LAB") == "1" {
		_, err := exec.LookPath("tshark")
		require.NoError(t, err, "apt-get install tshark")
	}
	packets := capturetest.Verify(t, path, kerneltest.UDPPort)
	for direction, seen := range chunks(t, path) {
		for _, kind := range kinds {
			assert.Positive(t, seen[kind], "%v chunks that the engine has %s", kind, direction)
		}
		t.Logf("of %d packets, chunks %s: %v", packets, direction, seen)
	}
}

// chunks counts the chunks of a capture by direction and kind.
func chunks(t *testing.T, path string) map[string]map[wire.ChunkType]int {
	sent, received := make(map[wire.ChunkType]int), make(map[wire.ChunkType]int)
	for _, row := range capturetest.Fields(t, path, kerneltest.UDPPort, "frame.packet_flags_direction", "sctp.chunk_type") {
		direction, err := strconv.ParseUint(row[0], 0, 32)
		require.NoError(t, err)
		seen := map[uint64]map[wire.ChunkType]int{1: received, 2: sent}[direction]
		for text := range strings.SplitSeq(row[1], ",") {
			kind, err := strconv.ParseUint(text, 10, 8)
			require.NoError(t, err)
			seen[wire.ChunkType(kind)]++
		}
	}
	return map[string]map[wire.ChunkType]int{"sent": sent, "received": received}
}
