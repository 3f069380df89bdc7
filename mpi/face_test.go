package mpi

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/startup"
)

// The core and its face mean the same by special values.
func TestSpecialValuesAreTheCores(t *testing.T) {
	require.Equal(t, []int{core.AnySource, core.AnyTag, core.ProcNull, core.Undefined, core.MaxTag},
		[]int{AnySource, AnyTag, ProcNull, Undefined, MaxTag})
	require.Equal(t, startup.DefaultTransport, DefaultTransport)
}

// Errors are *Error, also where they are within others.
func TestErrorsAreOfThisPackage(t *testing.T) {
	world, err := Init()
	require.NoError(t, err)
	defer func() { require.NoError(t, world.Finalize()) }()
	alone, ok := Send(world, []int{1}, 7, 0).(*Error)
	require.True(t, ok)
	require.Equal(t, "mpi.Send", alone.Op)

	truncated, err := Irecv(world, make([]int, 1), 0, 3)
	require.NoError(t, err)
	require.NoError(t, Send(world, []int{1, 2}, 0, 3))
	_, err = WaitAll(t.Context(), nil, truncated)
	within, ok := errors.AsType[*Error](err)
	require.True(t, ok)
	require.Equal(t, ErrTruncate, within.Class)
	_, again := truncated.Wait(t.Context())
	require.Same(t, within, again)
}
