package endpoint

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// BenchmarkHold puts a stream on hold and lets it go, beside 10,000 that are on hold.
func BenchmarkHold(b *testing.B) {
	const streams = 10_000
	d := newDirect(b, socket.Config{Streams: streams + 1, Heartbeat: -1}, 1500)
	end := &d.ends[1]
	for id := range socket.StreamID(streams) {
		require.NoError(b, end.Hold(end.assoc, id, true))
	}
	b.ReportAllocs()
	for b.Loop() {
		for _, hold := range []bool{true, false} {
			if err := end.Hold(end.assoc, streams, hold); err != nil {
				b.Fatal(err)
			}
		}
	}
}
