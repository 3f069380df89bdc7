// Package handshaketest checks that a transport accepts only peers that prove that they belong to
// the job.
package handshaketest

import (
	"encoding/binary"
	"io"
	"net"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/handshake"
)

// RequireCut checks that the other side closes a connection without sending anything.
func RequireCut(t *testing.T, nc net.Conn) {
	t.Helper()
	rest, err := io.ReadAll(nc)
	if err == nil {
		assert.Empty(t, rest)
	} else {
		require.ErrorContains(t, err, "reset")
	}
}

// Breaks are ends of a handshake after which the dialer tries again, though the acceptor has accepted its connection.
var Breaks = map[string]func(t *testing.T, self *handshake.Self, h handshake.Hello, take func(*net.TCPConn)){
	"the result cannot be sent":          unanswered,
	"the dialer gives up at that moment": unconfirmed,
}

// unanswered connects to a transport, and has that unable to send anything from the moment when the hello is on its way to it. It
// hands the transport's end to take, and returns when that and the handshake are over.
func unanswered(t *testing.T, self *handshake.Self, h handshake.Hello, take func(*net.TCPConn)) {
	broken(t, self, h, take, 2, func(_, theirs *net.TCPConn) { _ = theirs.CloseWrite() })
}

// unconfirmed does the same, and ends the connection when the dialer has the result and wants to say so.
func unconfirmed(t *testing.T, self *handshake.Self, h handshake.Hello, take func(*net.TCPConn)) {
	broken(t, self, h, take, 3, func(ours, _ *net.TCPConn) { ours.Close() })
}

func broken(t *testing.T, self *handshake.Self, h handshake.Hello, take func(*net.TCPConn), at int, end func(ours, theirs *net.TCPConn)) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	ours, err := net.Dial("tcp", l.Addr().String())
	require.NoError(t, err)
	defer ours.Close()
	theirs, err := l.Accept()
	require.NoError(t, err)
	over := make(chan error)
	breaking := &breaking{TCPConn: ours.(*net.TCPConn), left: at, end: func() { end(ours.(*net.TCPConn), theirs.(*net.TCPConn)) }}
	go func() {
		_, _, err := self.Initiate(breaking, find(t, self, h.To), h)
		over <- err
	}()
	take(theirs.(*net.TCPConn))
	require.ErrorIs(t, <-over, handshake.ErrCut)
}

// breaking is a connection on which something happens before something is sent, as often as left says.
type breaking struct {
	*net.TCPConn
	left int
	end  func()
}

func (b *breaking) Write(p []byte) (int, error) {
	if b.left--; b.left == 0 {
		b.end()
	}
	return b.TCPConn.Write(p)
}

// first returns what a rank says first, and closes its connection.
func first(t *testing.T, self *handshake.Self, h handshake.Hello) []byte {
	here, there := net.Pipe()
	defer here.Close()
	go func() {
		_, _, _ = self.Initiate(there, find(t, self, h.To), h)
		there.Close()
	}()
	b := make([]byte, 200)
	n, err := here.Read(b)
	require.NoError(t, err)
	return b[:n]
}

// Where the bytes of a greeting are.
const (
	atVersion   = 7
	atTransport = 8
	atMode      = 9
	atSuite     = 10
	atFrom      = 12
	atTo        = 16
	atSize      = 20
	atID        = 24
)

// Unauthenticated checks that the transport of rank 2 in a job of 3, with configuration cfg and published, closes
// connections with a wrong handshake. good is the hello of a rank of the job.
func Unauthenticated(t *testing.T, cfg rpi.Config, protocol handshake.Protocol, published string, good handshake.Hello) {
	self := Rank(t, cfg, protocol, published)
	address := find(t, self, good.To).Address
	change := func(at int, value byte) func([]byte) []byte {
		return func(b []byte) []byte {
			b[at] = value
			return b
		}
	}
	rank := func(at int, value int32) func([]byte) []byte {
		return func(b []byte) []byte {
			binary.BigEndian.PutUint32(b[at:], uint32(value))
			return b
		}
	}
	sealed := self.Identity.Policy != seal.Off
	for name, c := range map[string]struct {
		change   func(b []byte) []byte
		answered bool // without a seal, there is a challenge
	}{
		"another protocol": {change: func(b []byte) []byte {
			return append([]byte("GET / HTTP/1.1\r\n\r\n"), make([]byte, len(b))...)
		}},
		"silence":                              {change: func(b []byte) []byte { return nil }},
		"half a greeting":                      {change: func(b []byte) []byte { return b[:20] }},
		"another version":                      {change: change(atVersion, 99)},
		"another transport":                    {change: change(atTransport, 99)},
		"another way to seal":                  {change: change(atMode, byte(otherMode(self)))},
		"an unknown way to seal":               {change: change(atMode, 99)},
		"an unknown cipher":                    {change: change(atSuite, 99)},
		"another rank of the job":              {change: rank(atFrom, 0), answered: !sealed},
		"a rank beyond the job":                {change: rank(atFrom, 3)},
		"a negative rank":                      {change: rank(atFrom, -1)},
		"the process's own rank":               {change: rank(atFrom, 2)},
		"a message to another rank":            {change: rank(atTo, 0)},
		"a job of another size":                {change: rank(atSize, 4)},
		"another ID":                           {change: func(b []byte) []byte { b[atID]++; return b }, answered: !sealed},
		"another proof than that of the token": {change: func(b []byte) []byte { b[len(b)-1]++; return b }, answered: !sealed},
	} {
		t.Run(name, func(t *testing.T) {
			nc := Dial(t, address)
			_, _ = nc.Write(c.change(first(t, self, good)))
			_ = nc.CloseWrite()
			if c.answered {
				_, _ = io.CopyN(io.Discard, nc, 48) // the challenge
			}
			RequireCut(t, nc) // and sends no proof that an attacker could use
		})
	}
	t.Run("a greeting that was recorded", func(t *testing.T) {
		nc := Dial(t, address)
		_, _ = nc.Write(first(t, self, good))
		answer := make([]byte, 48)
		_, err := io.ReadFull(nc, answer)
		require.NoError(t, err)
		_, _ = nc.Write(append(answer, make([]byte, 200)...)) // whatever an attacker makes of it
		RequireCut(t, nc)
	})
	t.Run("a guessed token", func(t *testing.T) {
		cfg := cfg
		cfg.Token = []byte("guess")
		cfg.Rank = 1
		guesser, err := handshake.NewSelf(cfg, protocol)
		require.NoError(t, err)
		guesser.Identity.Policy = self.Identity.Policy
		nc := Dial(t, address)
		_, _, err = guesser.Initiate(nc, find(t, self, good.To), good)
		if sealed {
			require.ErrorIs(t, err, handshake.ErrCut) // in silence
		} else {
			require.ErrorIs(t, err, handshake.ErrToken)
		}
	})
}

// otherMode returns a mode that a rank's peers do not use, or that it has not proven to want.
func otherMode(self *handshake.Self) seal.Mode {
	if self.Identity.Policy == seal.AlwaysAuth {
		return seal.Encrypt
	}
	return seal.Auth // a pipe has no address: first has said that it is between hosts
}
