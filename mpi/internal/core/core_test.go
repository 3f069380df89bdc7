package core_test

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/startup"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/transports"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// job runs ranks without a face.
func job(t *testing.T, ranks int, rank func(world core.View)) {
	t.Helper()
	jobOver(t, "tcp-perpair", ranks, rank)
}

// jobOver is job over a transport.
func jobOver(t *testing.T, transport string, ranks int, rank func(world core.View)) {
	t.Helper()
	s, err := startup.NewSettings("MPI_Init", os.Getenv, transports.Find)
	require.NoError(t, err)
	require.NoError(t, s.SetTransport(transport))
	require.NoError(t, s.SetPeerTimeout(5*time.Minute))
	require.NoError(t, core.RunLocal("MPI_Init", ranks, s, func(world *core.Comm) error {
		rank(world.View(context.Background()))
		return nil
	}))
}

// What has no type of Go travels as address, count and type.
func TestBuffersNeedNoTypeOfGo(t *testing.T) {
	pair, err := datatype.Struct([]int64{1, 1}, []int64{0, 8}, []*core.Type{core.Basic(datatype.Int32), core.Basic(datatype.Float64)})
	require.NoError(t, err)
	pair.SetName("pair")
	job(t, 2, func(world core.View) {
		bytes := make([]byte, 48)
		three := core.Of(pair, bytes)
		three.Count = 3
		if world.Rank() == 0 {
			copy(bytes, "0123456789abcdef")
			require.NoError(t, world.Send("MPI_Send", rpi.Synchronous, three, 1, 5))
			return
		}
		doubles := make([]float64, 6)
		m, status, err := world.Mprobe("MPI_Mprobe", 0, core.AnyTag)
		require.NoError(t, err)
		require.Equal(t, core.Status{Source: 0, Tag: 5, Count: 3, Bytes: 36}, status)
		require.Equal(t, pair.Signature(), m.Type())
		_, err = m.Recv("MPI_Mrecv", core.Of(core.Basic(datatype.Float64), doubles))
		require.EqualError(t, err, "MPI_Mrecv: element types differ or cannot be sent: 3 elements of a type unknown here ("+fmt.Sprintf("signature %#x", uint32(pair.Signature()))+
			") from rank 0 with tag 5 cannot be received as float64: an element that was sent has 12 bytes, one of float64 has 8")
	})
}

// Errors name the function that the program called, as its language knows it.
func TestErrorsNameTheFunctionOfTheFace(t *testing.T) {
	job(t, 1, func(world core.View) {
		empty := core.Buffer{Type: core.Basic(datatype.Uint8)}
		require.EqualError(t, world.Send("MPI_Send", rpi.Standard, empty, 4, 0),
			"MPI_Send: invalid rank: dest 4 is not in a communicator of 1 rank")
		_, err := new(core.View).Recv("MPI_Recv", empty, 0, 0)
		require.ErrorIs(t, err, rpi.ErrComm)
		require.EqualError(t, (*core.Request)(nil).Cancel("MPI_Cancel"), "MPI_Cancel: invalid request: the request is nil")
	})
}

// A process says what it has to do, and how many messages it has moved.
func TestPendingCountsMessages(t *testing.T) {
	job(t, 2, func(world core.View) {
		_, err := world.Barrier(core.Blocking)
		require.NoError(t, err)
		s := world.Pending()
		require.NotZero(t, s.Sent)
		require.NotZero(t, s.Received)
		require.Empty(t, s.Open)
	})
	require.Zero(t, (*core.View)(nil).Pending())
}
