package mpierr

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Each word of an error is said once.
func TestClassIsNamedOnce(t *testing.T) {
	assert.EqualError(t, Wrap("mpi.Init", errors.New("no such device")), "mpi.Init: no such device")
	assert.EqualError(t, Wrap("mpi.Init", fmt.Errorf("%w: SCTPMPI_STREAMS=x", rpi.ErrArg)), "mpi.Init: invalid argument: SCTPMPI_STREAMS=x")
}

func TestClassOf(t *testing.T) {
	assert.Equal(t, rpi.ErrRank, ClassOf(fmt.Errorf("request 1: %w", Invalid("mpi.Send", rpi.ErrRank, "dest %d", 7))))
	assert.Equal(t, rpi.ErrCancelled, ClassOf(Because(rpi.ErrArg, "mpi.Send", rpi.ErrCancelled, "given up")), "of the error, not of its cause")
	assert.Equal(t, rpi.ErrProcFailed, ClassOf(&rpi.PeerError{}))
	assert.Equal(t, rpi.ErrOther, ClassOf(errors.New("no such device")))
}

// face is what a face documents as its error.
type face Error

func (e *face) Error() string { return (*Error)(e).Error() }

// An error of this package within others is one of any face.
func TestErrorWithinOthersIsTheFaces(t *testing.T) {
	inner := Invalid("mpi.Send", rpi.ErrRank, "dest %d", 7)
	err := errors.Join(errors.New("another"), fmt.Errorf("request 1: %w", inner))
	of, ok := errors.AsType[*face](err)
	assert.True(t, ok)
	assert.Same(t, inner, (*Error)(of))
	_, ok = errors.AsType[*rpi.PeerError](err)
	assert.False(t, ok)
	_, ok = errors.AsType[interface {
		error
		Timeout() bool
	}](err)
	assert.False(t, ok)
	assert.ErrorIs(t, err, rpi.ErrRank)
	assert.ErrorIs(t, err, of)
	assert.NotErrorIs(t, err, &face{Class: rpi.ErrRank})
}
