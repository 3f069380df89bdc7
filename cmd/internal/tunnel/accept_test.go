package tunnel

import (
	"bytes"
	"context"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func secretOf(t *testing.T, letter string) *Secret {
	t.Helper()
	s, err := newSecret(bytes.Repeat([]byte(letter), leastSecret))
	require.NoError(t, err)
	return s
}

// serving is a proxy that waits for the mpirun with a secret. It is told of strangers.
func serving(t *testing.T, s *Secret, stranger func(net.Addr, error)) (address string, accepted <-chan *Conn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	conns := make(chan *Conn, 1)
	var running sync.WaitGroup
	ctx, cancel := context.WithCancel(t.Context())
	running.Go(func() {
		conn, err := s.Accept(ctx, l, stranger)
		if err == nil {
			conns <- conn
		}
		close(conns)
	})
	t.Cleanup(func() {
		cancel()
		running.Wait()
		for conn := range conns {
			conn.Close()
		}
	})
	return l.Addr().String(), conns
}

// Connections that say nothing lose their places to those that come later: mpirun gets in at its first attempt, however many
// there are. The listener hands out connections in the order in which they have come.
func TestSilentStrangersKeepNoMpirunOut(t *testing.T) {
	s := secretOf(t, "s")
	address, accepted := serving(t, s, func(net.Addr, error) {})
	for range 2 * places {
		conn, err := net.Dial("tcp", address)
		require.NoError(t, err)
		defer conn.Close()
	}
	conn, err := s.Dial(t.Context(), address, func(err error) { t.Errorf("an attempt has failed: %v", err) })
	require.NoError(t, err)
	defer conn.Close()
	_, err = (<-accepted).Write([]byte("hello"))
	require.NoError(t, err)
	b := make([]byte, 5)
	_, err = conn.Read(b)
	require.NoError(t, err)
	assert.Equal(t, "hello", string(b))
}

// What comes of a stranger is told, and a stranger with another secret gets nothing.
func TestAnotherSecretIsAStranger(t *testing.T) {
	told := make(chan error, 1)
	address, _ := serving(t, secretOf(t, "s"), func(_ net.Addr, err error) { told <- err })
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	_, err := secretOf(t, "x").Dial(ctx, address, func(error) {})
	require.ErrorIs(t, err, errOther)
	require.Error(t, <-told)
}
