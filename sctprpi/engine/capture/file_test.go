package capture_test

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/capture"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/capturetest"
)

const minMaxBytes = 1 << 20

// fill records packets of 1400 bytes with TSNs from 1 on.
func fill(w *capture.Writer, packets int) {
	for i := range packets {
		w.Packet(began, false, here4, there4, data(wire.TSN(i+1), 1400))
	}
}

// However long a job runs, the disk holds the latest packets without a gap, in
// at most MaxBytes.
func TestTheLatestPacketsAreKept(t *testing.T) {
	const packets = 5000 // 7 MB
	c := capture.Config{MaxBytes: minMaxBytes}
	path := captured(t, c, func(w *capture.Writer) { fill(w, packets) })

	joined := path + ".joined"
	old, err := os.ReadFile(path + ".old")
	require.NoError(t, err)
	latest, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.LessOrEqual(t, len(old)+len(latest), minMaxBytes)
	require.NoError(t, os.WriteFile(joined, slices.Concat(old, latest), 0o600))

	kept := capturetest.Verify(t, joined, port)
	assert.Equal(t, kept, capturetest.Verify(t, path, port)+capturetest.Verify(t, path+".old", port))
	assert.Greater(t, kept*1400, minMaxBytes/4)
	for i, row := range capturetest.Fields(t, joined, port, "sctp.data_tsn_raw") {
		require.Equal(t, strconv.Itoa(packets-kept+i+1), row[0])
	}
}

// Two captures must not be taken for one.
func TestCreateRemovesWhatACaptureBeforeHasLeft(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.pcapng")
	for _, name := range []string{path, path + ".old"} {
		require.NoError(t, os.WriteFile(name, make([]byte, 1000), 0o600))
	}
	w, err := capture.Create(path, capture.Config{})
	require.NoError(t, err)
	fill(w, 1)
	require.NoError(t, w.Close())
	assert.Equal(t, 1, capturetest.Verify(t, path, port))
	assert.NoFileExists(t, path+".old")
}

func TestTheFileIsItsOwnersAlone(t *testing.T) {
	path := captured(t, capture.Config{MaxBytes: minMaxBytes}, func(w *capture.Writer) { fill(w, 1000) })
	for _, name := range []string{path, path + ".old"} {
		info, err := os.Stat(name)
		require.NoError(t, err)
		assert.Equal(t, os.FileMode(0o600), info.Mode())
	}
}

// Removing a capture file that grows too large does not end the capture.
func TestARemovedFileIsBegunAnew(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.pcapng")
	w, err := capture.Create(path, capture.Config{MaxBytes: minMaxBytes})
	require.NoError(t, err)
	require.NoError(t, os.Remove(path))
	fill(w, 500)
	require.NoError(t, w.Close())
	assert.Positive(t, capturetest.Verify(t, path, port))
}

// The file is for others to know whose it is.
func TestTheFileNamesTheApplication(t *testing.T) {
	path := captured(t, capture.Config{Application: "farm, rank 3 of 8"}, func(*capture.Writer) {})
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Contains(t, string(b), "farm, rank 3 of 8")
	assert.Contains(t, string(b), "-d udp.port==N,sctp")
}
