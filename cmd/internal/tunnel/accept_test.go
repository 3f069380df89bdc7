package tunnel

import (
	"bytes"
	"context"
	"io"
	"net"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
)

func secretOf(t *testing.T, letter string) *Secret {
	t.Helper()
	return newSecret(bytes.Repeat([]byte(letter), leastSecret))
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
	conn, err := s.Dial(t.Context(), address, func(err error) bool { t.Errorf("an attempt has failed: %v", err); return true })
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
	told := make(chan error, 10)
	address, _ := serving(t, secretOf(t, "s"), func(_ net.Addr, err error) { told <- err })
	attempts := 0
	_, err := secretOf(t, "x").Dial(t.Context(), address, func(err error) bool {
		attempts++
		return attempts < 3
	})
	require.ErrorIs(t, err, ErrUnanswered)
	require.Equal(t, 3, attempts)
	require.ErrorIs(t, <-told, errOther)
}

// A stranger gets no byte, so it has nothing to check guesses of the secret by. What it has recorded of an mpirun, and plays again, gets an answer
// which is of no use without mpirun's secret key, and no place.
func TestStrangersGetNothing(t *testing.T) {
	s, told := secretOf(t, "s"), make(chan error, 1)
	address, accepted := serving(t, s, func(_ net.Addr, err error) { told <- err })
	say := func(message []byte) (answer []byte) {
		conn, err := net.Dial("tcp", address)
		require.NoError(t, err)
		defer conn.Close()
		_, err = conn.Write(message)
		require.NoError(t, err)
		_ = conn.(*net.TCPConn).CloseWrite() // it may be closed already
		answer, err = io.ReadAll(conn)
		if err != nil {
			require.ErrorIs(t, err, syscall.ECONNRESET)
		}
		return answer
	}
	_, theirs, err := secretOf(t, "x").seal.Initiate(parties)
	require.NoError(t, err)
	for _, message := range [][]byte{nil, []byte("GET / HTTP/1.0\r\n\r\n"), make([]byte, 1000), theirs} {
		assert.Empty(t, say(message))
		require.Error(t, <-told)
	}
	_, recorded, err := s.seal.Initiate(parties)
	require.NoError(t, err)
	for range 2 {
		assert.Len(t, say(recorded), seal.MessageSize)
		require.ErrorIs(t, <-told, io.ErrUnexpectedEOF)
	}
	assert.Empty(t, accepted)
}

// joined are the two ends of a connection.
func joined(t *testing.T) (mpirun, proxy *Conn) {
	s := secretOf(t, "s")
	address, accepted := serving(t, s, func(net.Addr, error) {})
	mpirun, err := s.Dial(t.Context(), address, func(err error) bool { t.Errorf("an attempt has failed: %v", err); return true })
	require.NoError(t, err)
	t.Cleanup(func() { mpirun.Close() })
	return mpirun, <-accepted
}

// What one end writes the other one reads, however long it is, until it says that nothing more comes. The other direction goes on.
func TestBothDirectionsEndByThemselves(t *testing.T) {
	a, b := joined(t)
	defer b.Close()
	text := bytes.Repeat([]byte("text"), 100_000)
	go func() {
		_, _ = a.Write(text)
		_ = a.CloseWrite()
	}()
	got, err := io.ReadAll(b)
	require.NoError(t, err)
	require.Equal(t, text, got)
	_, err = b.Write([]byte("more"))
	require.NoError(t, err)
	require.NoError(t, b.CloseWrite())
	got, err = io.ReadAll(a)
	require.NoError(t, err)
	assert.Equal(t, "more", string(got))
}

// An end of the connection that the other end has not announced, and anything that it has not sent, is an error.
func TestWhatAHostOnTheWayDoesIsNoticed(t *testing.T) {
	for name, meddle := range map[string]func(raw net.Conn){
		"cut":                func(raw net.Conn) { raw.Close() },
		"changed":            func(raw net.Conn) { _, _ = raw.Write(make([]byte, headerSize+seal.TagSize)) },
		"longer than it may": func(raw net.Conn) { _, _ = raw.Write(bytes.Repeat([]byte{0xff}, headerSize)) },
	} {
		t.Run(name, func(t *testing.T) {
			a, b := joined(t)
			defer b.Close()
			meddle(b.Conn)
			_, err := a.Read(make([]byte, 1))
			require.Error(t, err)
			require.NotErrorIs(t, err, io.EOF)
		})
	}
}
