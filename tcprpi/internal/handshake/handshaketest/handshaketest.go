// Package handshaketest checks that a transport accepts only peers that prove that they belong to
// the job.
package handshaketest

import (
	"io"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/tcprpi/internal/handshake"
)

// Dial connects to the port of a transport.
func Dial(t *testing.T, address string) *net.TCPConn {
	t.Helper()
	nc, err := net.Dial("tcp", address)
	require.NoError(t, err)
	t.Cleanup(func() { nc.Close() })
	require.NoError(t, nc.SetDeadline(time.Now().Add(time.Minute)))
	return nc.(*net.TCPConn)
}

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

// Unauthenticated checks that the transport of rank 2 in a job of 3 that listens at address closes
// connections with a wrong handshake. good is the hello of a rank of the job.
func Unauthenticated(t *testing.T, address string, good handshake.Hello) {
	for name, talk := range map[string]func(nc *net.TCPConn){
		"another protocol": func(nc *net.TCPConn) {
			nc.Write(append([]byte("GET / HTTP/1.1\r\n\r\n"), make([]byte, handshake.Size)...))
		},
		"another version": func(nc *net.TCPConn) {
			b := good.Append(nil)
			b[7]++
			nc.Write(b)
		},
		"another transport": func(nc *net.TCPConn) {
			h := good
			h.Protocol++
			nc.Write(h.Append(nil))
		},
		"silence": func(nc *net.TCPConn) { nc.CloseWrite() },
		"half a hello": func(nc *net.TCPConn) {
			nc.Write(good.Append(nil)[:20])
			nc.CloseWrite()
		},
		"the acceptor's own proof sent back": func(nc *net.TCPConn) {
			nc.Write(good.Append(nil))
			var challenge [handshake.ChallengeSize]byte
			io.ReadFull(nc, challenge[:])
			nc.Write(challenge[handshake.NonceSize:])
		},
		"a guessed token": func(nc *net.TCPConn) {
			nc.Write(good.Append(nil))
			var challenge [handshake.ChallengeSize]byte
			io.ReadFull(nc, challenge[:])
			nc.Write(handshake.Prove([]byte("guess"), "dialer", good.Append(nil), challenge[:handshake.NonceSize]))
		},
	} {
		t.Run(name, func(t *testing.T) {
			nc := Dial(t, address)
			talk(nc)
			RequireCut(t, nc)
		})
	}
	for name, change := range map[string]func(h *handshake.Hello){
		"a rank beyond the job":     func(h *handshake.Hello) { h.From = 3 },
		"a negative rank":           func(h *handshake.Hello) { h.From = -1 },
		"the process's own rank":    func(h *handshake.Hello) { h.From = 2 },
		"a message to someone else": func(h *handshake.Hello) { h.To = 0 },
	} {
		t.Run(name, func(t *testing.T) {
			nc, h := Dial(t, address), good
			change(&h)
			nc.Write(h.Append(nil))
			RequireCut(t, nc) // and sends no proof that an attacker could use
		})
	}
}
