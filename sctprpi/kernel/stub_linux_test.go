package kernel

import (
	"encoding/binary"
	"sync"
	"testing"

	"github.com/ishidawataru/sctp"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/sctpmpi/sctpmpi/sctprpi/internal/looping"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// newStub makes an endpoint whose descriptor is that of a pair of Unix sockets, which
// keeps the boundaries of messages, takes control messages of SCTP and ignores them,
// and is full after some. The other end is returned.
func newStub(t *testing.T, c Config) (*endpoint, int) {
	t.Helper()
	c, err := c.withDefaults()
	require.NoError(t, err)
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	require.NoError(t, err)
	require.NoError(t, unix.SetsockoptInt(fds[0], unix.SOL_SOCKET, unix.SO_SNDBUF, 16<<10))
	e := newEndpoint(c, fds[0], 0)
	t.Cleanup(func() {
		require.NoError(t, e.Close())
		require.NoError(t, unix.Close(fds[1]))
	})
	return e, fds[1]
}

// startLoop starts a loop of an endpoint for the time of a test.
func startLoop(t *testing.T, e *endpoint) *looping.Loop {
	loop, err := looping.Start(e)
	require.NoError(t, err)
	t.Cleanup(loop.Stop)
	return loop
}

// stubID is the association of what a stub receives.
const stubID = 0

// notify has an endpoint handle an association change.
func notify(e *endpoint, state sctp.SCTPState, cause uint16, causes ...byte) {
	n := assocChange{
		NotificationHeader: sctp.NotificationHeader{Type: uint16(sctp.SCTP_ASSOC_CHANGE)},
		State:              state, Outbound: 10, Inbound: 10, Assoc: stubID,
	}
	binary.BigEndian.PutUint16(n.Cause[:], cause)
	handle(e, record{notification: true, end: true, payload: append(encode(n), causes...)})
}

// encode is a notification as the kernel has it.
func encode(notification any) []byte {
	b, err := binary.Append(nil, binary.NativeEndian, notification)
	if err != nil {
		panic(err)
	}
	return b
}

// handle has an endpoint handle a record, as read does.
func handle(e *endpoint, r record) {
	e.reading.Lock()
	defer e.reading.Unlock()
	e.mu.Lock()
	defer e.mu.Unlock()
	e.handle(&r)
	for _, a := range e.reader.opened {
		e.flush(a)
	}
	e.reader.opened = nil
	e.announce()
}

// drain reads n messages at the other end of a stub.
func drain(t *testing.T, fd, n int) (all [][]byte) {
	b := make([]byte, 1<<16)
	for range n {
		k, err := unix.Read(fd, b)
		require.NoError(t, err)
		all = append(all, append([]byte(nil), b[:k]...))
	}
	return all
}

// receive receives what has happened.
func receive(t *testing.T, e *endpoint) (all []socket.Event) {
	t.Helper()
	events := make([]socket.Event, 4)
	for {
		n, err := e.Receive(events)
		require.NoError(t, err)
		if n == 0 {
			return all
		}
		all = append(all, events[:n]...)
	}
}

// gate lets goroutines wait for the next Writable event.
type gate struct {
	mu   sync.Mutex
	next chan struct{}
}

func (g *gate) wait() <-chan struct{} {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.next == nil {
		g.next = make(chan struct{})
	}
	return g.next
}

func (g *gate) open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.next != nil {
		close(g.next)
		g.next = nil
	}
}
