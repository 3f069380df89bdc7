package rpitest

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

func testTransfer(t *testing.T, open rpi.Open, trcs int) {
	t.Run("receive posted first", func(t *testing.T) {
		j := start(t, open, 2, nil)
		for i, n := range sizes {
			r := j.start(1, recv(0, 5, make([]byte, n+3)))
			j.do(0, send(1, 5, message(i, n)))
			j.wait(1, r)
			requireMessage(t, r, i, n)
			require.EqualValues(t, 0, r.Status.Source)
			require.EqualValues(t, 5, r.Status.Tag)
		}
	})
	t.Run("message first", func(t *testing.T) {
		j := start(t, open, 2, nil)
		for i, n := range sizes {
			s := j.start(0, send(1, 5, message(i, n)))
			p := probe(rpi.OpProbe, 0, 5) // the message is there, unexpected
			j.do(1, p)
			require.EqualValues(t, n, p.Status.Length)
			r := recv(0, 5, make([]byte, n))
			j.do(1, r)
			j.wait(0, s)
			requireMessage(t, r, i, n)
		}
	})
	t.Run("to oneself", func(t *testing.T) {
		j := start(t, open, 2, nil)
		for i, n := range sizes {
			s := j.start(1, send(1, 5, message(i, n)))
			r := recv(1, 5, make([]byte, n))
			j.do(1, r)
			j.wait(1, s)
			requireMessage(t, r, i, n)

			r = j.start(1, recv(anySource, anyTag, make([]byte, n)))
			j.do(1, send(1, 6, message(i, n)))
			j.wait(1, r)
			requireMessage(t, r, i, n)
		}
	})
	t.Run("world of one", func(t *testing.T) {
		j := start(t, open, 1, nil)
		r := j.start(0, recv(0, 0, make([]byte, 10)))
		j.do(0, send(0, 0, message(1, 10)))
		requireMessage(t, r, 1, 10)
	})
	t.Run("both directions at once", func(t *testing.T) {
		j := start(t, open, 2, nil)
		const count = 24
		var all [2][]*rpi.Request
		for rank := range 2 {
			for i := range count {
				r := recv(1-rank, i, make([]byte, 1<<20))
				s := send(1-rank, i, message(i, 1<<20))
				all[rank] = append(all[rank], j.start(rank, r, s), s)
			}
		}
		for rank := range 2 {
			j.wait(rank, all[rank]...)
			for i := range count {
				requireMessage(t, all[rank][2*i], i, 1<<20)
			}
		}
	})
	t.Run("random sizes, posted and not", func(t *testing.T) {
		j := start(t, open, 2, nil)
		seed := rand.Uint64()
		t.Logf("seed %d", seed)
		rng := rand.New(rand.NewPCG(seed, 0))
		count := min(400, trcs)
		length := make([]int, count)
		sends, recvs := make([]*rpi.Request, count), make([]*rpi.Request, count)
		for i := range count {
			length[i] = rng.IntN(1 << (1 + rng.IntN(19)))
			sends[i] = send(1, i, message(i, length[i]))
			recvs[i] = recv(0, i, make([]byte, length[i]))
		}
		order := rng.Perm(count)
		for _, i := range order[:count/2] {
			j.start(1, recvs[i])
		}
		j.start(0, sends...)
		for _, i := range order[count/2:] {
			j.start(1, recvs[i])
		}
		j.wait(0, sends...)
		j.wait(1, recvs...)
		for i, r := range recvs {
			requireMessage(t, r, i, length[i])
		}
	})
	t.Run("contexts are apart", func(t *testing.T) {
		j := start(t, open, 2, nil)
		a, b := recv(0, 5, make([]byte, 8)), recv(0, 5, make([]byte, 8))
		a.Context, b.Context = 2, 1<<40
		j.start(1, a, b)
		sb, sa := send(1, 5, message(2, 8)), send(1, 5, message(1, 8))
		sb.Context, sa.Context = 1<<40, 2
		j.do(0, sb, sa)
		j.wait(1, a, b)
		requireMessage(t, a, 1, 8)
		requireMessage(t, b, 2, 8)
	})
}
