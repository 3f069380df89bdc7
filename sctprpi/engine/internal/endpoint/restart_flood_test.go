package endpoint

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// A peer fills the receive buffer, restarts, and fills it again, while the program does not read.
// No more than two buffers are held for it: until the program has read of its last restart, the
// next one waits, as if its COOKIE ECHO had been lost.
func TestUnreadRestartsAreBounded(t *testing.T) {
	const buffer = 64 << 10
	r := newRig(t, socket.Config{ReceiveBuffer: buffer})
	r.unread = true
	r.accepted()
	fill := func() {
		for n := range wire.SSN(100) {
			r.say(r.data(0, n, strings.Repeat("x", 1000)))
		}
	}
	fill()
	once := r.pool.Lent()
	require.NotZero(t, once)
	var echo []byte
	for range 50 {
		r.forget()
		echo = wire.AppendCookieEcho(nil, r.cookie())
		r.say(echo)
		fill()
	}
	assert.LessOrEqual(t, r.pool.Lent(), 2*once)

	// Once it is read of, the COOKIE ECHO, sent again, restarts the association.
	r.unread = false
	r.run()
	r.chunk(r.say(echo), wire.TypeCookieAck)
	assert.Equal(t, []socket.Kind{socket.Up, socket.Restarted, socket.Restarted}, r.happened())
	require.NoError(t, r.Abort(r.assoc, ""))
	r.run()
	r.gone()
}
