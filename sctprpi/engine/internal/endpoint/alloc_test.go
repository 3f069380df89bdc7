//go:build !race

package endpoint

import (
	"fmt"
	"runtime/debug"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// In the steady state nothing is allocated from Send to the message's last
// acknowledgement, neither for a message nor for a packet, whatever their size, DATA or
// I-DATA, one at a time or many. Messages may be lent, or up to 64 KiB long.
func TestSteadyStateAllocatesNothing(t *testing.T) {
	for _, c := range []struct {
		mtu, size, burst int
		lend             bool
	}{
		{1500, 8, 1, false}, {1500, 8, 1, true}, {1500, 64, 100, false}, {1500, 64, 100, true},
		{1500, 64 << 10, 1, false}, {1500, 64 << 10, 8, true}, {65_535, 64 << 10, 4, false}, {65_535, 64 << 10, 4, true},
		{1500, 200 << 10, 2, true},
	} {
		for _, interleaving := range []bool{false, true} {
			t.Run(fmt.Sprintf("%+v, interleaving %v", c, interleaving), func(t *testing.T) {
				d := newDirect(t, socket.Config{Interleaving: interleaving, Heartbeat: -1}, c.mtu)
				steady(t, d, c.size, c.burst, c.lend)
			})
		}
	}
}

// Nor when streams have limits, which the peer is told again and again to have been read.
func TestStreamLimitsAllocateNothing(t *testing.T) {
	for _, interleaving := range []bool{false, true} {
		config := socket.Config{Interleaving: interleaving, Heartbeat: -1, StreamLimit: 4000}
		steady(t, newDirect(t, config, 1500), 64, 100, false)
		config.StreamLimit = 128 << 10
		steady(t, newDirect(t, config, 1500), 64<<10, 8, true)
		steady(t, newDirect(t, config, 65_535), 64<<10, 4, true)
	}
}

// Nor when streams share a pool, which is ample or scarce.
func TestStreamPoolsAllocateNothing(t *testing.T) {
	for _, pool := range []int{32 << 10, 1 << 20} {
		config := socket.Config{Interleaving: true, Heartbeat: -1, StreamPool: pool, StreamBase: 256}
		steady(t, newDirect(t, config, 1500), 64, 100, false)
		steady(t, newDirect(t, config, 1500), 64<<10, 8, true)
	}
}

// steady sends bursts of messages both ways and counts allocations.
func steady(t *testing.T, d *direct, size, burst int, lend bool) {
	payload := make([]byte, size)
	data := [][]byte{payload}
	messages := make([]socket.Message, burst)
	for i := range messages {
		messages[i] = socket.Message{Stream: socket.StreamID(i % 16), Unordered: i%5 == 4, Data: data, ZeroCopy: lend, Owner: &payload}
	}
	var ends, released int
	count := func(e *socket.Event) {
		switch {
		case e.Kind == socket.Data && e.End:
			ends++
		case e.Kind == socket.Released:
			released++
		}
	}
	d.ends[0].on, d.ends[1].on = count, count
	packets, passes := 0, 0
	pass := func() {
		passes++
		for i := range d.ends {
			n, err := d.ends[i].Send(d.now, d.ends[i].assoc, messages)
			if n != burst || err != nil {
				t.Fatal(n, err)
			}
		}
		packets += d.exchange()
		d.settle(100 * time.Millisecond) // delayed acknowledgements
	}
	for range 50 {
		pass()
	}
	// A garbage collection empties the pools, which is not what is measured.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	pass()
	allocs := testing.AllocsPerRun(100, pass)
	assert.Zero(t, allocs, "%d packets in %d passes", packets, passes)
	require.Equal(t, 2*burst*passes, ends)
	if lend {
		require.Equal(t, ends, released)
	}
	for i := range d.ends {
		require.Zero(t, d.ends[i].pool.Lent())
	}
}
