package endpoint

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/simnet"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Config.Congestion: after a loss CUBIC goes on with 0.7 of its window (RFC 9438, section
// 4.6), NewReno with half of it (RFC 9260, section 7.2.3).
func TestALossShowsWhichCongestionControlThereIs(t *testing.T) {
	for name, c := range map[string]struct {
		congestion socket.Congestion
		left       float64
	}{
		"CUBIC":   {socket.Cubic, 0.7},
		"NewReno": {socket.NewReno, 0.5},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPair(t, socket.Config{Congestion: c.congestion})
			id := p.connect()
			path := func() socket.PathStatus { return p.status(p.a, id).Paths[0] }
			for range 1000 {
				p.send(p.a, id, text(0, strings.Repeat("m", 1000)))
			}
			p.until("the window is large", func() bool { return path().Window > 60_000 })
			p.a.lose(wire.TypeData, 1)
			before, after := 0, path().Window
			p.until("the loss is found", func() bool {
				before, after = after, path().Window
				return p.status(p.a, id).Recoveries > 0
			})
			assert.InDelta(t, c.left, float64(after)/float64(before), 0.05)
			p.until("all arrives", func() bool { return len(p.dataB) == 1000 })
			assert.Zero(t, p.status(p.a, id).Timeouts)
		})
	}
}

func TestAnUnknownCongestionControlIsRefused(t *testing.T) {
	_, err := New(Config{Port: 1, Config: socket.Config{Congestion: socket.BBRDraft + 1}})
	require.ErrorContains(t, err, "congestion control")
}

// BBR fills a link that loses packets, with a peer that acknowledges every second packet, and paces by the deadlines of the endpoint.
func TestBBRFillsALinkInSpiteOfLoss(t *testing.T) {
	for _, control := range []socket.Congestion{socket.BBR, socket.BBRDraft} {
		p := newPair(t, socket.Config{Congestion: control, SendBuffer: 16 << 20})
		p.link(simnet.Conditions{Delay: 10 * time.Millisecond, Rate: 20e6, Queue: 100_000, Overhead: 28, Loss: 0.01})
		id := p.connect()
		const messages, size = 300, 30_000
		begun := p.net.Now()
		for range messages {
			p.send(p.a, id, text(0, strings.Repeat("m", size)))
		}
		p.until("all arrives", func() bool { return len(p.dataB) == messages })
		rate := messages * size * 8 / (p.net.Now() - begun).Seconds()
		t.Logf("%.1f Mbit/s", rate/1e6)
		assert.Greater(t, rate, 14e6)
		assert.Zero(t, p.status(p.a, id).Timeouts)
	}
}
