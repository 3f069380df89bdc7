//go:build !race && linux

package interop

import (
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/internal/interop/interoptest"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// ecn: the stacks agree on explicit congestion notification (RFC 4960, appendix A), which Linux has unless net.sctp.ecn_enable forbids it,
// and data passes whose packets may be marked. Only the engine tells that they are.
func ecn(s *setting) {
	caller, called := s.joined(socket.Config{Streams: manyStreams, ECN: true}, 0)
	markable := 0
	for _, p := range []*interoptest.Peer{caller, called} {
		status, err := p.Status(p.ID)
		require.NoError(s, err)
		if status.Paths[0].Markable {
			markable++
		}
	}
	assert.Equal(s, 1, markable)
	interoptest.Exchange(s, caller, called, load(), load())
}
