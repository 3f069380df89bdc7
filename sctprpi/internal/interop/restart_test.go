//go:build !race && linux

package interop

import (
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/netem"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/interop/interoptest"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

func restartOfCaller(s *setting) {
	caller, called := s.joined(hasty, 0)
	restart(s, called, caller, 0, s.caller)
}

func restartOfCalled(s *setting) {
	caller, called := s.joined(hasty, 0)
	restart(s, caller, called, 1, s.called)
}

// hasty tries again soon.
var hasty = socket.Config{RTOInitial: 50 * time.Millisecond}

// restart: an end notices when the other, at a host, has lost the association and comes
// again from the same address (RFC 9260, section 5.2.4).
func restart(s *setting, stays, leaves *interoptest.Peer, host int, stack interoptest.Stack) {
	interoptest.Converse(stays, leaves)
	// Both have all acknowledged, so that only heartbeats are sent to the peer that is gone.
	stays.Poll("acknowledgements", stays.Acknowledged)
	leaves.Poll("acknowledgements", leaves.Acknowledged)

	s.sends(host, "loss 100%") // so that its end goes unheard
	require.NoError(s, leaves.Close())
	s.sends(host, "")
	at := leaves.LocalAddrs()[0]
	again := s.peer(host, stack, hasty, interoptest.Local{Port: at.Port, UDP: at.UDP}, 0)
	again.Dial(stays.LocalAddrs()...)
	again.UntilSeen(socket.Up)
	stays.UntilSeen(socket.Restarted)
	require.Equal(s, 1, stays.Seen[socket.Up])
	interoptest.Converse(stays, again)
}

// sends has all packets that a host sends over the first link meet conditions as they leave
// it: what is lost is lost before the call that sends it returns. At the switch, where the
// other conditions are, it may still be on its way then.
func (s *setting) sends(host int, conditions string) {
	s.Helper()
	c, err := netem.Parse(conditions)
	require.NoError(s, err)
	require.NoError(s, s.net.Host(host).Do(func() error { return c.Apply("eth0") }))
}
