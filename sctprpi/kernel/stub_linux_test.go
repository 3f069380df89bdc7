package kernel

import (
	"encoding/binary"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// newStub makes an endpoint whose descriptor is that of a pair of Unix sockets, which
// keeps the boundaries of messages, takes control messages of SCTP without heeding them,
// and is full after some. The other end is returned.
func newStub(t *testing.T, c Config) (*endpoint, int) {
	t.Helper()
	c, err := c.withDefaults()
	require.NoError(t, err)
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	require.NoError(t, err)
	require.NoError(t, unix.SetsockoptInt(fds[0], unix.SOL_SOCKET, unix.SO_SNDBUF, 16<<10))
	e := newEndpoint(c, fds[0], 0)
	require.NoError(t, e.poller.open(fds[0]))
	go e.watch()
	t.Cleanup(func() {
		require.NoError(t, e.Close())
		require.NoError(t, unix.Close(fds[1]))
	})
	return e, fds[1]
}

// stubID is the association of what a stub receives.
const stubID = 0

// notify has an endpoint heed an association change.
func notify(e *endpoint, state, cause uint16, info ...byte) {
	u16 := binary.NativeEndian.AppendUint16
	b := u16(nil, noteAssocChange)
	b = append(b, make([]byte, 6)...)
	b = u16(u16(u16(u16(b, state), cause), 10), 10)
	b = binary.NativeEndian.AppendUint32(b, stubID)
	heed(e, record{notification: true, end: true, payload: append(b, info...)})
}

// heed has an endpoint heed a record, as read does.
func heed(e *endpoint, r record) {
	e.reading.Lock()
	defer e.reading.Unlock()
	e.mu.Lock()
	defer e.mu.Unlock()
	e.heed(&r)
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

// gate lets those through who wait for the next Writable.
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
