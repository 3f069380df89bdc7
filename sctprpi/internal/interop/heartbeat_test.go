//go:build !race && linux

package interop

import (
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/internal/interop/interoptest"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// heartbeat: ends that send no data notice that a path has gone, and that it is back (RFC
// 9260, section 8.3).
func heartbeat(s *setting) {
	caller, called := s.joined(socket.Config{
		Heartbeat: 20 * time.Millisecond, PathRetransmissions: 2, AssocRetransmissions: 100, RTOMax: 200 * time.Millisecond,
	}, 0, 1)
	confirmed(caller, called)
	require.NoError(s, s.link(1, "loss 100%"))
	for _, p := range []*interoptest.Peer{caller, called} {
		p.UntilSeen(socket.PathDown)
	}
	require.NoError(s, s.link(1, ""))
	for _, p := range []*interoptest.Peer{caller, called} {
		p.UntilSeen(socket.PathUp)
	}
	confirmed(caller, called)
	interoptest.Converse(caller, called)
}

// confirmed waits until both ends have found both paths to be the other's.
func confirmed(ends ...*interoptest.Peer) {
	for _, p := range ends {
		p.Poll("two paths", func() bool {
			status, err := p.Status(p.ID)
			return err == nil && len(status.Paths) == 2 && status.Paths[0].Up && status.Paths[1].Up
		})
	}
}
