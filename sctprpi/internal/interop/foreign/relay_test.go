//go:build !race && linux

package foreign

import (
	"context"
	"errors"
	"io"
	"net"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/netem"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/interop/interoptest"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// relay is a host that forwards TCP and SCTP to another one, so that it looks like that one.
type relay struct {
	testing.TB
	socket.Socket
	at, to socket.Addr
	sides  map[socket.AssocID]*side
	taken  atomic.Int64 // bytes that it was sent
}

// side is an association of which another one has the other half.
type side struct {
	id, other socket.AssocID
	outbox    []socket.Message
	leaving   bool // when the outbox is empty
}

// small has little kept in the relay.
var small = socket.Config{SendBuffer: 256 << 10, ReceiveBuffer: 256 << 10}

// newRelay makes a relay at a host, whose SCTP is one of our sockets, to another host,
// which is reached by UDP at a port, or 0 for IP.
func newRelay(t testing.TB, at *netem.Host, stack interoptest.Stack, to *netem.Host, udp uint16) *relay {
	t.Helper()
	r := &relay{TB: t, to: socket.Addr{IP: to.Addr(0), Port: iperfPort, UDP: udp}, sides: make(map[socket.AssocID]*side)}
	var listener net.Listener
	local := interoptest.Local{Addrs: []netip.Addr{at.Addr(0)}, Port: iperfPort}
	require.NoError(t, at.Do(func() (err error) {
		if r.Socket, err = stack(small, local); err != nil {
			return err
		}
		listener, err = net.Listen("tcp", netip.AddrPortFrom(at.Addr(0), iperfPort).String())
		return err
	}))
	r.at = r.LocalAddrs()[0]
	var both sync.WaitGroup
	t.Cleanup(func() {
		assert.NoError(t, errors.Join(r.Close(), listener.Close()))
		both.Wait()
	})
	both.Go(r.relaySCTP)
	both.Go(func() { relayTCP(t, listener, at, to.Addr(0)) })
	return r
}

// relayTCP passes on what connections carry until the listener is closed.
func relayTCP(t testing.TB, l net.Listener, at *netem.Host, to netip.Addr) {
	var all sync.WaitGroup
	defer all.Wait()
	for {
		near, err := l.Accept()
		if err != nil {
			return
		}
		var far net.Conn
		err = at.Do(func() (err error) {
			far, err = net.Dial("tcp", netip.AddrPortFrom(to, iperfPort).String())
			return err
		})
		if !assert.NoError(t, err) {
			_ = near.Close()
			continue
		}
		pass := func(from, to net.Conn) {
			_, _ = io.Copy(to, from)
			_ = to.Close()
		}
		all.Go(func() { pass(near, far) })
		all.Go(func() { pass(far, near) })
	}
}

// relaySCTP passes on the messages of associations until the socket is closed.
func (r *relay) relaySCTP() {
	events := make([]socket.Event, 64)
	for {
		n, err := r.Receive(events)
		for i := range events[:n] {
			r.take(&events[i])
			events[i].Release()
		}
		if n == 0 && err == nil {
			err = r.Wait(context.Background())
		}
		if errors.Is(err, socket.ErrClosed) || !assert.NoError(r, err) {
			return
		}
	}
}

func (r *relay) take(e *socket.Event) {
	if e.Kind == socket.Up && r.sides[e.Assoc] == nil {
		far, err := r.Connect(r.to)
		if assert.NoError(r, err) {
			r.sides[e.Assoc], r.sides[far] = &side{id: e.Assoc, other: far}, &side{id: far, other: e.Assoc}
		}
		return
	}
	s := r.sides[e.Assoc]
	if s == nil {
		return // its other half has been aborted
	}
	other := r.sides[s.other]
	switch e.Kind {
	case socket.Writable, socket.Up:
		r.flush(s)
	case socket.Data:
		r.taken.Add(int64(len(e.Payload)))
		if other != nil {
			// iperf3 does not care for the boundaries of messages.
			other.outbox = append(other.outbox, socket.Message{Stream: e.Stream, Data: [][]byte{slices.Clone(e.Payload)}})
			r.flush(other)
		}
	case socket.PeerShutdown:
		if other != nil {
			other.leaving = true
			r.flush(other)
		}
	case socket.Closed:
		delete(r.sides, s.id)
	case socket.Aborted, socket.Lost:
		// As iperf3 ends what it has not read to the end.
		delete(r.sides, s.id)
		delete(r.sides, s.other)
		_ = r.Abort(s.other, "the other half was aborted") // unless it has ended too
	}
}

// flush sends what there is room for, and then leaves if that is due.
func (r *relay) flush(s *side) {
	n, err := r.Send(s.id, s.outbox)
	s.outbox = s.outbox[n:]
	if err == nil && s.leaving {
		s.leaving = false
		err = r.Shutdown(s.id)
	}
	switch {
	case errors.Is(err, socket.ErrWouldBlock):
	case errors.Is(err, socket.ErrAssoc), errors.Is(err, socket.ErrShutdown):
		s.outbox = nil // the event that ends it is on its way
	default:
		assert.NoError(r, err)
	}
}
