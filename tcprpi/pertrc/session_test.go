package pertrc

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/handshake"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/handshake/handshaketest"
)

// Connections of messages have their keys from the control connection. When that has ended, none is taken any more, and there is no answer:
// what is said of the peer's end it hears by a handshake alone.
func TestSessionsEndWithTheControlConnection(t *testing.T) {
	v := victim(t, nil)
	self := handshaketest.Rank(t, v.cfg, handshake.PerTRC, v.Address())
	control, session := handshaketest.Begin(t, self, greeting(forControl, 0))
	r := start(v, receiveAny(1))
	handshaketest.Resume(t, self, session, greeting(forMessages, 5)).Write(eager(0, 4))
	<-r.Done()
	require.NoError(t, r.Err)

	control.Close()
	r = start(v, receiveAny(1))
	<-r.Done()
	require.ErrorIs(t, r.Err, rpi.ErrProcFailed)
	strangers := v.Counters().Strangers
	handshaketest.RequireNoAnswer(t, self, session, greeting(forMessages, 5))
	require.Equal(t, strangers+1, v.Counters().Strangers)
	_, _, err := initiate(t, v, greeting(forMessages, 5))
	require.ErrorIs(t, err, rpi.ErrGivenUp)
}

// If the peer knows nothing of the session, the next attempt has a whole handshake.
func TestUnansweredConnectionHasAHandshake(t *testing.T) {
	c, _, s := called(t)
	c.session.End()
	nc, err := c.Listener.Accept()
	require.NoError(t, err)
	_, err = c.Self.Receive(t.Context(), nc)
	require.Error(t, err)
	require.NoError(t, nc.Close())
	messages, visit := c.visited()
	require.EqualValues(t, forMessages, visit.Purpose)
	require.NotNil(t, visit.Begin(), "one with a handshake leaves a session")
	c.receives(c.accepts(messages, visit))
	<-s.Done()
	require.NoError(t, s.Err)
}
