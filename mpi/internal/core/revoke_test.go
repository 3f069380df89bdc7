package core

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// The news that a communicator has been revoked may come when it has been released. The transport is not asked then.
func TestWhatIsReleasedIsNotRevoked(t *testing.T) {
	new(Comm).revoke() // which has none
}

// The news that a communicator has been revoked may come between the agreement on the context of a persistent collective operation and
// its use. The operation fails then too, and waits for no rank that has gone on.
func TestContextTakenAfterRevokeIsRevoked(t *testing.T) {
	inJob(t, 2, func(world View) {
		c, err := world.Dup()
		require.NoError(t, err)
		c.failures.Revoke()
		s := c.takeKept(make([]uint64, 1), c.process.newContext())
		for _, id := range []matching.Context{s.id, s.id | collective.Messages} {
			r := &rpi.Request{Op: rpi.OpRecv, Context: id, Peer: matching.Rank(1 - c.rank), Type: signature(packedType), Elem: 1}
			c.process.transport.Start(r)
			require.True(t, r.Completed())
			require.ErrorIs(t, r.Err, rpi.ErrRevoked)
		}
	})
}
