package core

import (
	"context"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// A leader that gives up when some of its messages have left still does its part: the other group fails too, and does not wait,
// and the next call is in order.
func TestLeadersThatGiveUpInTheTrade(t *testing.T) {
	const op, tag = "MPI_Intercomm_create", 7
	for name, meet := range map[string]func(t *testing.T, half, world *View, giveUp func()){
		"its proposal has left": func(t *testing.T, half, world *View, giveUp func()) {
			for found := false; !found; runtime.Gosched() {
				var err error
				_, found, err = world.process.transport.Iprobe(world.context|rpi.Internal, 0, tag)
				require.NoError(t, err)
			}
			giveUp()
			_, err := half.CreateIntercomm(0, world, 0, tag)
			require.ErrorIs(t, err, rpi.ErrCancelled)
			require.ErrorContains(t, err, "it failed on rank 0: ")
		},
		"its group has left": func(t *testing.T, half, world *View, giveUp func()) {
			mine, theirs, members := proposal{Size: 2, Leader: 2}, proposal{}, make([]matching.Rank, 2)
			pass := func(what rpi.Op, b Buffer) { require.NoError(t, world.pass(op, what, 0, tag, b)) }
			pass(rpi.OpSend, proposals(&mine))
			pass(rpi.OpRecv, proposals(&theirs))
			pass(rpi.OpRecv, Of(rankType, members))
			require.Equal(t, []matching.Rank{0, 1}, members)
			giveUp()
			pass(rpi.OpSend, Of(rankType, []matching.Rank{2, 3})) // nothing waits for it any more
			failed := proposal{Failed: uint64(rpi.ErrCancelled)}
			require.NoError(t, half.gatherIn(op, 0, bytesOf(&failed)))
		},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			gaveUp := make(chan struct{})
			inJob(t, 4, func(world View) {
				me := world.Rank()
				made, err := world.Split(me/2, 0)
				require.NoError(t, err)
				half := made.View(t.Context())
				remote := (me/2*2 + 2) % 4
				switch me {
				case 0:
					patient := world.Comm.View(ctx)
					_, err = half.CreateIntercomm(0, &patient, remote, tag)
					require.ErrorIs(t, err, rpi.ErrCancelled)
					require.ErrorIs(t, err, context.Canceled)
					close(gaveUp)
				case 2:
					meet(t, &half, &world, func() { cancel(); <-gaveUp })
				default:
					_, err = half.CreateIntercomm(0, nil, remote, tag)
					require.ErrorIs(t, err, rpi.ErrCancelled)
				}
				for range 2 {
					inter, err := half.CreateIntercomm(0, &world, remote, tag)
					require.NoError(t, err)
					between := inter.View(t.Context())
					require.Equal(t, 2, between.RemoteSize())
					_, err = between.Barrier(Blocking)
					require.NoError(t, err)
					require.NoError(t, between.Free())
				}
			})
		})
	}
}
