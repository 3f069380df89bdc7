package enginetest

import (
	"context"
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/simnet"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/looping"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// echo sends back what arrives until its socket is closed.
func echo(ctx context.Context, s *looping.Socket) error {
	var events [16]socket.Event
	for {
		n, err := s.Receive(events[:])
		for i := range events[:n] {
			if e := &events[i]; e.Kind == socket.Data {
				_, err = s.Send(e.Assoc, []socket.Message{{Data: [][]byte{e.Payload}}})
			}
			events[i].Release()
		}
		if err == nil && n == 0 {
			err = s.Wait(ctx)
		}
		if err != nil {
			return err
		}
	}
}

// A message takes as long as the network says, in virtual time, and no longer for what
// its users do.
func TestTimeIsThatOfTheNetwork(t *testing.T) {
	const delay = 250 * time.Millisecond
	w := New(1)
	here, there := netip.MustParseAddr("10.0.0.1"), netip.MustParseAddr("10.0.0.2")
	w.Duplex(here, there, simnet.Conditions{Delay: delay})
	lost := 0
	w.Filter(func(_, _ netip.AddrPort, packet []byte) bool {
		if lost == 0 {
			lost++
			return false
		}
		return true
	})
	core, err := w.Listen(socket.Config{}, []netip.Addr{here}, 0)
	require.NoError(t, err)
	a, err := looping.New(core)
	require.NoError(t, err)
	other, err := w.Listen(socket.Config{}, []netip.Addr{there}, 0)
	require.NoError(t, err)
	b, err := looping.New(other)
	require.NoError(t, err)
	ended := make(chan error)
	go func() { ended <- echo(t.Context(), b) }()
	go w.Drive(t.Context())

	id, err := a.Connect(b.LocalAddrs()...)
	require.NoError(t, err)
	var events [16]socket.Event
	for state, sent := socket.Up, time.Duration(0); state != 0; {
		require.NoError(t, a.Wait(t.Context()))
		n, err := a.Receive(events[:])
		require.NoError(t, err)
		for i := range events[:n] {
			switch e := &events[i]; {
			case e.Kind == socket.Up && state == socket.Up:
				state, sent = socket.Data, w.Now()
				assert.Equal(t, time.Second+4*delay, sent, "the first INIT chunk was lost")
				_, err = a.Send(id, []socket.Message{{Data: [][]byte{{1}}}})
				require.NoError(t, err)
			case e.Kind == socket.Data:
				assert.Equal(t, 2*delay, w.Now()-sent)
				state = 0
			}
			events[i].Release()
		}
	}
	require.NoError(t, a.Close())
	require.NoError(t, b.Close())
	require.ErrorIs(t, <-ended, socket.ErrClosed)
	assert.Zero(t, core.pool.Lent()+other.pool.Lent())
}
