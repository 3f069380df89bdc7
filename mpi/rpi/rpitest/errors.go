package rpitest

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

type ctx = context.Context

func testErrors(t *testing.T, open rpi.Open) {
	// exchange sends a message of n bytes to a receive, posted before or
	// after, and then another that must arrive unharmed.
	exchange := func(t *testing.T, n int, posted bool, r *rpi.Request) {
		j := start(t, open, 2, nil)
		if posted {
			j.start(1, r)
		}
		s := j.start(0, send(1, 1, message(0, n)))
		if !posted {
			j.do(1, probe(rpi.OpProbe, 0, 1))
			j.start(1, r)
		}
		j.wait(1, r)
		j.wait(0, s)
		require.NoError(t, s.Err)
		j.start(0, send(1, 1, message(1, n)))
		next := recv(0, 1, make([]byte, n))
		j.do(1, next)
		requireMessage(t, next, 1, n)
	}
	for _, posted := range []bool{true, false} {
		order := map[bool]string{true: "posted first", false: "message first"}[posted]
		for _, n := range []int{0, 2, 5000, 65536, 1 << 20} {
			t.Run("a message of another type, "+order+", "+sizeName(n), func(t *testing.T) {
				r := recv(0, 1, make([]byte, n))
				r.Type = 2
				exchange(t, n, posted, r)
				require.ErrorIs(t, r.Err, rpi.ErrType)
				require.EqualValues(t, 1, r.Status.Elem)
				require.True(t, bytes.Equal(r.Buf, make([]byte, n)), "the buffer was written to")
			})
			if n == 0 {
				continue
			}
			t.Run("a message longer than its buffer, "+order+", "+sizeName(n), func(t *testing.T) {
				buf := make([]byte, n)
				r := recv(0, 1, buf[:n-1])
				exchange(t, n, posted, r)
				require.ErrorIs(t, r.Err, rpi.ErrTruncate)
				require.EqualValues(t, n, r.Status.Length)
				require.True(t, bytes.Equal(buf, make([]byte, n)), "the buffer was written to")
			})
		}
	}
	t.Run("to oneself", func(t *testing.T) {
		j := start(t, open, 1, nil)
		for _, n := range []int{1, 10, 1 << 20} {
			short, other := recv(0, 1, make([]byte, n-1)), recv(0, 1, make([]byte, n))
			other.Type = 2
			j.start(0, short, other)
			j.do(0, send(0, 1, message(0, n)), send(0, 1, message(0, n)))
			require.ErrorIs(t, short.Err, rpi.ErrTruncate)
			require.ErrorIs(t, other.Err, rpi.ErrType)
		}
	})
	t.Run("waiting can be given up", func(t *testing.T) {
		j := start(t, open, 2, nil)
		r := j.start(1, recv(0, 1, make([]byte, 8)))
		gaveUp, cancel := context.WithCancel(t.Context())
		cancel()
		w := rpi.NewWaiter()
		defer w.Release()
		require.True(t, r.Subscribe(w))
		require.ErrorIs(t, j.ranks[1].Await(gaveUp, w), context.Canceled)
		r.Unsubscribe(w)
		j.do(0, send(1, 1, message(0, 8)))
		j.wait(1, r)
		requireMessage(t, r, 0, 8)
	})
}
