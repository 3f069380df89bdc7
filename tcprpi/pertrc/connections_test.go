package pertrc

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// eventually waits until what follows from an event that nothing signals is so.
func eventually(t *testing.T, what string, so func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !so(); runtime.Gosched() {
		require.True(t, time.Now().Before(end), what)
	}
}

// pairUp opens a job of two with one control connection. (If both need it
// first at the same time, there are two.)
func pairUp(t *testing.T) []*Transport {
	ranks := openJob(t, 2, nil)
	for _, tr := range ranks {
		require.NoError(t, tr.Connect(t.Context()))
	}
	return ranks
}

// A TRC has a socket of its own at each end, made on its first use; besides
// there is one for the control connection.
func TestEachTRCHasASocket(t *testing.T) {
	ranks := pairUp(t)
	for context := range matching.Context(3) {
		for tag := range 4 {
			for range 5 {
				exchange(t, ranks, 2*context, tag)
			}
		}
	}
	require.EqualValues(t, 3*4+1, ranks[0].Counters().Opened)
	sent := ranks[0].Counters()
	require.EqualValues(t, 3*4*5, sent.Sent)
	require.EqualValues(t, 3*4*5, ranks[1].Counters().Received)
	require.EqualValues(t, 3*4+1, sent.Connects)
}

// The launcher is asked once where a peer is, however many connections are made to it.
func TestPeersAreLookedUpOnce(t *testing.T) {
	var asked [2]atomic.Int32
	ranks := openJob(t, 2, func(cfg *rpi.Config) {
		lookup := cfg.Lookup
		cfg.Lookup = func(ctx context.Context, peer int) (string, error) {
			asked[peer].Add(1)
			return lookup(ctx, peer)
		}
	})
	require.NoError(t, ranks[0].Connect(t.Context()))
	for tag := range 10 {
		start(ranks[0], request(rpi.OpSend, 1, tag, text(tag)))
		do(t, ranks[1], request(rpi.OpRecv, 0, tag, make([]byte, 3)))
	}
	require.EqualValues(t, 1, asked[1].Load())
}

// Where messages are received in the order sent, they share sockets: the number
// of collective operations does not count, but for those under way at one time.
func TestContextsInOrderHaveFewSockets(t *testing.T) {
	ranks := pairUp(t)
	for tag := range 100 {
		r, s := request(rpi.OpRecv, 0, tag, make([]byte, 3)), request(rpi.OpSend, 1, tag, text(tag))
		r.Context, s.Context = rpi.InOrder, rpi.InOrder
		start(ranks[1], r)
		do(t, ranks[0], s)
		<-r.Done()
		require.Equal(t, text(tag), r.Buf)
	}
	require.EqualValues(t, 1+1, ranks[0].Counters().Opened, "operations that follow each other use one socket")

	const underWay = 20
	in, out := make([]byte, 16<<20), make([]byte, 16<<20)
	for round := range 2 {
		var sends []*rpi.Request
		for i := range underWay {
			s := request(rpi.OpSend, 1, 100+round*underWay+i, out)
			s.Context, s.OpenTags = rpi.InOrder, matching.Tag(i)
			sends = append(sends, start(ranks[0], s))
		}
		for _, s := range slices.Backward(sends) {
			r := request(rpi.OpRecv, 0, int(s.Tag), in)
			r.Context = rpi.InOrder
			do(t, ranks[1], r)
			<-s.Done()
			require.NoError(t, s.Err)
		}
		for _, tr := range ranks {
			require.LessOrEqual(t, tr.Counters().Open, uint64(1+underWay))
			eventually(t, "sockets remain", func() bool { return tr.Counters().Open == 1+collectiveSlots })
		}
	}
}

// A message that no receive takes does not stop those behind it, whether their receives are posted
// before or after it comes. It can still be received itself.
func TestLeftoversDoNotBlockTheirContext(t *testing.T) {
	for _, posted := range []bool{true, false} {
		t.Run(fmt.Sprintf("posted first %v", posted), func(t *testing.T) {
			ranks := openJob(t, 2, nil)
			inOrder := func(r *rpi.Request) *rpi.Request {
				r.Context = rpi.InOrder
				return r
			}
			r := inOrder(request(rpi.OpRecv, 0, 7, make([]byte, 3)))
			if posted {
				start(ranks[1], r)
			}
			for _, n := range []int{0, 10, 100 << 10} { // left over
				start(ranks[0], inOrder(request(rpi.OpSend, 1, 6, make([]byte, n))))
			}
			start(ranks[0], inOrder(request(rpi.OpSend, 1, 7, text(7))))
			if !posted {
				start(ranks[1], r)
			}
			<-r.Done()
			require.NoError(t, r.Err)
			require.Equal(t, text(7), r.Buf)
			for _, n := range []int{0, 10, 100 << 10} {
				left := do(t, ranks[1], inOrder(request(rpi.OpRecv, 0, 6, make([]byte, n))))
				require.EqualValues(t, n, left.Status.Length)
			}
		})
	}
}

// The number of goroutines does not depend on that of the connections.
func TestGoroutines(t *testing.T) {
	const n, tags = 6, 20
	ranks := openJob(t, n, nil)
	before := runtime.NumGoroutine()
	var all sync.WaitGroup
	for rank, tr := range ranks {
		all.Go(func() {
			var rs []*rpi.Request
			for peer := range n {
				for tag := range tags {
					rs = append(rs, start(tr, request(rpi.OpSend, peer, tag, text(rank))), start(tr, request(rpi.OpRecv, peer, tag, make([]byte, 3))))
				}
			}
			for _, r := range rs {
				<-r.Done()
				assert.NoError(t, r.Err)
			}
		})
	}
	all.Wait()
	eventually(t, "goroutines remain", func() bool { return runtime.NumGoroutine() <= before })
}

// What a receiver does not take is held up alone.
func TestFlowControlIsPerTRC(t *testing.T) {
	ranks := openJob(t, 2, nil)
	var blocked []*rpi.Request
	for tag := range 3 {
		blocked = append(blocked, start(ranks[0], request(rpi.OpSend, 1, tag, make([]byte, 64<<20))))
	}
	for i := range 100 {
		start(ranks[0], request(rpi.OpSend, 1, 3, text(i)))
		r := do(t, ranks[1], request(rpi.OpRecv, 0, 3, make([]byte, 3)))
		require.Equal(t, text(i), r.Buf)
	}
	for tag := range 3 {
		require.False(t, blocked[tag].Completed())
		do(t, ranks[1], request(rpi.OpRecv, 0, tag, make([]byte, 64<<20)))
	}
}

// Where many TRCs want connections at a time, those that wait for the others lose none of their patience: as long as each attempt
// succeeds none gives up, however many there are and however slow the machine.
func TestWaitingForADialerIsNoFailure(t *testing.T) {
	ranks := pairUp(t)
	v := ranks[0]
	v.lock.Lock()
	dialers := v.dialers
	v.dialers = v.allotted.slots(maxDialers) // all are busy
	v.lock.Unlock()
	s := start(v, request(rpi.OpSend, 1, 5, text(5)))
	v.lock.Lock()
	o := v.dials[0]
	require.True(t, o.since.IsZero(), "it has not begun")
	require.Nil(t, o.patience)
	o.since = time.Now().Add(-time.Hour) // an attempt has failed for want of room, and the next has waited since
	o.asked = o.since
	v.dialers = dialers
	v.startDialer()
	v.lock.Unlock()
	require.Equal(t, text(5), do(t, ranks[1], request(rpi.OpRecv, 0, 5, make([]byte, 3))).Buf)
	<-s.Done()
	require.NoError(t, s.Err)
}
