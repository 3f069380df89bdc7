package core

import (
	"errors"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/startup"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/transports"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// A process that a peer takes for dead, though it lives, learns so, and leaves the job: all its operations fail, those under way too, and
// its Abort ends itself alone. The others go on without it.
func TestAProcessThatCountsAsDeadLeavesItsJob(t *testing.T) {
	for _, transport := range []string{"sctp-engine", "sctp-pertrc", "tcp-perpair", "tcp-pertrc"} {
		for _, shm := range []string{"auto", "off"} {
			t.Run(transport+", shared memory "+shm, func(t *testing.T) {
				t.Setenv(rpi.EnvSharedMemory, shm)
				s, err := startup.NewSettings("MPI_Init", os.Getenv, transports.Find)
				require.NoError(t, err)
				require.NoError(t, s.SetTransport(transport))
				require.NoError(t, s.SetPeerTimeout(time.Hour))
				require.NoError(t, RunLocal("MPI_Init", 4, s, func(comm *Comm) error {
					world := comm.View(t.Context())
					_, _ = world.Barrier(Blocking) // which rank 0 may leave before others
					if world.Rank() == 3 {
						outcastOf(t, &world)
						return nil
					}
					if world.Rank() == 0 { // the others hear of it in the agreement
						comm.process.transport.GiveUp(3, errors.New("it does not answer"))
					}
					rest, err := world.Shrink()
					if err != nil {
						return err
					}
					require.Equal(t, 3, rest.group.Size())
					view := rest.View(t.Context())
					_, err = view.Barrier(Blocking)
					return err
				}))
			})
		}
	}
}

// outcastOf is what a rank does that is given up.
func outcastOf(t *testing.T, world *View) {
	_, err := world.Shrink() // begun before it knows, or after
	const outcast = "the other ranks have taken this process for dead"
	require.ErrorContains(t, err, outcast)
	_, err = world.Agree(1)
	require.ErrorContains(t, err, "mpi.Agree: "+outcast)
	require.ErrorContains(t, world.Finalize(), outcast)
	require.NoError(t, world.Abort("mpi.Abort", 1))
}
