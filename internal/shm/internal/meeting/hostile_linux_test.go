package meeting

import (
	"context"
	"net"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// connect makes a connection to a listener, as any process can.
func connect(t *testing.T, l *Listener) *net.UnixConn {
	t.Helper()
	conn, err := net.DialUnix(network, nil, &net.UnixAddr{Name: l.name, Net: network})
	require.NoError(t, err)
	t.Cleanup(func() { conn.Close() })
	return conn
}

// hello is that of rank 1 to rank 0, with changes.
func hello(change func(hello []byte)) []byte {
	hello := append([]byte(magic), make([]byte, helloSize-len(magic))...)
	hello[len(magic)+3] = 1
	change(hello)
	return hello
}

// TestHostileDialers: each is cut off without a word beyond the challenge, and nothing of it is left.
func TestHostileDialers(t *testing.T) {
	for name, attack := range map[string]func(t *testing.T, conn *net.UnixConn){
		"closes":                func(t *testing.T, conn *net.UnixConn) { conn.CloseWrite() },
		"sends nothing":         func(*testing.T, *net.UnixConn) {},
		"sends garbage":         func(t *testing.T, conn *net.UnixConn) { conn.Write(make([]byte, helloSize)) },
		"sends too much":        func(t *testing.T, conn *net.UnixConn) { conn.Write(make([]byte, 100_000)) },
		"sends an empty record": func(t *testing.T, conn *net.UnixConn) { conn.WriteMsgUnix(nil, nil, nil) },
		"sends byte by byte": func(t *testing.T, conn *net.UnixConn) {
			for _, b := range hello(func([]byte) {}) {
				if _, err := conn.Write([]byte{b}); err != nil {
					return
				}
			}
		},
		"has another version": func(t *testing.T, conn *net.UnixConn) { conn.Write(hello(func(h []byte) { h[len(magic)-1]++ })) },
		"is no rank":          func(t *testing.T, conn *net.UnixConn) { conn.Write(hello(func(h []byte) { h[len(magic)] = 255 })) },
		"is this rank":        func(t *testing.T, conn *net.UnixConn) { conn.Write(hello(func(h []byte) { h[len(magic)+3] = 0 })) },
		"dials another rank":  func(t *testing.T, conn *net.UnixConn) { conn.Write(hello(func(h []byte) { h[len(magic)+7] = 2 })) },
		"cannot answer the challenge": func(t *testing.T, conn *net.UnixConn) {
			conn.Write(hello(func([]byte) {}))
			n, _ := conn.Read(make([]byte, 1000))
			assert.Equal(t, challengeSize, n)
			conn.Write(make([]byte, 32))
		},
		"sends the proof back": func(t *testing.T, conn *net.UnixConn) {
			conn.Write(hello(func([]byte) {}))
			challenge := make([]byte, challengeSize)
			conn.Read(challenge)
			conn.Write(challenge[nonceSize:])
		},
		"sends descriptors": func(t *testing.T, conn *net.UnixConn) {
			_, _, err := conn.WriteMsgUnix(hello(func([]byte) {}), rights([]int{0, 1, 2}), nil)
			assert.NoError(t, err)
			conn.Read(make([]byte, 1000))
			conn.WriteMsgUnix(make([]byte, 32), rights([]int{0, 1, 2}), nil)
		},
	} {
		t.Run(name, func(t *testing.T) {
			keepsNothing(t)
			limit := HandshakeTime
			if name == "sends nothing" {
				limit = 50 * time.Millisecond
			}
			l, err := listen(config(0), 1, limit)
			require.NoError(t, err)
			defer l.Close()
			conn := connect(t, l)
			attack(t, conn)
			conn.SetReadDeadline(time.Now().Add(patience))
			n, err := conn.Read(make([]byte, 1000))
			require.Zero(t, n)
			require.Error(t, err)
			require.NotErrorIs(t, err, os.ErrDeadlineExceeded, "it must be cut off")
			conn.Close()
			if limit == HandshakeTime {
				dial(t, l, 1) // the place is free again
			}
		})
	}
}

// TestSilentDialersAreFew: they wait in the kernel for a place, and so do ranks of the job, until the time of the
// silent ones is over.
func TestSilentDialersAreFew(t *testing.T) {
	keepsNothing(t)
	const places, silent = 2, 7
	l, err := listen(config(0), places, 100*time.Millisecond)
	require.NoError(t, err)
	defer l.Close()
	for range silent {
		connect(t, l)
	}
	for {
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		m, err := Dial(ctx, config(1), 0, l.Place())
		cancel()
		require.LessOrEqual(t, len(l.places), places)
		if err == nil {
			m.Close()
			return
		}
		require.ErrorIs(t, err, ErrNoAnswer, "its own time was over, as this machine is slow")
	}
}

func TestAnotherToken(t *testing.T) {
	keepsNothing(t)
	l := listener(t, config(0))
	cfg := config(1)
	cfg.Token = []byte("of another job")
	_, err := Dial(t.Context(), cfg, 0, l.Place())
	require.ErrorIs(t, err, ErrNoAnswer, "it does not find the name")
	conn := connect(t, l)
	process, err := initiate(conn, &cfg, 0, l.name)
	require.ErrorIs(t, err, ErrToken, "it has found the name in /proc/net/unix")
	require.Equal(t, noProcess, process)
}

// TestSquatters: a process that has the name of a dead rank gets nothing.
func TestSquatters(t *testing.T) {
	for name, c := range map[string]struct {
		squat    func(conn *net.UnixConn, cancel func())
		expected error
	}{
		"closes":          {func(conn *net.UnixConn, _ func()) { conn.Close() }, ErrNoAnswer},
		"sends garbage":   {func(conn *net.UnixConn, _ func()) { conn.Write([]byte("hello")) }, ErrGarbage},
		"has no token":    {func(conn *net.UnixConn, _ func()) { conn.Write(make([]byte, challengeSize)) }, ErrToken},
		"answers at once": {func(conn *net.UnixConn, _ func()) { conn.Write([]byte{byte(Welcome)}) }, ErrGarbage},
		"sends nothing":   {func(_ *net.UnixConn, cancel func()) { cancel() }, context.Canceled},
	} {
		t.Run(name, func(t *testing.T) {
			keepsNothing(t)
			dead := listener(t, config(0))
			require.NoError(t, dead.Close())
			squatter, err := net.ListenUnix(network, &net.UnixAddr{Name: dead.name, Net: network})
			require.NoError(t, err)
			defer squatter.Close()
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			done := make(chan error)
			go func() {
				_, err := Dial(ctx, config(1), 0, dead.Place())
				done <- err
			}()
			conn, err := squatter.AcceptUnix()
			require.NoError(t, err)
			defer conn.Close()
			conn.Read(make([]byte, 1000))
			c.squat(conn, cancel)
			require.ErrorIs(t, <-done, c.expected)
		})
	}
}

// TestTooManyDial: a dialer waits until the kernel has room for it.
func TestTooManyDial(t *testing.T) {
	keepsNothing(t)
	gone := listener(t, config(0))
	require.NoError(t, gone.Close())
	slow, err := unix.Socket(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	require.NoError(t, err)
	defer unix.Close(slow)
	require.NoError(t, unix.Bind(slow, &unix.SockaddrUnix{Name: gone.name}))
	require.NoError(t, unix.Listen(slow, 0))
	first := connect(t, gone) // all that it has room for
	defer first.Close()

	ctx, cancel := context.WithTimeout(t.Context(), 10*pause)
	defer cancel()
	_, err = Dial(ctx, config(1), 0, gone.Place())
	require.ErrorIs(t, err, ErrNoAnswer)

	done := make(chan error)
	go func() {
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		_, err := Dial(ctx, config(1), 0, gone.Place())
		done <- err
	}()
	var conns [2]int
	for i := range conns {
		conns[i], _, err = unix.Accept(slow)
		require.NoError(t, err)
		defer unix.Close(conns[i])
	}
	n, err := unix.Read(conns[1], make([]byte, 1000))
	require.NoError(t, err)
	require.Equal(t, helloSize, n)
	_, err = unix.Write(conns[1], make([]byte, challengeSize))
	require.NoError(t, err)
	require.ErrorIs(t, <-done, ErrToken)
}
