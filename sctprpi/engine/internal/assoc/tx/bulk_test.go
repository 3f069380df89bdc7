package tx

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// bulk is a simulated transfer of many bytes and how it went.
type bulk struct {
	*sim
	took time.Duration
}

// transfer sends that many messages of 64 KiB over a link.
func transfer(t *testing.T, l link, messages int, control func(int) Controller) bulk {
	t.Helper()
	s := newSim(t, 1, Config{InitialTSN: 1, Streams: 1, PeerWindow: 1 << 30, NewController: control}, 1, 1452, l)
	s.checkEvery = 1000
	data := [][]byte{make([]byte, 64<<10)}
	for id := range messages {
		for s.sender.Queue(s.now, &socket.Message{Data: data, Owner: id}) != nil {
			require.True(t, s.step())
			clear(s.peer.got) // which would be much
		}
	}
	for !s.sender.Drained() {
		require.True(t, s.step())
	}
	s.pump()
	require.Len(t, s.released, messages)
	return bulk{s, s.now}
}

// rate is what the transfer reached, in Mbit/s.
func (b bulk) rate() float64 {
	return float64(b.sender.Stats().Bytes) * 8 / b.took.Seconds() / 1e6
}

// log prints the figures.
func (b bulk) log(name string) {
	s, p := b.sender.Stats(), b.sender.Path(0)
	b.t.Logf("%-24s %6.1f Mbit/s; of %d chunks %d sent again, %d needlessly, %d dropped by the queue; %d recoveries, %d undone, %d timeouts",
		name, b.rate(), s.Chunks, s.Retransmissions, s.Duplicates, b.dropped, p.Recoveries, p.Undone, p.Timeouts)
}

var controls = map[string]func(int) Controller{"NewReno": NewNewReno, "CUBIC": NewCubic}

// allControls are those that take loss for congestion, and the others.
var allControls = map[string]func(int) Controller{
	"NewReno": NewNewReno, "CUBIC": NewCubic, "BBR": bbr(1, NewBBR), "BBR of the draft": bbr(1, NewBBRDraft),
}

// bbr returns what makes a BBR control whose choices follow from a seed.
func bbr(seed uint64, make func(int, *rand.Rand) Controller) func(int) Controller {
	return func(maxChunk int) Controller { return make(maxChunk, rand.New(rand.NewPCG(seed, 0))) }
}

// fast is a path of 300 Mbit/s and 20 ms with a queue of one bandwidth-delay product.
var fast = link{delay: 10 * ms, rate: 300e6 / 8, queue: 300e6 / 8 * 20 / 1000}

func TestReorderingCostsLittle(t *testing.T) {
	for name, control := range allControls {
		t.Run(name, func(t *testing.T) {
			calm := transfer(t, fast, 800, control)
			calm.log("no jitter")
			l := fast
			l.jitter = 5 * ms
			jittery := transfer(t, l, 800, control)
			jittery.log("5 ms jitter")
			assert.Greater(t, jittery.rate(), 0.7*calm.rate())
			assert.NotZero(t, jittery.sender.Path(0).Undone)
		})
	}
}

func TestLossReducesTheWindowForGood(t *testing.T) {
	for name, control := range controls {
		t.Run(name, func(t *testing.T) {
			for _, jitter := range []time.Duration{0, 5 * ms} {
				l := fast
				l.jitter, l.loss = jitter, 0.01
				lossy := transfer(t, l, 50, control)
				lossy.log(fmt.Sprintf("1 %% loss, %v jitter", jitter))
				assert.Less(t, lossy.rate(), 30.0, "a tenth of what the path bears")
				assert.LessOrEqual(t, lossy.sender.Path(0).Undone, lossy.sender.Stats().Duplicates, "each for a reason")
			}
		})
	}
}

// blind keeps a control from seeing delay, and so from leaving slow start early.
type blind struct{ Controller }

func (b blind) Acked(a Ack) {
	a.RTT = 0
	b.Controller.Acked(a)
}

func TestSlowStartEndsBeforeADeepQueueOverflows(t *testing.T) { // RFC 9406
	deep := link{delay: 10 * ms, rate: 100e6 / 8, queue: 4 * 100e6 / 8 * 20 / 1000}
	for name, control := range controls {
		t.Run(name, func(t *testing.T) {
			without := transfer(t, deep, 300, func(n int) Controller { return blind{control(n)} })
			without.log("slow start into loss")
			with := transfer(t, deep, 300, control)
			with.log("HyStart++")
			assert.NotZero(t, without.dropped)
			assert.Less(t, with.dropped, without.dropped/2)
			assert.Greater(t, with.rate(), 0.9*without.rate())
		})
	}
}

// Where nothing is lost the window stops growing when there is a queue; but not before.
func TestWindowGrowsNoFurtherThanItIsOfUse(t *testing.T) {
	for name, control := range controls {
		t.Run(name, func(t *testing.T) {
			l := link{delay: ms / 10, rate: 1e9 / 8, queue: 1 << 30} // bears 25 KB
			short := transfer(t, l, 800, control)
			short.log("short")
			assert.Greater(t, short.rate(), 900.0)
			assert.LessOrEqual(t, short.sender.Path(0).Window, 2*sufficientWindow)

			l.delay = 10 * ms // bears 2.5 MB
			long := transfer(t, l, 800, control)
			long.log("long")
			assert.Greater(t, long.sender.Path(0).Window, 2_500_000)
		})
	}
}
