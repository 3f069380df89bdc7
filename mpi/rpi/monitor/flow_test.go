package monitor

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOneGoroutineSendsAtATime(t *testing.T) {
	var f Flow
	require.True(t, f.Free())
	f.Begin()
	require.True(t, f.Sending())
	require.False(t, f.Free())
	f.End(false)
	require.True(t, f.Free())
}

func TestAFullNetworkIsAwaited(t *testing.T) {
	var f Flow
	f.Begin()
	f.End(true)
	require.False(t, f.Free())
	require.True(t, f.Writable())
	require.True(t, f.Free())
	require.False(t, f.Writable(), "nothing had waited for it")
}

// TestRoomThatComesWhileSendingIsNotMissed: the network was full when it was asked, and had said that it is not any more before the goroutine
// could note that.
func TestRoomThatComesWhileSendingIsNotMissed(t *testing.T) {
	var f Flow
	f.Begin()
	require.False(t, f.Writable())
	f.End(true)
	require.True(t, f.Free())
}

func TestABlockedNetworkTakesNothingUntilItSaysSo(t *testing.T) {
	var f Flow
	f.Begin()
	f.Writable()
	require.True(t, f.Resumed())
	f.Block()
	require.False(t, f.Free())
	require.False(t, f.Sending())
	require.True(t, f.Writable())
	require.True(t, f.Free())
}

func TestAFlowEndsByWhatTheNetworkHasReturned(t *testing.T) {
	full := errors.New("no room")
	for _, c := range []struct {
		err          error
		free, broken bool
	}{
		{nil, true, false},
		{fmt.Errorf("sending: %w", full), false, false},
		{errors.New("cut"), false, true},
	} {
		var f Flow
		f.Begin()
		require.Equal(t, c.broken, f.EndBy(c.err, full), "%v", c.err)
		require.Equal(t, c.free, f.Free(), "%v", c.err)
	}
}
