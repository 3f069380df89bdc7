//go:build !race && linux

package interop

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// TestRestart proves that either stack notices when the other has lost the association
// and comes again from the same address (RFC 9260, section 5.2.4).
func TestRestart(t *testing.T) {
	hasty := socket.Config{RTOInitial: 50 * time.Millisecond}
	for name, stacks := range pairs {
		t.Run(name, func(t *testing.T) {
			a := newEnd(t, stacks[0](t, hasty, 0, 0, loopback))
			b := newEnd(t, stacks[1](t, hasty, 0, 0, loopback))
			from, to := a.LocalAddrs()[0], b.LocalAddrs()[0]
			r := newRelay(t, from.UDP, to.UDP)
			there, here := to, from
			there.UDP, here.UDP = port(r.left), port(r.right)

			a.connect(there)
			a.untilSeen(socket.Up)
			b.untilSeen(socket.Up)
			converse(a, b)

			// The end of the old one goes unheard.
			r.fate.Store(passNone)
			require.NoError(t, b.Close())
			again := newEnd(t, stacks[1](t, hasty, to.Port, to.UDP, loopback))
			r.fate.Store(passSetup)
			again.connect(here)
			again.untilSeen(socket.Up)
			a.untilSeen(socket.Restarted)
			r.fate.Store(passAll)
			require.Equal(t, 1, a.seen[socket.Up])
			converse(a, again)
		})
	}
}
