//go:build !race

package capture_test

import (
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/capture"
)

// The race detector's build allocates more, so this is not part of it.
func TestPacketAllocatesNothingOnceItsChunksAreMade(t *testing.T) {
	w, err := capture.New(io.Discard, capture.Config{Buffer: minBuffer})
	require.NoError(t, err)
	defer w.Close()
	header, payload := noise(28), noise(1400)
	record := func() {
		w.Packet(began, true, here4, there4, header, payload)
		w.Packet(began, false, here6, there6, header, payload)
	}
	for range 2000 { // both chunks are made
		record()
	}
	assert.Zero(t, testing.AllocsPerRun(10_000, record))
}
