package shm

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// TestPieces has messages of all lengths go through the ring in both directions, where no peer can read the other's memory.
// They match in order.
func TestPieces(t *testing.T) {
	a, b := newSide(t, 0), newSide(t, 1)
	ours, theirs, err := a.link.bind(b.link)
	require.NoError(t, err)
	ours.lends, theirs.lends = false, false
	a.use(t, ours)
	b.use(t, theirs)
	lengths := []int{0, 8, 9, 16, 1000, copyLimit, copyLimit + 1, 32 << 10, 60 << 10, 64 << 10, 64<<10 + 1, 300 << 10, 1 << 20, 5}
	const bursts = 4 // of short messages, which share frames
	var requests []*rpi.Request
	var receives [2][]*rpi.Request
	for i, s := range []*side{a, b} {
		for number := range bursts * len(lengths) {
			length := lengths[number%len(lengths)]
			buf := make([]byte, length)
			for i := range buf {
				buf[i] = byte(number + i)
			}
			requests = append(requests, s.start(rpi.OpSend, 1, buf, true))
		}
		s.flush()
		for number := range bursts * len(lengths) {
			r := s.start(rpi.OpRecv, 1, make([]byte, lengths[number%len(lengths)]), false)
			receives[i], requests = append(receives[i], r), append(requests, r)
		}
	}
	settle(a, b)
	for _, r := range requests {
		require.True(t, r.Completed(), "%v of %d bytes", r.Op, len(r.Buf))
		require.NoError(t, r.Err)
	}
	for i := range receives {
		for number, r := range receives[i] {
			require.EqualValues(t, lengths[number%len(lengths)], r.Status.Length, "message %d", number)
			for i, got := range r.Buf {
				if got != byte(number+i) {
					t.Fatalf("message %d: byte %d is %d", number, i, got)
				}
			}
		}
	}
}

// settle lets two sides go on until nothing moves any more.
func settle(a, b *side) {
	for idle := 0; idle < 3; idle++ {
		if a.link.poll(1) || b.link.poll(1) {
			idle = 0
		}
		a.flush()
		b.flush()
	}
}

// inPieces has one side begin a long message to another one, which has posted a receive and cannot read the sender's memory. The ring
// is full.
func inPieces(t *testing.T) (a, b *side, send, receive *rpi.Request) {
	a, b = newSide(t, 0), newSide(t, 1)
	ours, theirs, err := a.link.bind(b.link)
	require.NoError(t, err)
	ours.lends, theirs.lends = false, false
	a.use(t, ours)
	b.use(t, theirs)
	receive = b.start(rpi.OpRecv, 1, make([]byte, 1<<20), false)
	send = a.start(rpi.OpSend, 1, make([]byte, 1<<20), false)
	for len(a.link.peers[1].pieces.bodies) == 0 {
		b.link.poll(1)
		a.link.poll(1)
	}
	return a, b, send, receive
}

// A short message that comes when there is room again leaves the long one, which waits for more, to be gone on with.
func TestAShortMessageBesidePieces(t *testing.T) {
	a, b, send, receive := inPieces(t)
	b.link.poll(1) // there is room again
	short := &rpi.Request{Op: rpi.OpSend, Tag: 2}
	a.lock.Lock()
	sent := a.link.TrySend(1, &recordHeader{returned}, nil)
	a.lock.Unlock()
	require.False(t, sent)
	a.startRequest(short, false)
	settle(a, b)
	for _, r := range []*rpi.Request{send, receive, short} {
		require.True(t, r.Completed())
		require.NoError(t, r.Err)
	}
}

// A process that ends sends what is left of its long messages before it says so.
func TestPiecesAreSentBeforeBye(t *testing.T) {
	a, b, send, receive := inPieces(t)
	a.lock.Lock()
	a.layer.Bye(1)
	a.lock.Unlock()
	settle(a, b)
	for _, r := range []*rpi.Request{send, receive} {
		require.True(t, r.Completed())
		require.NoError(t, r.Err)
	}
}
