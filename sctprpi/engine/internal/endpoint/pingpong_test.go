package endpoint

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// BenchmarkPingPong measures what the protocol costs a small message on its way, from
// Send to the event, without a network.
func BenchmarkPingPong(b *testing.B) {
	d := newDirect(b, socket.Config{Heartbeat: -1}, 65_535)
	arrived := 0
	for i := range d.ends {
		d.ends[i].on = func(*socket.Event) { arrived++ }
	}
	message := []socket.Message{{Stream: 1, Data: [][]byte{make([]byte, 64)}}}
	packets, i := 0, 0
	for b.Loop() {
		end := &d.ends[i&1]
		if _, err := end.Send(d.now, end.assoc, message); err != nil {
			b.Fatal(err)
		}
		packets += d.flush(i & 1)
		d.now += 5 * time.Microsecond
		d.ends[1-i&1].receive(d.now)
		i++
	}
	require.Equal(b, i, arrived)
	b.ReportMetric(float64(packets)/float64(i), "packets/op")
}
