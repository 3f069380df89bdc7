//go:build !race && linux

package interop

import (
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/internal/interop/interoptest"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// interleaving: the stacks agree on I-DATA and understand each other's (RFC 8260), as far
// as Linux goes: messages that fit a packet. It counts the fragments of longer ones from 0
// where section 2.1 has 1, the first being 0.
func interleaving(s *setting) {
	caller, called := s.joined(socket.Config{Streams: manyStreams, Interleaving: true}, 0)
	for _, p := range []*interoptest.Peer{caller, called} {
		status, err := p.Status(p.ID)
		require.NoError(s, err)
		require.True(s, status.Interleaving)
	}
	var messages []interoptest.Message
	for range 10 {
		for stream := range manyStreams {
			messages = append(messages, interoptest.NewMessage(stream, 1+10*stream))
		}
	}
	interoptest.Exchange(s, caller, called, messages, messages)
}
