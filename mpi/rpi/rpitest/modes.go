package rpitest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

func testModes(t *testing.T, open rpi.Open) {
	mode := func(m rpi.Mode, r *rpi.Request) *rpi.Request {
		r.Mode = m
		return r
	}
	t.Run("a synchronous send completes after the match", func(t *testing.T) {
		j := start(t, open, 2, nil)
		for i, n := range sizes {
			s := j.start(0, mode(rpi.Synchronous, send(1, 0, message(i, n))))
			j.do(1, probe(rpi.OpProbe, 0, 0)) // it has arrived, and is not matched
			require.False(t, s.Completed(), "length %d", n)
			r := recv(0, 0, make([]byte, n))
			j.do(1, r)
			requireMessage(t, r, i, n)
			j.wait(0, s)
			require.NoError(t, s.Err)
		}
	})
	t.Run("a synchronous send to oneself completes after the match", func(t *testing.T) {
		j := start(t, open, 1, nil)
		s := j.start(0, mode(rpi.Synchronous, send(0, 0, message(0, 10))))
		require.False(t, s.Completed())
		j.do(0, recv(0, 0, make([]byte, 10)))
		j.wait(0, s)
	})
	t.Run("a buffered send completes at once", func(t *testing.T) {
		j := start(t, open, 2, nil)
		for i, n := range sizes {
			body := message(i, n)
			s := j.start(0, mode(rpi.Buffered, send(1, 0, body)))
			require.True(t, s.Completed())
			require.NoError(t, s.Err)
			clear(body) // the message was copied
		}
		for i, n := range sizes {
			r := recv(0, 0, make([]byte, n))
			j.do(1, r)
			requireMessage(t, r, i, n)
		}
	})
	t.Run("buffered sends are bounded", func(t *testing.T) {
		j := start(t, open, 2, func(_ int, cfg *rpi.Config) { cfg.UnexpectedLimit = 1 << 20 })
		var err error
		for i := 0; err == nil && i < 1000; i++ {
			s := j.start(0, mode(rpi.Buffered, send(1, 0, make([]byte, 200<<10))))
			require.True(t, s.Completed())
			err = s.Err
		}
		require.ErrorIs(t, err, rpi.ErrBuffer)
	})
	t.Run("a ready send is a send", func(t *testing.T) {
		j := start(t, open, 2, nil)
		for i, n := range sizes {
			r := j.start(1, recv(0, 0, make([]byte, n)))
			j.do(0, mode(rpi.Ready, send(1, 0, message(i, n))))
			j.wait(1, r)
			requireMessage(t, r, i, n)
		}
	})
}
