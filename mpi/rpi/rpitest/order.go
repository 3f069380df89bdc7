package rpitest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// mixed gives message i a length that makes neighbours use different
// protocols.
func mixed(i int) int { return []int{8, 70 << 10, 300, 65536}[i%4] }

func testOrder(t *testing.T, open rpi.Open) {
	t.Run("messages of one tag do not overtake", func(t *testing.T) {
		j := start(t, open, 2, nil)
		const count = 200
		var sends, recvs []*rpi.Request
		for i := range count {
			sends = append(sends, send(1, 3, message(i, mixed(i))))
		}
		j.start(0, sends...)
		for i := range count {
			recvs = append(recvs, recv(0, 3, make([]byte, mixed(i))))
		}
		j.start(1, recvs...)
		j.wait(1, recvs...)
		j.wait(0, sends...)
		for i, r := range recvs {
			requireMessage(t, r, i, mixed(i))
		}
	})
	t.Run("any-tag receives take messages in the order sent", func(t *testing.T) {
		j := start(t, open, 2, nil)
		const count = 200
		var sends []*rpi.Request
		for i := range count {
			sends = append(sends, send(1, i*7%13, message(i, mixed(i))))
		}
		j.start(0, sends...)
		for i := range count {
			r := recv(0, anyTag, make([]byte, 70<<10))
			j.do(1, r)
			requireMessage(t, r, i, mixed(i))
			require.EqualValues(t, i*7%13, r.Status.Tag)
		}
		j.wait(0, sends...)
	})
	t.Run("receives match in the order posted", func(t *testing.T) {
		j := start(t, open, 2, nil)
		rs := []*rpi.Request{
			recv(0, anyTag, make([]byte, 8)),
			recv(anySource, 4, make([]byte, 8)),
			recv(0, 4, make([]byte, 8)),
			recv(anySource, anyTag, make([]byte, 8)),
		}
		j.start(1, rs...)
		for i := range rs {
			j.do(0, send(1, 4, message(i, 8)))
		}
		j.wait(1, rs...)
		for i, r := range rs {
			requireMessage(t, r, i, 8)
		}
	})
	t.Run("a receive is not held up by messages of other tags", func(t *testing.T) {
		j := start(t, open, 2, nil)
		s := j.start(0, send(1, 1, message(1, 1<<20)))
		j.do(0, send(1, 2, message(2, 10)))
		r := recv(0, 2, make([]byte, 10))
		j.do(1, r)
		requireMessage(t, r, 2, 10)
		r = recv(0, 1, make([]byte, 1<<20))
		j.do(1, r)
		requireMessage(t, r, 1, 1<<20)
		j.wait(0, s)
	})
	t.Run("overtaking may be allowed and forbidden again", func(t *testing.T) {
		j := start(t, open, 2, nil)
		const count, tags = 60, 5
		var sends []*rpi.Request
		for i := range 2 * count {
			sends = append(sends, send(1, i%tags, message(i, mixed(i))))
		}
		j.ranks[1].AllowOvertaking(0, true)
		first := recv(0, anyTag, make([]byte, 70<<10))
		j.start(1, first)
		j.start(0, sends[:count]...)
		last := [tags]int{-tags, 1 - tags, 2 - tags, 3 - tags, 4 - tags}
		for i := range count {
			r := first
			if i > 0 {
				r = j.start(1, recv(0, anyTag, make([]byte, 70<<10)))
			}
			j.wait(1, r)
			last[r.Status.Tag] += tags // those of a tag keep their order
			requireMessage(t, r, last[r.Status.Tag], mixed(last[r.Status.Tag]))
		}
		j.wait(0, sends[:count]...)
		j.ranks[1].AllowOvertaking(0, false)
		j.start(0, sends[count:]...)
		for i := range count {
			r := recv(0, anyTag, make([]byte, 70<<10))
			j.do(1, r)
			requireMessage(t, r, count+i, mixed(count+i))
		}
		j.wait(0, sends...)
	})
	t.Run("any source serves all", func(t *testing.T) {
		const n, count = 5, 50
		j := start(t, open, n, nil)
		for rank := 1; rank < n; rank++ {
			for i := range count {
				j.start(rank, send(0, 0, message(i, mixed(i))))
			}
		}
		next := make([]int, n)
		for range (n - 1) * count {
			r := recv(anySource, 0, make([]byte, 70<<10))
			j.do(0, r)
			requireMessage(t, r, next[r.Status.Source], mixed(next[r.Status.Source]))
			next[r.Status.Source]++
		}
	})
}
