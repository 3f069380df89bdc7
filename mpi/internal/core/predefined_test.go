package core

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/startup"
)

// numbered is a launcher that answers the second question for the AppNum.
type numbered struct {
	startup.Launcher
	asked int
}

func (l *numbered) AppNum(context.Context) (int, error) {
	if l.asked++; l.asked == 1 {
		return 0, errors.New("busy")
	}
	return 2, nil
}

// The launcher is asked for the AppNum until it has said it.
func TestAppNumIsAskedForOnce(t *testing.T) {
	l := &numbered{}
	p := &process{launcher: l}
	_, err := p.appNum(t.Context())
	require.ErrorContains(t, err, "busy")
	for range 3 {
		number, err := p.appNum(t.Context())
		require.NoError(t, err)
		require.Equal(t, 2, number)
	}
	require.Equal(t, 2, l.asked)
}
