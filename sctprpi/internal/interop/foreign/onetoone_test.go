//go:build !race && linux

package foreign

import (
	"errors"
	"io"
	"net"
	"slices"
	"testing"
	"time"

	"github.com/ishidawataru/sctp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/sctpmpi/sctpmpi/sctprpi/internal/interop/interoptest"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// TestForeignOneToOneSocketCalls has sctp.DialSCTP call our sockets. Messages go both ways on
// several streams, and either end shuts the association down or aborts it.
func TestForeignOneToOneSocketCalls(t *testing.T) {
	eachStack(t, func(s *setting) {
		for _, end := range endings {
			them := s.dial()
			s.us.UntilSeen(socket.Up)
			converse(s, them)
			end(s, them)
			s.us.Forget()
		}
	})
}

// TestForeignOneToOneSocketIsCalled is the same with a socket of sctp.ListenSCTP, which our
// sockets call.
func TestForeignOneToOneSocketIsCalled(t *testing.T) {
	eachStack(t, func(s *setting) {
		listener := s.listen()
		for _, end := range endings {
			s.us.Dial(s.there)
			s.us.UntilSeen(socket.Up)
			them := s.accept(listener)
			converse(s, them)
			end(s, them)
			s.us.Forget()
		}
	})
}

// converse has messages go both ways, some of which are longer than a packet.
func converse(s *setting, them *oneToOne) {
	s.Helper()
	var messages []interoptest.Message
	for i, size := range []int{1, 100, 1452, 1453, 20_000, 50_000} {
		m := interoptest.NewMessage(i%4, size)
		m.PPID = socket.PPID(0x1020304 + i)
		messages = append(messages, m)
	}
	them.send(messages...)
	s.us.UntilReceived(len(messages))
	interoptest.RequireSame(s, messages, s.us.Messages)

	s.us.Queue(messages...)
	s.us.Until("room to send", s.us.Sent)
	interoptest.RequireSame(s, messages, them.receive(len(messages)))
}

// endings are the ways in which an association ends, and what the two ends learn of it.
var endings = []func(s *setting, them *oneToOne){shutdownByUs, shutdownByThem, abortByUs, abortByThem}

func shutdownByUs(s *setting, them *oneToOne) {
	require.NoError(s, s.us.Shutdown(s.us.ID))
	s.untilEnd(socket.Closed)
	require.ErrorIs(s, them.readError(), io.EOF)
}

func shutdownByThem(s *setting, them *oneToOne) {
	require.NoError(s, them.Close())
	s.untilEnd(socket.Closed)
	assert.Positive(s, s.us.Seen[socket.PeerShutdown])
}

func abortByUs(s *setting, them *oneToOne) {
	require.NoError(s, s.us.Abort(s.us.ID, "enough"))
	s.untilEnd(socket.Aborted)
	require.ErrorIs(s, them.readError(), unix.ECONNRESET)
}

func abortByThem(s *setting, them *oneToOne) {
	const userInitiated = 12
	them.abort()
	s.untilEnd(socket.Aborted)
	require.Equal(s, &socket.AbortError{Remote: true, Cause: userInitiated}, s.us.End.Err)
}

// oneToOne is a socket of theirs, which is one association (RFC 6458, section 4). Its calls
// block.
type oneToOne struct {
	testing.TB
	*sctp.SCTPConn
}

func (s *setting) dial() *oneToOne {
	s.Helper()
	us := s.us.LocalAddrs()[0]
	var c *sctp.SCTPConn
	within(s, "connect", func() error {
		return s.theirs.Do(func() (err error) {
			c, err = sctp.DialSCTP("sctp4", s.theirAddr(0), &sctp.SCTPAddr{IPAddrs: []net.IPAddr{{IP: us.IP.AsSlice()}}, Port: int(us.Port)})
			return err
		})
	})
	return newOneToOne(s, c)
}

func (s *setting) listen() *sctp.SCTPListener {
	s.Helper()
	var l *sctp.SCTPListener
	require.NoError(s, s.theirs.Do(func() (err error) {
		l, err = sctp.ListenSCTP("sctp4", s.theirAddr(theirPort))
		return err
	}))
	s.Cleanup(func() { assert.NoError(s, l.Close()) })
	return l
}

func (s *setting) accept(l *sctp.SCTPListener) *oneToOne {
	s.Helper()
	var c *sctp.SCTPConn
	within(s, "accept", func() (err error) {
		c, err = l.AcceptSCTP()
		return err
	})
	return newOneToOne(s, c)
}

func (s *setting) theirAddr(port int) *sctp.SCTPAddr {
	return &sctp.SCTPAddr{IPAddrs: []net.IPAddr{{IP: s.theirs.Addr(0).AsSlice()}}, Port: port}
}

func newOneToOne(t testing.TB, c *sctp.SCTPConn) *oneToOne {
	t.Helper()
	them := &oneToOne{t, c}
	t.Cleanup(func() {
		if them.SCTPConn != nil {
			_ = them.Close() // or test has
		}
	})
	require.NoError(t, c.SubscribeEvents(sctp.SCTP_EVENT_DATA_IO))
	return them
}

func (c *oneToOne) send(messages ...interoptest.Message) {
	c.Helper()
	within(c, "send", func() error {
		for _, m := range messages {
			if _, err := c.SCTPWrite(m.Body, &sctp.SndRcvInfo{Stream: uint16(m.Stream), PPID: uint32(m.PPID)}); err != nil {
				return err
			}
		}
		return nil
	})
}

// receive returns the next n messages.
func (c *oneToOne) receive(n int) (messages []interoptest.Message) {
	c.Helper()
	within(c, "receive", func() error {
		for b := make([]byte, 1<<16); len(messages) < n; {
			n, info, err := c.SCTPRead(b)
			if err != nil {
				return err
			}
			if info == nil {
				return errors.New("a message without a stream")
			}
			messages = append(messages, interoptest.Message{
				Stream: socket.StreamID(info.Stream), PPID: socket.PPID(info.PPID), Body: slices.Clone(b[:n]),
			})
		}
		return nil
	})
	return messages
}

// readError returns why nothing more can be received.
func (c *oneToOne) readError() (err error) {
	c.Helper()
	within(c, "receive the end", func() error {
		_, _, err = c.SCTPRead(make([]byte, 1))
		return nil
	})
	return err
}

// abort closes the socket in the way that sends an ABORT (RFC 6458, section 8.1.4). The
// module's Close would shut the association down first.
func (c *oneToOne) abort() {
	c.Helper()
	raw, err := c.SyscallConn()
	require.NoError(c, err)
	require.NoError(c, raw.Control(func(fd uintptr) {
		err = errors.Join(
			unix.SetsockoptLinger(int(fd), unix.SOL_SOCKET, unix.SO_LINGER, &unix.Linger{Onoff: 1}),
			unix.Close(int(fd)),
		)
	}))
	c.SCTPConn = nil
	require.NoError(c, err)
}

// within calls what blocks, and ends the test if that fails or takes very long.
func within(t testing.TB, what string, call func() error) {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- call() }()
	select {
	case err := <-done:
		require.NoError(t, err, what)
	case <-time.After(patience):
		require.Fail(t, "a call has not returned", what)
	}
}
