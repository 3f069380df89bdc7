package core_test

import (
	"context"
	"os"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/startup"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/transports"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// job runs ranks without a face.
func job(t *testing.T, ranks int, rank func(world core.View)) {
	t.Helper()
	s, err := startup.NewSettings("MPI_Init", os.Getenv, transports.Find)
	require.NoError(t, err)
	require.NoError(t, s.SetTransport("tcp-perpair"))
	require.NoError(t, s.SetPeerTimeout(5*time.Minute))
	require.NoError(t, core.RunLocal("MPI_Init", ranks, s, func(world *core.Comm) error {
		rank(world.View(context.Background()))
		return nil
	}))
}

// What has no type of Go travels as address, count and type.
func TestBuffersNeedNoTypeOfGo(t *testing.T) {
	pair := &core.Type{Sig: core.Compound | 7, Size: 16, Name: "pair"}
	core.Register(pair)
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
		require.Equal(t, core.Status{Source: 0, Tag: 5, Count: 3, Bytes: 48}, status)
		require.Equal(t, pair.Sig, m.Type())
		_, err = m.Recv("MPI_Mrecv", core.Of(&core.Basic[reflect.Float64], doubles))
		require.EqualError(t, err, "MPI_Mrecv: element types differ or cannot be sent: 3 elements of pair from rank 0 with tag 5 cannot be received as float64")
	})
}

// Errors name the function that the program called, as its language knows it.
func TestErrorsNameTheFunctionOfTheFace(t *testing.T) {
	job(t, 1, func(world core.View) {
		empty := core.Buffer{Type: &core.Basic[reflect.Uint8]}
		require.EqualError(t, world.Send("MPI_Send", rpi.Standard, empty, 4, 0),
			"MPI_Send: invalid rank: dest 4 is not in a communicator of 1 rank")
		_, err := new(core.View).Recv("MPI_Recv", empty, 0, 0)
		require.ErrorIs(t, err, rpi.ErrComm)
		require.EqualError(t, (*core.Request)(nil).Cancel("MPI_Cancel"), "MPI_Cancel: invalid request: the request is nil")
	})
}

func TestSignaturesHaveNames(t *testing.T) {
	require.Equal(t, "float64", core.TypeName(core.Basic[reflect.Float64].Sig))
	require.Contains(t, core.TypeName(core.Compound|12345), "unknown here")
}
