package core

import (
	"os"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/startup"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/transports"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// inJob runs ranks over TCP.
func inJob(t *testing.T, ranks int, rank func(world View)) {
	s, err := startup.NewSettings("MPI_Init", os.Getenv, transports.Find)
	require.NoError(t, err)
	require.NoError(t, s.SetTransport("tcp-perpair"))
	require.NoError(t, RunLocal("MPI_Init", ranks, s, func(world *Comm) error {
		rank(world.View(t.Context()))
		return nil
	}))
}

// MPI 4.1, section 3.7.3: an active request can be freed. Its operation goes on, and when it has completed nothing keeps the
// communicator any more.
func TestFreedRequestsGiveTheirCommunicatorBack(t *testing.T) {
	word := func(v int32) Buffer { return Of(Basic(datatype.Int32), []int32{v}) }
	inJob(t, 2, func(world View) {
		for _, start := range []func(c *View, in Buffer) (*Request, error){
			func(c *View, in Buffer) (*Request, error) { return c.Irecv("MPI_Irecv", in, 1, 1) },
			func(c *View, in Buffer) (*Request, error) {
				return c.Isendrecv("MPI_Isendrecv", word(0), ProcNull, 1, in, 1, 1)
			},
			func(c *View, in Buffer) (*Request, error) {
				r, err := c.RecvInit("MPI_Recv_init", in, 1, 1)
				require.NoError(t, err)
				return r, r.Start("MPI_Start")
			},
		} {
			made, err := world.Dup()
			require.NoError(t, err)
			c := made.View(t.Context())
			if world.Rank() == 1 {
				_, err := world.Recv("MPI_Recv", word(0), 0, 0)
				require.NoError(t, err)
				require.NoError(t, c.Send("MPI_Send", rpi.Standard, word(7), 0, 1))
				require.NoError(t, c.Free())
				continue
			}
			got := []int32{0}
			r, err := start(&c, Of(Basic(datatype.Int32), got))
			require.NoError(t, err)
			require.NoError(t, r.Free("MPI_Request_free"))
			require.ErrorIs(t, r.Free("MPI_Request_free"), rpi.ErrRequest)
			require.NoError(t, c.Free())
			require.NoError(t, world.Send("MPI_Send", rpi.Standard, word(0), 1, 0)) // now the message may come
			for made.refs.Load() > 0 {
				world.process.transport.Advance()
				runtime.Gosched()
			}
			require.Equal(t, []int32{7}, got)
		}
	})
}

// A generalized request that is freed first ends when it completes.
func TestFreedGeneralizedRequestsEnd(t *testing.T) {
	inJob(t, 1, func(world View) {
		ended := 0
		r, err := world.Generalized("MPI_Grequest_start", Hooks{Free: func() { ended++ }})
		require.NoError(t, err)
		require.NoError(t, r.Free("MPI_Request_free"))
		require.Zero(t, ended)
		require.NoError(t, r.Complete("MPI_Grequest_complete"))
		require.Equal(t, 1, ended)
	})
}
