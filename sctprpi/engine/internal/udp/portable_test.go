package udp

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/packet"
)

// A process may stand still for longer than Send waits for room. As there is room, nothing is dropped.
func TestPortableSendDropsNothingAfterAStall(t *testing.T) {
	a, b := variants[1].listen(t, loopback4), variants[0].listen(t, loopback4)
	var batch packet.Batch
	var want [][]byte
	for i := range 10 {
		want = append(want, payload(i, 1000))
		add(&batch, packet.Packet{To: at(b)}, want[i])
	}
	passed := time.Now().Add(-time.Second)
	require.NoError(t, a.socket.(*portable).sendBy(&batch, passed))
	requireBytes(t, want, collect(t, b, len(want), 8))
	assert.Zero(t, a.Stats().Overrun)
}
