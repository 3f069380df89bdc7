package kernel

import (
	"testing"
	"time"

	"github.com/ishidawataru/sctp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// An association whose peer is silent is aborted, with a reason for the peer that says so, and what
// the user is told is what the engine tells.
func TestASilentPeerIsToldAndLost(t *testing.T) {
	e, peer := newStub(t, Config{Config: socket.Config{PeerTimeout: time.Minute}})
	notify(e, sctp.SCTP_COMM_UP, 0)
	a := e.assocs[stubID]
	e.takePulse(a, 3)
	for n := 1; n <= beats; n++ {
		e.takePulse(a, 3)
		status, err := e.Status(stubID)
		require.NoError(t, err)
		require.Equal(t, time.Minute*time.Duration(n)/beats, status.Silence)
	}
	assert.Equal(t, socket.SilenceReason+" for 1m0s", string(drain(t, peer, 1)[0]))
	_, err := e.Send(stubID, []socket.Message{{Data: [][]byte{{1}}}})
	require.ErrorIs(t, err, socket.ErrShutdown)
	notify(e, sctp.SCTP_COMM_LOST, userInitiated)
	end := last(t, e)
	require.Equal(t, socket.Lost, end.Kind)
	require.ErrorIs(t, end.Err, socket.ErrSilent)
	assert.ErrorContains(t, end.Err, "for 1m0s")
	e.takePulse(a, 3) // its end came meanwhile
}

// What the user or the peer has ended first is not called silence.
func TestAnAbortBeforeSilenceIsAnAbort(t *testing.T) {
	for name, end := range map[string]func(e *endpoint){
		"by the user": func(e *endpoint) {
			require.NoError(t, e.Abort(stubID, "enough"))
			notify(e, sctp.SCTP_COMM_LOST, userInitiated)
		},
		"by the peer": func(e *endpoint) { notify(e, sctp.SCTP_COMM_LOST, 12, []byte("\x00\x0c\x00\x0aenough")...) },
	} {
		t.Run(name, func(t *testing.T) {
			e, _ := newStub(t, Config{Config: socket.Config{PeerTimeout: time.Minute}})
			notify(e, sctp.SCTP_COMM_UP, 0)
			for range beats + 1 {
				e.takePulse(e.assocs[stubID], 3)
			}
			end(e)
			event := last(t, e)
			require.Equal(t, socket.Aborted, event.Kind)
			assert.ErrorContains(t, event.Err, "enough")
		})
	}
}

// Pulses are taken while there are peers, and only if there is a time after which they are given up.
func TestPulsesAreTakenWhileThereArePeers(t *testing.T) {
	without, _ := newStub(t, Config{})
	notify(without, sctp.SCTP_COMM_UP, 0)
	assert.False(t, without.watching)

	e, _ := newStub(t, Config{Config: socket.Config{PeerTimeout: time.Hour}})
	assert.False(t, e.watching)
	notify(e, sctp.SCTP_COMM_UP, 0)
	assert.True(t, e.watching)
	e.takePulses()
	assert.True(t, e.watching)
	notify(e, sctp.SCTP_SHUTDOWN_COMP, 0)
	e.takePulses()
	assert.False(t, e.watching)
}
