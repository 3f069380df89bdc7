package core_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// errTorn is the outcome of the work of these tests.
var errTorn = errors.New("torn")

// work is an operation that is neither a message nor a collective operation.
type work struct {
	whole                         rpi.Request
	outcomes, cancelled, releases int
}

func (w *work) Outcome() (core.Status, error) {
	w.outcomes++
	return core.Status{Tag: w.outcomes}, errTorn
}
func (w *work) Cancel(string) error { w.cancelled++; return nil }
func (w *work) Release()            { w.releases++ }

// A request may stand for anything that completes: the calls that wait for it are the same.
func TestRequestsStandForOtherOperations(t *testing.T) {
	job(t, 1, func(world core.View) {
		var w work
		r := world.NewRequest("MPI_File_iread", &w.whole, &w)
		_, done, err := r.Test()
		require.NoError(t, err)
		require.False(t, done)
		require.NoError(t, r.Cancel("MPI_Cancel"))
		require.Equal(t, 1, w.cancelled)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err = r.Wait(ctx)
		require.EqualError(t, err, "MPI_File_iread: operation pending: it is still under way: context canceled")
		go w.whole.Complete(nil)
		i, status, err := core.WaitAny(t.Context(), "MPI_Waitany", []*core.Request{nil, r})
		require.Equal(t, 1, i)
		require.Equal(t, 1, status.Tag)
		require.ErrorIs(t, err, errTorn)
		_, err = r.Wait(t.Context())
		require.ErrorIs(t, err, errTorn)
		require.Equal(t, []int{1, 1}, []int{w.outcomes, w.releases})
		require.NoError(t, r.Cancel("MPI_Cancel"), "of a complete request does nothing")
	})
}

// starter is work that is started again.
type starter struct {
	work
	starts int
}

func (s *starter) Prepare() *rpi.Request {
	if s.starts > 0 {
		s.whole.Reset()
	}
	return &s.whole
}

func (s *starter) Start() {
	s.starts++
	s.whole.Complete(nil)
}

func TestPersistentRequestsStandForOtherOperations(t *testing.T) {
	job(t, 1, func(world core.View) {
		var s starter
		r := world.NewPersistent("MPI_Psend_init", &s)
		for i := 1; i <= 3; i++ {
			require.NoError(t, r.Start("MPI_Start"))
			<-r.Done()
			status, err := r.Wait(t.Context())
			require.ErrorIs(t, err, errTorn)
			require.Equal(t, i, status.Tag)
			status, err = r.Wait(t.Context())
			require.NoError(t, err, "it is inactive")
			require.Equal(t, core.EmptyStatus, status)
		}
		require.Zero(t, s.releases)
		require.NoError(t, r.Free("MPI_Request_free"))
		require.Equal(t, 1, s.releases)
	})
}

// helped is work that whatever waits for it carries out.
type helped struct{ work }

func (h *helped) Help() { h.whole.Complete(nil) }

// A call that waits without a limit carries work out if it can. One whose context may end does not: the work may take longer.
func TestWaitHelps(t *testing.T) {
	job(t, 1, func(world core.View) {
		var alone, other, limited helped
		a, o := world.NewRequest("MPI_File_iread", &alone.whole, &alone), world.NewRequest("MPI_File_iread", &other.whole, &other)
		_, err := a.Wait(context.Background())
		require.ErrorIs(t, err, errTorn)
		_, err = core.WaitAll(context.Background(), []*core.Request{a, o}, nil)
		require.ErrorIs(t, err, errTorn)
		require.True(t, other.whole.Completed())
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		r := world.NewRequest("MPI_File_iread", &limited.whole, &limited)
		_, err = r.Wait(ctx)
		require.ErrorIs(t, err, rpi.ErrPending)
		require.False(t, limited.whole.Completed())
		limited.Help()
		_, err = r.Wait(ctx)
		require.ErrorIs(t, err, errTorn)
	})
}
