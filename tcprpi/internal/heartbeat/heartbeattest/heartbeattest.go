// Package heartbeattest checks that a transport knows a dead peer from one that
// only computes, or takes no data.
package heartbeattest

import (
	"bytes"
	"context"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/heartbeat"
)

// Rank is a transport of a job, seen from inside.
type Rank struct {
	rpi.Transport
	// Beat is called when the transport's clock beats.
	Beat  func()
	Clock *heartbeat.Clock
	// Heard reports whether something has come from a peer since the last beat.
	Heard func(peer int) bool

	address *atomic.Pointer[string] // by which others find it
}

// Run checks the transport that open makes.
func Run(t *testing.T, open func(cfg rpi.Config) (Rank, error)) {
	for _, mode := range []rpi.Progress{rpi.Hybrid, rpi.Event, rpi.Inline} {
		t.Run(mode.String(), func(t *testing.T) {
			t.Parallel()
			pair := func(t *testing.T, timeout time.Duration) []Rank { return connect(t, open, mode, timeout) }
			t.Run("a receiver that takes nothing for four timeouts lives", func(t *testing.T) { testClosedWindow(t, pair) })
			t.Run("ranks that compute live", func(t *testing.T) { testComputing(t, pair) })
			t.Run("a rank that waits for one that computes hears it", func(t *testing.T) { testWaiting(t, pair) })
			t.Run("a rank whose words are lost is asked, and lives", func(t *testing.T) { testLost(t, pair) })
			t.Run("a rank that is stopped is noticed, and told", func(t *testing.T) { testStopped(t, pair) })
			t.Run("a rank that was stopped blames no peer", func(t *testing.T) { testResumed(t, pair) })
		})
	}
}

// connect opens the transports of two ranks and has them make all connections that
// their messages need.
func connect(t *testing.T, open func(cfg rpi.Config) (Rank, error), mode rpi.Progress, timeout time.Duration) []Rank {
	ranks, addresses := make([]Rank, 2), make([]atomic.Pointer[string], 2)
	for rank := range ranks {
		var err error
		ranks[rank], err = open(rpi.Config{
			Rank: rank, Size: len(ranks), Progress: mode, PeerTimeout: timeout,
			EagerLimit: 64 << 20, UnexpectedLimit: 1 << 30, // all messages are eager
			Lookup: func(_ context.Context, peer int) (string, error) { return *addresses[peer].Load(), nil },
		})
		require.NoError(t, err)
		address := ranks[rank].Address()
		ranks[rank].address = &addresses[rank]
		ranks[rank].address.Store(&address)
		t.Cleanup(ranks[rank].Kill)
	}
	for rank := range ranks {
		r := start(t, ranks[rank], request(rpi.OpRecv, 1-rank, nil))
		<-start(t, ranks[1-rank], request(rpi.OpSend, rank, nil))
		<-r
	}
	return ranks
}

// suspected are the ranks that a rank suspects.
func suspected(rank Rank) []matching.Rank { return rank.Transport.(rpi.Watchful).Suspected() }

// stop has ranks answer no new connections, as processes do that are stopped.
func stop(t *testing.T, ranks ...Rank) {
	mute, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { mute.Close() })
	address := mute.Addr().String()
	for _, rank := range ranks {
		rank.address.Store(&address) // which a rank that is still connecting may be reading
	}
}

// hear lets the clock of the other of two ranks beat until the one hears it, which
// is at every second beat.
func hear(t *testing.T, ranks []Rank, one int) {
	ranks[1-one].Beat()
	ranks[1-one].Beat()
	until(t, func() bool { return ranks[one].Heard(1 - one) })
}

func request(op rpi.Op, peer int, buf []byte) *rpi.Request {
	return &rpi.Request{Op: op, Peer: matching.Rank(peer), Type: 1, Elem: 1, Buf: buf}
}

// start starts a request and waits for it as a blocking call does.
func start(t *testing.T, rank Rank, r *rpi.Request) (done chan struct{}) {
	rank.Start(r)
	done = make(chan struct{})
	go func() {
		wait(t, rank, r)
		close(done)
	}()
	return done
}

// wait waits for a request that has been started.
func wait(t *testing.T, rank Rank, r *rpi.Request) {
	w := rpi.NewWaiter()
	defer w.Release()
	if r.Subscribe(w) {
		assert.NoError(t, rank.Await(context.Background(), w))
	}
	<-r.Done()
}

// until waits for what nothing signals.
func until(t *testing.T, so func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !so(); time.Sleep(time.Millisecond) {
		require.True(t, time.Now().Before(end))
	}
}

// text is a message that is longer than all buffers on the way.
func text() []byte { return bytes.Repeat([]byte("0123456789abcdef"), 2<<20) }

// The one test in which time passes: it is the kernel that must not give up.
func testClosedWindow(t *testing.T, pair func(*testing.T, time.Duration) []Rank) {
	ranks := pair(t, time.Second)
	s, r := request(rpi.OpSend, 1, text()), request(rpi.OpRecv, 0, make([]byte, len(text())))
	sent := start(t, ranks[0], s)
	for begun := ranks[0].Clock.Count(); ranks[0].Clock.Count() < begun+16; {
		time.Sleep(10 * time.Millisecond)
	}
	<-start(t, ranks[1], r)
	<-sent
	require.NoError(t, s.Err)
	require.NoError(t, r.Err)
	require.True(t, bytes.Equal(s.Buf, r.Buf))
}

// Neither makes a call, and what they have sent each other is in the way.
func testComputing(t *testing.T, pair func(*testing.T, time.Duration) []Rank) {
	ranks := pair(t, time.Hour)
	stop(t, ranks...)
	var sends []*rpi.Request
	for rank := range ranks {
		sends = append(sends, request(rpi.OpSend, 1-rank, text()))
		ranks[rank].Start(sends[rank])
	}
	for range 20 {
		hear(t, ranks, 0)
		hear(t, ranks, 1)
		require.Empty(t, suspected(ranks[0]))
	}
	var all sync.WaitGroup
	for rank := range ranks {
		all.Go(func() {
			r := request(rpi.OpRecv, 1-rank, make([]byte, len(text())))
			<-start(t, ranks[rank], r)
			assert.NoError(t, r.Err)
			wait(t, ranks[rank], sends[rank])
			assert.NoError(t, sends[rank].Err)
		})
	}
	all.Wait()
}

func testWaiting(t *testing.T, pair func(*testing.T, time.Duration) []Rank) {
	ranks := pair(t, time.Hour)
	stop(t, ranks...)
	r := request(rpi.OpRecv, 1, make([]byte, 1))
	done := start(t, ranks[0], r)
	for range 20 {
		hear(t, ranks, 0)
		hear(t, ranks, 1)
	}
	require.False(t, r.Completed())
	ranks[1].Start(request(rpi.OpSend, 0, []byte{1}))
	<-done
	require.NoError(t, r.Err)
}

// Rank 1 never beats, which is the same as if its words did not arrive.
func testLost(t *testing.T, pair func(*testing.T, time.Duration) []Rank) {
	ranks := pair(t, time.Hour)
	r := request(rpi.OpRecv, 1, make([]byte, 1))
	done := start(t, ranks[0], r)
	for range 10 {
		until(t, func() bool { // it is asked
			ranks[0].Beat()
			return len(suspected(ranks[0])) > 0 || ranks[0].Heard(1)
		})
		until(t, func() bool { return ranks[0].Heard(1) })
		require.Empty(t, suspected(ranks[0]), "it has answered")
	}
	ranks[1].Start(request(rpi.OpSend, 0, []byte{1}))
	<-done
	require.NoError(t, r.Err)
}

func testStopped(t *testing.T, pair func(*testing.T, time.Duration) []Rank) {
	ranks := pair(t, time.Hour)
	stop(t, ranks...)
	waits := request(rpi.OpRecv, 1, nil)
	done := start(t, ranks[0], waits)
	var suspects [][]matching.Rank // after each beat
	until(t, func() bool {         // what rank 1 has sent before may still be on its way, and count
		ranks[0].Beat()
		suspects = append(suspects, suspected(ranks[0]))
		return waits.Completed()
	})
	beats := len(suspects)
	require.GreaterOrEqual(t, beats, 4)
	require.Equal(t, [][]matching.Rank{nil, {1}, {1}, nil}, suspects[beats-4:], "from half of the timeout on, until it is dead")
	<-done
	require.ErrorIs(t, waits.Err, rpi.ErrProcFailed)
	require.ErrorContains(t, waits.Err, "rank 1 of the job: this rank heard nothing from it for 1h0m0s (SCTPMPI_PEER_TIMEOUT) and gave up on it")

	wakes := request(rpi.OpRecv, 0, nil)
	<-start(t, ranks[1], wakes)
	require.ErrorIs(t, wakes.Err, rpi.ErrProcFailed)
	require.ErrorContains(t, wakes.Err, "rank 0 of the job: it gave up on this rank: it heard nothing from this rank for 1h0m0s (SCTPMPI_PEER_TIMEOUT)")
}

// The peer lives all the time; this rank does not hear it before it runs again.
func testResumed(t *testing.T, pair func(*testing.T, time.Duration) []Rank) {
	ranks := pair(t, time.Hour)
	stop(t, ranks...)
	for range 3 {
		ranks[0].Beat()
	}
	for range 3 { // while rank 0 is stopped
		ranks[1].Beat()
	}
	until(t, func() bool { return ranks[0].Heard(1) })
	for range 3 {
		ranks[0].Beat()
	}
	r := request(rpi.OpRecv, 1, make([]byte, 1))
	done := start(t, ranks[0], r)
	ranks[1].Start(request(rpi.OpSend, 0, []byte{1}))
	<-done
	require.NoError(t, r.Err)
}
