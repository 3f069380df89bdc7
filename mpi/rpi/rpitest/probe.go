package rpitest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

func testProbe(t *testing.T, open rpi.Open) {
	t.Run("a probe waits for its message and leaves it", func(t *testing.T) {
		j := start(t, open, 2, nil)
		for _, n := range []int{0, 10, 1 << 20} {
			p, other := probe(rpi.OpProbe, anySource, 7), probe(rpi.OpProbe, 0, 8)
			j.start(1, p, other)
			require.False(t, p.Completed())
			s := j.start(0, send(1, 7, message(0, n)))
			j.wait(1, p)
			require.NoError(t, p.Err)
			require.EqualValues(t, 0, p.Status.Source)
			require.EqualValues(t, 7, p.Status.Tag)
			require.EqualValues(t, n, p.Status.Length)
			require.False(t, other.Completed())
			j.ranks[1].Cancel(other)
			j.wait(1, other)
			require.True(t, other.Status.Cancelled)

			st, found, err := j.ranks[1].Iprobe(0, 0, 7)
			require.NoError(t, err)
			require.True(t, found)
			require.EqualValues(t, n, st.Length)
			r := recv(0, 7, make([]byte, n))
			j.do(1, r)
			requireMessage(t, r, 0, n)
			j.wait(0, s)
			_, found, err = j.ranks[1].Iprobe(0, 0, 7)
			require.NoError(t, err)
			require.False(t, found)
		}
	})
	t.Run("a matched probe takes its message", func(t *testing.T) {
		j := start(t, open, 2, nil)
		for _, n := range []int{0, 10, 65536, 1 << 20} {
			p := probe(rpi.OpMprobe, 0, 1)
			j.start(1, p)
			s := []*rpi.Request{send(1, 1, message(0, n)), send(1, 1, message(1, n))}
			j.start(0, s...)
			j.wait(1, p)
			// The next receive gets the next message.
			r := recv(0, 1, make([]byte, n))
			j.do(1, r)
			requireMessage(t, r, 1, n)
			taken := recv(0, 1, make([]byte, n))
			taken.Message = p.Message
			j.do(1, taken)
			requireMessage(t, taken, 0, n)
			j.wait(0, s...)
		}
	})
	t.Run("an immediate matched probe takes its message", func(t *testing.T) {
		j := start(t, open, 2, nil)
		_, _, found, err := j.ranks[1].Improbe(0, 0, 1)
		require.NoError(t, err)
		require.False(t, found)
		j.start(0, send(1, 1, message(9, 100)))
		j.do(1, probe(rpi.OpProbe, 0, 1))
		m, st, found, err := j.ranks[1].Improbe(0, 0, 1)
		require.NoError(t, err)
		require.True(t, found)
		require.EqualValues(t, 100, st.Length)
		_, again, _ := j.ranks[1].Iprobe(0, 0, 1)
		require.False(t, again)
		r := recv(0, 1, make([]byte, 100))
		r.Message = m
		j.do(1, r)
		requireMessage(t, r, 9, 100)
	})
	t.Run("matched probes of many take each message once", func(t *testing.T) {
		j := start(t, open, 2, nil)
		const count = 100
		var probes []*rpi.Request
		for range count {
			probes = append(probes, probe(rpi.OpMprobe, 0, anyTag))
		}
		j.start(1, probes...)
		for i := range count {
			j.start(0, send(1, i%3, message(i, 20)))
		}
		j.wait(1, probes...)
		for i, p := range probes {
			r := recv(0, anyTag, make([]byte, 20))
			r.Message = p.Message
			j.do(1, r)
			requireMessage(t, r, i, 20)
		}
	})
}
