package pertrc

import (
	"context"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/trc"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/handshake"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/handshake/handshaketest"
)

// Both sides make a control connection at the same time. The peer says farewell on the one that this
// process makes, before this process knows that it is accepted, and closes the other.
func TestFarewellOnAConnectionThatIsBeingMade(t *testing.T) {
	peer, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer peer.Close()
	for name, says := range map[string]struct {
		last []byte
		text string
	}{
		"finalized": {(&trc.Note{Kind: trc.Bye}).Append(nil), "finalized"},
		"ended":     {nil, "without finalizing"},
	} {
		t.Run(name, func(t *testing.T) {
			self, err := handshake.NewSelf(rpi.Config{Rank: 1, Size: 3, Token: token}, handshake.PerTRC)
			require.NoError(t, err)
			v := victim(t, func(cfg *rpi.Config) {
				cfg.Lookup = func(context.Context, int) (string, error) { return self.Publish(peer.Addr().String()), nil }
			})
			r := start(v, receiveAny(1)) // makes one
			nc, err := peer.Accept()
			require.NoError(t, err)
			visit, err := self.Receive(t.Context(), nc)
			require.NoError(t, err)

			join(t, v, greeting(forControl, 0)).Close()
			v.until(func() bool { return len(v.peers[1].controls) == 1 && v.peers[1].controls[0].ended })
			require.False(t, r.Completed())
			require.NoError(t, visit.Accept(t.Context(), nc, time.Minute))
			control := handshaketest.NewConn(nc.(*net.TCPConn), visit.Cipher)
			_, err = control.Write(says.last)
			require.NoError(t, err)
			control.Close()
			<-r.Done()
			require.ErrorIs(t, r.Err, rpi.ErrProcFailed)
			require.ErrorContains(t, r.Err, says.text)
		})
	}
}

// until waits for a condition of the transport.
func (t *Transport) until(condition func() bool) {
	t.lock.Lock()
	defer t.lock.Unlock()
	for !condition() {
		t.life.Wait()
	}
}

// A message may arrive after the farewell that was sent behind it, as that took another connection.
func TestMessagesAreTakenInAfterTheFarewell(t *testing.T) {
	v := victim(t, nil)
	control := join(t, v, greeting(forControl, 0))
	messages := join(t, v, greeting(forMessages, 5))
	v.until(func() bool { return len(v.peers[1].controls) == 1 }) // else Close knows of no peer
	closed := make(chan error, 1)
	go func() { closed <- v.Close(context.Background()) }()
	_, err := control.Write((&trc.Note{Kind: trc.Bye}).Append(nil))
	require.NoError(t, err)
	control.Close()
	v.until(func() bool { return v.peers[1].controls[0].ended })
	_, err = messages.Write(eager(0, 4))
	require.NoError(t, err)
	messages.Close()
	require.NoError(t, <-closed)
	require.Len(t, v.Pending().Unexpected, 1)
}

// A peer that is about to die refuses a connection, as one does that has finalized, and then its control connection breaks without
// a farewell. So it is dead, and nothing is left to wait for.
func TestNoFarewellIsWaitedForOfAPeerThatOnlySeemedToHaveFinalized(t *testing.T) {
	peer, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer peer.Close()
	self, err := handshake.NewSelf(rpi.Config{Rank: 1, Size: 3, Token: token}, handshake.PerTRC)
	require.NoError(t, err)
	v := victim(t, func(cfg *rpi.Config) {
		cfg.Lookup = func(context.Context, int) (string, error) { return self.Publish(peer.Addr().String()), nil }
	})
	control := join(t, v, greeting(forControl, 0))
	v.until(func() bool { return len(v.peers[1].controls) == 1 })
	r := start(v, &rpi.Request{Op: rpi.OpSend, Peer: 1, Tag: 5, Type: 1, Elem: 1, Buf: []byte("text")})
	nc, err := peer.Accept()
	require.NoError(t, err)
	_, err = self.Receive(t.Context(), nc)
	require.Error(t, err, "it has not made the control connection")
	require.NoError(t, nc.Close())
	nc, err = peer.Accept()
	require.NoError(t, err)
	visit, err := self.Receive(t.Context(), nc)
	require.NoError(t, err)
	require.NoError(t, visit.Answer(nc, handshake.ClosedDown))
	require.NoError(t, nc.Close())
	<-r.Done()
	require.ErrorIs(t, r.Err, rpi.ErrFinalized)

	require.NoError(t, control.(*handshaketest.Conn).SetLinger(0)) // so that a farewell to it cannot be written
	require.NoError(t, control.Close())
	v.until(func() bool { return v.peers[1].controls[0].ended })
	require.NoError(t, v.Close(context.Background()))
}

// A peer that has said farewell, and is gone before this process has, hears no more: there is nothing to wait for.
func TestNoFarewellIsSaidToAPeerThatIsGone(t *testing.T) {
	v := victim(t, nil)
	control := join(t, v, greeting(forControl, 0))
	_, err := control.Write((&trc.Note{Kind: trc.Bye}).Append(nil))
	require.NoError(t, err)
	v.until(func() bool { return v.peers[1].farewell })
	require.NoError(t, control.(*handshaketest.Conn).SetLinger(0))
	control.Close()
	v.until(func() bool { return v.peers[1].controls[0].ended })
	require.NoError(t, v.Close(t.Context()))
}
