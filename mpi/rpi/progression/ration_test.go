package progression

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// trip delivers all frames that the layers have queued, and what they answer only at the next: a network on which all takes equally long.
func (n *network) trip(t *testing.T) {
	t.Helper()
	n.collect()
	streams := n.streams
	n.streams = nil
	for _, s := range streams {
		for len(s.frames) > 0 || len(s.rest) > 0 {
			n.deliver(s, n.layers[s.to])
			if s.sink != nil {
				n.layers[s.to].Arrived(s.sink)
				s.sink = nil
			}
		}
	}
}

// flood has rank 0 send messages of 1 KiB with tag 0 that rank 1 does not receive, beyond its limit.
func flood(t *testing.T, limit, size int) (n *network, sends []*rpi.Request) {
	n = newNetwork(1, size, rpi.Config{UnexpectedLimit: limit})
	for range limit / 512 {
		r := &rpi.Request{Op: rpi.OpSend, Peer: 1, Type: 1, Elem: 1, Buf: make([]byte, 1024)}
		n.layers[0].Start(r, false)
		sends = append(sends, r)
	}
	n.deliverAll()
	require.False(t, sends[len(sends)-1].Completed())
	return n, sends
}

// Messages of a TRC whose receives are posted go at once, however much of another TRC is unread: each takes one trip, and so does its answer.
func TestUnreadMessagesLeaveRoomForOthers(t *testing.T) {
	const steps, limit = 2000, 64 << 10
	for name, size := range map[string]int{"short": 64, "long": 4 << 10} {
		t.Run(name, func(t *testing.T) {
			n, sends := flood(t, limit, 2)
			for step := range steps {
				send := func(from, to matching.Rank) {
					r := &rpi.Request{Op: rpi.OpRecv, Peer: from, Tag: 1, Type: 1, Elem: 1, Buf: make([]byte, size)}
					n.layers[to].Start(r, false)
					n.trip(t) // what the receive has told its sender arrives while it computes
					n.layers[from].Start(&rpi.Request{Op: rpi.OpSend, Peer: to, Tag: 1, Type: 1, Elem: 1, Buf: make([]byte, size)}, false)
					n.trip(t)
					require.True(t, r.Completed(), "step %d takes more than a trip", step)
					require.LessOrEqual(t, n.layers[1].peers[0].used, int64(limit))
				}
				send(0, 1)
				send(1, 0)
			}
			for range sends { // the others were held, and none is lost
				r := &rpi.Request{Op: rpi.OpRecv, Peer: 0, Type: 1, Elem: 1, Buf: make([]byte, 1024)}
				n.layers[1].Start(r, false)
				n.deliverAll()
				require.True(t, r.Completed())
				require.NoError(t, r.Err)
			}
			p, o := &n.layers[0].peers[1], &n.layers[1].peers[0].owed
			rationed := int64(0)
			for _, r := range o.rations {
				rationed += r.bytes
			}
			assert.Equal(t, rationed, p.rationed, "what has a ration is all owed")
			assert.Equal(t, int64(limit), p.credit+o.bytes)
			assert.Zero(t, n.layers[1].peers[0].used)
		})
	}
}

// Each TRC that is not read takes less than what is left, so that there is some for the next.
func TestEachUnreadTRCTakesLess(t *testing.T) {
	const limit = 1 << 20
	n := newNetwork(1, 2, rpi.Config{UnexpectedLimit: limit})
	p := &n.layers[0].peers[1]
	left := []int64{limit}
	for tag := range matching.Tag(6) {
		for range limit / 1024 {
			n.layers[0].Start(&rpi.Request{Op: rpi.OpSend, Peer: 1, Tag: tag, Type: 1, Elem: 1, Buf: make([]byte, 768)}, false)
		}
		n.deliverAll()
		left = append(left, p.credit)
	}
	for i, want := range []int64{limit, limit * 3 / 8, limit * 3 / 16, limit * 3 / 32, limit * 3 / 64, limit * 3 / 128, limit * 3 / 256} {
		assert.InDelta(t, want, left[i], 2048, "after %d TRCs", i)
	}
}

// As long as credit is ample no TRC is counted, and credit is returned seldom.
func TestPingPongCountsNothing(t *testing.T) {
	const limit, steps = 1 << 20, 1000
	n := newNetwork(1, 2, rpi.Config{UnexpectedLimit: limit})
	p, credits := &n.layers[0].peers[1], 0
	for range steps {
		r := &rpi.Request{Op: rpi.OpRecv, Peer: 0, Type: 1, Elem: 1, Buf: make([]byte, 768)}
		n.layers[1].Start(r, false)
		n.layers[0].Start(&rpi.Request{Op: rpi.OpSend, Peer: 1, Type: 1, Elem: 1, Buf: make([]byte, 768)}, false)
		before := p.credit
		n.deliverAll()
		require.True(t, r.Completed())
		if p.credit > before {
			credits++
		}
	}
	assert.Nil(t, p.rations)
	assert.Equal(t, steps*1024/(limit/8), credits)
}

// Messages overtake those that are held only as long as their receiver can remember the gaps.
func TestNotMoreAreOvertakenThanTheReceiverCanRemember(t *testing.T) {
	n, sends := flood(t, 64<<10, 2)
	b := &n.layers[0].peers[1].backlog
	other := func() *rpi.Request {
		r := &rpi.Request{Op: rpi.OpSend, Peer: 1, Tag: 1, Type: 1, Elem: 1}
		n.layers[0].Start(r, false)
		n.deliverAll()
		return r
	}
	for b.count < maxPassed {
		r := &rpi.Request{Op: rpi.OpSend, Peer: 1, Type: 1, Elem: 1}
		n.layers[0].Start(r, false)
		sends = append(sends, r)
		if len(sends)%4096 == 0 {
			require.True(t, other().Completed())
		}
	}
	require.False(t, other().Completed())
	n.layers[0].Cancel(sends[len(sends)-1])
	n.layers[0].Cancel(sends[len(sends)-2])
	require.False(t, other().Completed(), "one of its own TRC is held")
}

// What has been held and has left is forgotten, though the first that was held stays.
func TestTheBacklogForgetsWhatHasLeft(t *testing.T) {
	n, _ := flood(t, 64<<10, 2)
	b := &n.layers[0].peers[1].backlog
	for range 2000 {
		var sends []*rpi.Request
		for range 40 {
			r := &rpi.Request{Op: rpi.OpSend, Peer: 1, Tag: 1, Type: 1, Elem: 1, Buf: make([]byte, 1024)}
			n.layers[0].Start(r, false)
			sends = append(sends, r)
		}
		require.True(t, isHeld(sends[len(sends)-1]))
		for range sends {
			n.layers[1].Start(&rpi.Request{Op: rpi.OpRecv, Peer: 0, Tag: 1, Type: 1, Elem: 1, Buf: make([]byte, 1024)}, false)
			n.deliverAll()
		}
		require.True(t, sends[len(sends)-1].Completed())
	}
	assert.Less(t, cap(b.all.sends), 1000)
}
