package capture_test

import (
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/capture"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/capturetest"
)

// failedTest stands in for a test, and keeps how it failed.
type failedTest struct {
	testing.TB
	failures []string
}

func (v *failedTest) Errorf(format string, args ...any) {
	v.failures = append(v.failures, fmt.Sprintf(format, args...))
}
func (v *failedTest) FailNow() { runtime.Goexit() }

// complaints returns what capturetest.Verify finds wrong with a file.
func complaints(t *testing.T, path string, port uint16) string {
	v := &failedTest{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		capturetest.Verify(v, path, port)
	}()
	<-done
	return strings.Join(v.failures, "\n")
}

func heartbeat() []byte {
	b := wire.AppendHeader(nil, wire.Header{SourcePort: 1, DestinationPort: 2, Tag: 3})
	return wire.AppendHeartbeat(b, []byte("to whom it may concern"))
}

// captureOf returns the path of a capture of payloads, on port 5000.
func captureOf(t *testing.T, payloads ...[]byte) string {
	path := filepath.Join(t.TempDir(), "run.pcapng")
	w, err := capture.Create(path, capture.Config{})
	require.NoError(t, err)
	for _, p := range payloads {
		w.Packet(time.Now(), false, netip.MustParseAddrPort("192.0.2.1:5000"), netip.MustParseAddrPort("192.0.2.2:5000"), p)
	}
	require.NoError(t, w.Close())
	return path
}

func TestVerifyFindsWhatIsWrong(t *testing.T) {
	capturetest.Need(t)
	good := heartbeat()
	wire.SetChecksum(good)
	corrupt := append([]byte{}, good...)
	corrupt[len(corrupt)-1] ^= 1
	malformed := heartbeat()
	malformed[wire.HeaderSize+3] = 200 // longer than the packet
	wire.SetChecksum(malformed)
	gap := wire.AppendSACK(heartbeat()[:wire.HeaderSize], &wire.SACK{
		GapBlocks: wire.GapBlocks{}.Append(wire.GapBlock{Start: 5, End: 4}),
	})
	wire.SetChecksum(gap)

	assert.Empty(t, complaints(t, captureOf(t, good, good), 5000))
	assert.Contains(t, complaints(t, captureOf(t, good, corrupt), 5000), "packet 2 of")
	assert.Contains(t, complaints(t, captureOf(t, corrupt), 5000), "CRC32c")
	assert.Contains(t, complaints(t, captureOf(t, heartbeat()), 5000), "no CRC32c")
	assert.Contains(t, complaints(t, captureOf(t, malformed), 5000), "is malformed")
	assert.Contains(t, complaints(t, captureOf(t, gap), 5000), "gap block")
	assert.Contains(t, complaints(t, captureOf(t, good), 6000), "not SCTP over UDP")
}

func TestVerifyFindsADamagedFile(t *testing.T) {
	capturetest.Need(t)
	good := heartbeat()
	wire.SetChecksum(good)
	path := captureOf(t, good, good)
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.NoError(t, os.Truncate(path, info.Size()-100))

	assert.Contains(t, complaints(t, path, 5000), "cut short")
	assert.Contains(t, complaints(t, path+".gone", 5000), "doesn't exist")
}

func TestMissingTsharkIsNamed(t *testing.T) {
	t.Setenv("CI", "true")
	t.Setenv("PATH", t.TempDir())
	assert.Contains(t, complaints(t, "any.pcapng", 5000), "apt-get install tshark")
}
