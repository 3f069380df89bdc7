package plpmtud

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Whatever happens in whatever order, MTU is Base or Min or has been acknowledged, and every
// change is reported. Once the path behaves the search finds its MTU.
func FuzzSearch(f *testing.F) {
	f.Add(uint16(1500), []byte{0, 3, 0, 1, 0, 1, 0, 3, 0, 3, 0, 3, 0, 1})
	f.Add(uint16(9000), []byte{0, 4, 20, 0, 1, 0, 1, 0, 2, 3, 5, 0, 1, 6, 0, 2, 7, 0})
	f.Add(uint16(700), []byte{0, 3, 0, 3, 0, 3, 0, 3, 0, 1, 0, 4, 7, 5, 0, 1})
	f.Fuzz(func(t *testing.T, mtu uint16, ops []byte) {
		r := start(t, Config{Min: minBase, Max: maxPacket}, max(int(mtu), minBase))
		sent := map[uint64]int{}
		acked := map[int]bool{DefaultBase: true, minBase: true}
		var last uint64
		ack := func(id uint64) bool {
			if sent[id] > r.mtu {
				return false
			}
			acked[sent[id]] = true
			return r.Acked(r.now, id)
		}
		for i, op := range ops {
			before, changed := r.MTU(), false
			switch op % 8 {
			case 0:
				size, id, ok := r.Probe(r.now, rto)
				if ok {
					require.True(t, before <= size && size <= maxPacket && size%align == 0, "probe of %d", size)
					require.Equal(t, last+1, id)
					last, sent[id] = id, size
				}
			case 1:
				changed = ack(last)
			case 2:
				changed = ack(last - uint64(op/8))
			case 3:
				r.now += rto
				changed = r.Expire(r.now)
			case 4:
				if i+1 < len(ops) {
					changed = r.TooBig(r.now, 100*int(ops[i+1]))
				}
			case 5:
				changed = r.BlackHole(r.now)
			case 6:
				r.Start(r.now)
				changed = r.MTU() != before
			case 7:
				r.now += time.Duration(op/8) * time.Minute
			}
			require.Equal(t, before != r.MTU(), changed, "reported, operation %d", i)
			require.True(t, acked[r.MTU()], "MTU of %d without proof", r.MTU())
			require.Less(t, r.low, r.high)
			deadline, running := r.Deadline()
			require.True(t, !running || deadline <= r.now+rto || r.state == stateError)
		}

		if deadline, running := r.Deadline(); running {
			r.now = max(r.now, deadline)
			r.Expire(r.now)
		}
		r.last = r.now - rtt
		r.search()
		found := r.raise()
		require.True(t, found <= r.mtu && r.mtu < found+step(found), "%d on a path of %d", found, r.mtu)
	})
}
