package mpi_test

import (
	"context"
	"net"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/pmi"
	"github.com/sctpmpi/sctpmpi/mpi"
)

// launchAlone makes this process rank 0 of a job of two of which rank 1 never
// comes.
func launchAlone(t *testing.T) *pmi.Server {
	server, err := pmi.NewServer(pmi.Config{Size: 2})
	require.NoError(t, err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	var serving sync.WaitGroup
	serving.Go(func() { _ = server.Serve(listener) })
	t.Cleanup(func() {
		listener.Close()
		serving.Wait()
	})
	t.Setenv("PMI_PORT", listener.Addr().String())
	t.Setenv("PMI_ID", strconv.Itoa(server.PortID(0)))
	return server
}

// Init waits for all processes of the job, but no longer than its context lasts,
// whatever it is about; the process may try again.
func TestInitEndsWithItsContext(t *testing.T) {
	for _, cancel := range []func(server *pmi.Server, end context.CancelCauseFunc){
		func(_ *pmi.Server, end context.CancelCauseFunc) { end(errPatience) },
		func(_ *pmi.Server, end context.CancelCauseFunc) { go end(errPatience) },
		func(server *pmi.Server, end context.CancelCauseFunc) {
			go func() {
				for server.Phase(0) != pmi.Initialised {
					time.Sleep(time.Millisecond)
				}
				end(errPatience)
			}()
		},
	} {
		for range 10 {
			t.Run("", func(t *testing.T) {
				server := launchAlone(t)
				ctx, end := context.WithCancelCause(t.Context())
				cancel(server, end)
				world, err := mpi.Init(mpi.WithContext(ctx))
				require.ErrorIs(t, err, mpi.ErrCancelled)
				require.ErrorIs(t, err, errPatience)
				require.EqualError(t, err, "mpi.Init: operation cancelled: given up before all ranks had come together: out of patience")
				require.Nil(t, world)
			})
		}
	}
	launchAlone(t)
	ctx, end := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer end()
	err := mpi.Run(func(*mpi.Comm) error { panic("never") }, mpi.WithContext(ctx))
	require.ErrorIs(t, err, context.DeadlineExceeded)
	var none context.Context
	_, err = mpi.Init(mpi.WithContext(none))
	require.EqualError(t, err, "mpi.Init: invalid argument: the context is nil")

	os.Unsetenv("PMI_PORT") // until the test ends
	require.NoError(t, mpi.Run(func(world *mpi.Comm) error { return world.Barrier() }, mpi.WithContext(t.Context())))
}

// What a rank of Run or RunLocal waits for ends with the context too, Finalize
// as well as others.
func TestContextEndsWhatRanksWaitFor(t *testing.T) {
	forEachTransport(t, func(t *testing.T, options ...mpi.Option) {
		for _, connect := range []string{"lazy", "eager"} {
			ctx, end := context.WithCancelCause(t.Context())
			var entered, given sync.WaitGroup // given up
			entered.Add(2)
			given.Add(2)
			err := mpi.RunLocal(2, func(world *mpi.Comm) error {
				entered.Done()
				entered.Wait()
				var err error
				if world.Rank() == 0 {
					err = world.Finalize() // waits for rank 1
				} else {
					go end(errPatience)
					_, _, err = mpi.RecvValue[int](world, 0, 0)
				}
				given.Done()
				given.Wait()
				return err
			}, append(options, mpi.WithContext(ctx), mpi.WithConnect(connect))...)
			require.ErrorIs(t, err, errPatience)
			require.ErrorContains(t, err, "rank 0: mpi.Finalize: operation cancelled: ")
			require.ErrorContains(t, err, "rank 1: mpi.RecvValue: operation cancelled: receive from rank 0 with tag 0 given up: out of patience")
		}
		err := mpi.RunLocal(2, func(world *mpi.Comm) error { return world.Barrier() }, append(options, mpi.WithContext(ended(errPatience)))...)
		require.ErrorIs(t, err, errPatience)
	})
}
