package endpoint

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
	_, err := New(Config{Port: 1, Config: socket.Config{Congestion: socket.NewReno + 1}})
	require.ErrorContains(t, err, "congestion control")
}
