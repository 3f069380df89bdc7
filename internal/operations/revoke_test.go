package operations

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// sink is a layer of a process that is sent messages and receives none.
type sink struct {
	Layer
	dropped int
}

func (s *sink) Pair(*rpi.Request, *matching.Message)                { s.dropped++ }
func (s *sink) Refusable(*matching.Message) bool                    { return false }
func (s *sink) Await(matching.Context, matching.Rank, matching.Tag) {}

// A program that revokes communicators and frees them leaves nothing of them, and messages that come late are dropped.
func TestRevokedContextsAreForgottenWhenTheyAreReleased(t *testing.T) {
	const many = 10_000
	s := new(sink)
	table := New(rpi.Config{Rank: 0, Size: 2}.WithDefaults(), s)
	for i := range many {
		c := matching.Context(4 * (i + 1))
		table.Revoke(c)
		refused := &rpi.Request{Op: rpi.OpRecv, Context: c, Peer: 1}
		require.True(t, table.Refused(refused))
		require.ErrorIs(t, refused.Err, rpi.ErrRevoked)
		table.Forget(c)
		require.NoError(t, table.Arrive(&matching.Message{Source: 1, Envelope: matching.Envelope{Context: c}}))
	}
	assert.Equal(t, many, s.dropped)
	assert.Empty(t, table.revoked)
	assert.Empty(t, table.discarded)
	assert.Len(t, table.released.order, maxReleased)
	assert.Len(t, table.released.contexts, maxReleased)
	_, unexpected := table.Match.Depth()
	assert.Zero(t, unexpected)
}
