package handshaketest

import (
	"context"
	"errors"
	"io"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/handshake"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/record"
)

// Dial connects to an address.
func Dial(t testing.TB, address string) *net.TCPConn {
	t.Helper()
	nc, err := net.Dial("tcp", address)
	require.NoError(t, err)
	t.Cleanup(func() { nc.Close() })
	require.NoError(t, nc.SetDeadline(time.Now().Add(time.Minute)))
	return nc.(*net.TCPConn)
}

// Rank returns rank 1 of a job, played by the test. victim is what the process has published that it talks with.
func Rank(t testing.TB, cfg rpi.Config, protocol handshake.Protocol, victim string) *handshake.Self {
	cfg.Rank = 1
	cfg.Lookup = func(context.Context, int) (string, error) { return victim, nil }
	self, err := handshake.NewSelf(cfg, protocol)
	require.NoError(t, err)
	return self
}

// Conn is a connection of a rank that the test plays. What is written leaves in records, if those of the job are sealed.
type Conn struct {
	*net.TCPConn
	cipher *record.Cipher
	rest   []byte // of the last record
}

// Initiate connects to a process. As ranks do, it tries again where a busy one has not answered in time.
func Initiate(t testing.TB, self *handshake.Self, h handshake.Hello) (*Conn, handshake.Result, error) {
	t.Helper()
	peer := find(t, self, h.To)
	return attempts(t, peer, func(nc net.Conn) (handshake.Result, *record.Cipher, error) { return self.Initiate(nc, peer, h) })
}

// Begin connects to a process, which accepts it, and begins a Session with it.
func Begin(t testing.TB, self *handshake.Self, h handshake.Hello) (c *Conn, session *handshake.Session) {
	t.Helper()
	peer := find(t, self, h.To)
	c, result, err := attempts(t, peer, func(nc net.Conn) (result handshake.Result, cipher *record.Cipher, err error) {
		result, cipher, session, err = self.Begin(nc, peer, h)
		return result, cipher, err
	})
	require.NoError(t, err)
	require.Equal(t, handshake.Accepted, result)
	return c, session
}

// Resume connects to a process in a Session with it, which takes the connection.
func Resume(t testing.TB, self *handshake.Self, session *handshake.Session, h handshake.Hello) *Conn {
	t.Helper()
	peer := find(t, self, h.To)
	c, result, err := attempts(t, peer, func(nc net.Conn) (handshake.Result, *record.Cipher, error) { return self.Resume(nc, peer, session, h) })
	require.NoError(t, err)
	require.Equal(t, handshake.Accepted, result)
	return c
}

// attempts connects to a process until it answers.
func attempts(t testing.TB, peer handshake.Peer, initiate func(net.Conn) (handshake.Result, *record.Cipher, error)) (*Conn, handshake.Result, error) {
	t.Helper()
	for {
		nc := Dial(t, peer.Address)
		if result, cipher, err := initiate(nc); !errors.Is(err, handshake.ErrCut) {
			return NewConn(nc, cipher), result, err
		}
		nc.Close()
	}
}

// RequireNoAnswer connects to a process in a Session that it does not know.
func RequireNoAnswer(t testing.TB, self *handshake.Self, session *handshake.Session, h handshake.Hello) {
	t.Helper()
	peer := find(t, self, h.To)
	_, _, err := self.Resume(Dial(t, peer.Address), peer, session, h)
	require.ErrorIs(t, err, handshake.ErrCut)
}

// NewConn returns a connection after its handshake.
func NewConn(nc *net.TCPConn, cipher *record.Cipher) *Conn { return &Conn{TCPConn: nc, cipher: cipher} }

func find(t testing.TB, self *handshake.Self, rank matching.Rank) handshake.Peer {
	peer, err := self.Find(t.Context(), rank)
	require.NoError(t, err)
	return peer
}

func (c *Conn) Write(b []byte) (n int, err error) {
	if c.cipher == nil {
		return c.TCPConn.Write(b)
	}
	for err == nil && n < len(b) {
		piece := b[n:min(len(b), n+record.MaxPayload)]
		if err = c.cipher.Send(c.TCPConn, piece); err == nil {
			n += len(piece)
		}
	}
	return n, err
}

func (c *Conn) Read(b []byte) (int, error) {
	if c.cipher == nil {
		return c.TCPConn.Read(b)
	}
	if len(c.rest) == 0 {
		var err error
		if c.rest, err = c.cipher.Receive(c.TCPConn, record.MaxPayload); err != nil {
			return 0, err
		}
		if len(c.rest) == 0 {
			return 0, io.EOF
		}
	}
	n := copy(b, c.rest)
	c.rest = c.rest[n:]
	return n, nil
}

// Close ends the stream and the connection.
func (c *Conn) Close() error {
	if c.cipher != nil {
		_ = c.cipher.Send(c.TCPConn, nil)
	}
	return c.TCPConn.Close()
}

// Moved returns what a process of a job would have published if it listened at another address.
func Moved(t testing.TB, token []byte, published, address string) string {
	secret := seal.NewSecret(token, handshake.Label)
	_, identity, sealed, err := seal.Read(secret, published)
	require.NoError(t, err)
	if !sealed {
		return address
	}
	return identity.Publish(secret, address)
}
