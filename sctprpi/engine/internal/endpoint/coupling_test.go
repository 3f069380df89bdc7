package endpoint

import (
	"encoding/binary"
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/simnet"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// throughOne begins a transfer over two paths and one over a third, all through one link, and returns what arrives of each in half a minute,
// after a while for finding out that the two share it.
func throughOne(t *testing.T, c socket.Config, link simnet.Conditions) (two, single float64) {
	a, b := both(c)
	delay := simnet.Conditions{Delay: link.Delay}
	f := newBulk(t, a, b, 0, delay, delay)
	c.SendBuffer = 64 << 20
	other := &pair{t: t, net: f.net, a: newHost(t, f.net, 1000, c, "10.0.9.1"), b: newHost(t, f.net, 2000, c, "10.0.9.2")}
	other.a.on, other.b.on = record(&other.seenA, &other.dataA), record(&other.seenB, &other.dataB)
	other.link(delay)
	id := other.connect()
	var ways []simnet.Way
	for _, home := range []string{"10.0.0.", "10.0.1.", "10.0.9."} {
		ways = append(ways, simnet.Way{From: netip.MustParseAddr(home + "1"), To: netip.MustParseAddr(home + "2")})
	}
	f.net.Bottleneck(link, ways...)
	var got, gotOther int
	count := func(n *int) func(e *socket.Event) {
		return func(e *socket.Event) { *n += len(e.Payload) }
	}
	f.b.on, other.b.on = count(&got), count(&gotOther)
	message := make([]byte, bulkSize)
	binary.BigEndian.PutUint32(message, 1)
	for i := range 6000 {
		m := socket.Message{Stream: socket.StreamID(i % 4), Data: [][]byte{message}}
		f.send(f.a, f.id, m)
		other.send(other.a, id, m)
	}
	f.net.Advance(f.net.Now() + 10*time.Second)
	gotBefore, otherBefore := got, gotOther
	const measured = 30 * time.Second
	f.net.Advance(f.net.Now() + measured)
	rate := func(n int) float64 { return float64(n*8) / measured.Seconds() / 1e6 }
	require.Less(t, max(got, gotOther), 6000*bulkSize, "there is more to send all the time")
	return rate(got - gotBefore), rate(gotOther - otherBefore)
}

// Two paths through one link take together about what one flow does.
func TestTwoPathsThroughOneLinkTakeWhatOneFlowDoes(t *testing.T) {
	for name, congestion := range map[string]socket.Congestion{"CUBIC": socket.Cubic, "NewReno": socket.NewReno} {
		for what, link := range map[string]simnet.Conditions{
			"a long queue": mbit(20, 10*time.Millisecond, 0), "a short queue": {Delay: 10 * time.Millisecond, Rate: 20e6, Queue: 40_000, Overhead: 28},
		} {
			two, single := throughOne(t, socket.Config{Congestion: congestion}, link)
			t.Logf("%s, %s: %.1f Mbit/s on two paths beside %.1f on one: %.2f of both", name, what, two, single, single/(two+single))
			assert.GreaterOrEqual(t, single/(two+single), 0.4)
			assert.Greater(t, two+single, 17.)
			assert.Greater(t, two, 4., "nor is it crowded out")
		}
	}
}
