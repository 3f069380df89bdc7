package tx

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Paths of a newTwoPaths.
const (
	quick PathID = iota
	slow
)

// twoPaths is a rig with a second path. The round trip of the first is 20 ms, that of the second 100 ms.
type twoPaths struct {
	*rig
	controls [2]*fixed
}

func newTwoPaths(t *testing.T, change ...func(*Config)) *twoPaths {
	r := &twoPaths{controls: [2]*fixed{{window: 4 * rigChunk}, {window: 4 * rigChunk}}}
	made := 0
	change = append(change, func(c *Config) {
		c.Multipath = true
		c.NewController = func(int) Controller {
			made++
			return r.controls[made-1]
		}
	})
	r.rig = newRig(t, change...)
	_, err := r.AddPath(rigChunk)
	require.NoError(t, err)
	r.Sample(quick, 20*ms)
	r.Sample(slow, 100*ms)
	return r
}

// chosen sends all that may be sent now and returns the paths and TSNs of the packets.
func (r *twoPaths) chosen(now time.Duration) (paths []PathID, all [][]wire.TSN) {
	r.t.Helper()
	for {
		id, some := r.Choose(now, 1<<quick|1<<slow)
		if !some {
			return paths, all
		}
		var tsns []wire.TSN
		for _, c := range r.Next(nil, now, id, rigChunk) {
			tsns = append(tsns, c.TSN)
		}
		require.NotEmpty(r.t, tsns, "what is chosen has a packet")
		paths, all = append(paths, id), append(all, tsns)
		requireConsistent(r.t, r.Sender)
	}
}

// What fits the fast path goes there. A little more waits for it, since that takes less time; of much more the slow path takes its part.
func TestTheFasterPathIsChosen(t *testing.T) {
	r := newTwoPaths(t)
	r.queue(4)
	paths, _ := r.chosen(0)
	assert.Equal(t, []PathID{quick, quick, quick, quick}, paths)
	r.queue(4)
	paths, _ = r.chosen(0)
	assert.Empty(t, paths)
	r.queue(30)
	paths, _ = r.chosen(0)
	assert.Equal(t, []PathID{slow, slow, slow, slow}, paths)
}

// A stream's messages stay on their path while another is only a little faster.
func TestAStreamStaysOnItsPath(t *testing.T) {
	r := newTwoPaths(t)
	for range 50 {
		r.Sample(slow, 22*ms)
	}
	r.queueOn(1, 1, 1000)
	require.NotEmpty(t, r.Next(nil, 0, slow, rigChunk), "it has begun there")
	r.queueOn(1, 1, 1000)
	r.queueOn(2, 1, 1000)
	paths, _ := r.chosen(0)
	assert.Equal(t, []PathID{slow, quick}, paths)
}

// A path that has not been measured is neither preferred nor waited for.
func TestAPathThatIsNotMeasuredIsNotWaitedFor(t *testing.T) {
	r := newTwoPaths(t)
	r.paths[slow].rto = RTO{timeout: time.Second}
	r.queue(1)
	paths, _ := r.chosen(0)
	assert.Equal(t, []PathID{quick}, paths)

	r = newTwoPaths(t)
	r.paths[quick].rto = RTO{timeout: time.Second}
	r.queue(5)
	paths, _ = r.chosen(0)
	assert.Equal(t, []PathID{slow, slow, slow, slow}, paths)
}

// What a slow path has not delivered is no loss of the fast one, nor the other way round: a path's packets count by themselves.
func TestReorderingBetweenPathsIsNoLoss(t *testing.T) {
	r := newTwoPaths(t)
	r.queue(50)
	paths, sent := r.chosen(0)
	require.Equal(t, []PathID{quick, quick, quick, quick, slow, slow, slow, slow}, paths)
	require.Equal(t, wire.TSN(rigTSN+4), sent[4][0])
	now, cumulative := 20*ms, wire.TSN(rigTSN+3)
	r.sack(now, cumulative)
	for range 5 { // the quick path goes on, the slow one's packets are under way
		paths, sent = r.chosen(now)
		require.Equal(t, []PathID{quick, quick, quick, quick}, paths)
		now += 10 * ms
		last := uint16(sent[3][0].Sub(cumulative))
		r.sack(now, cumulative, 5, last)
	}
	assert.Zero(t, r.Stats().Retransmissions)
	assert.Zero(t, r.controls[slow].losses+r.controls[quick].losses)
	_, rto := r.expireAt(now)
	assert.False(t, rto)
}

// expireAt handles what is due.
func (r *twoPaths) expireAt(now time.Duration) (PathID, bool) {
	r.t.Helper()
	defer requireConsistent(r.t, r.Sender)
	return r.Expire(now)
}

// The loss of a packet of the fast path is found, and its recovery ends, while lower TSNs of the slow one are missing.
func TestAPathRecoversByItself(t *testing.T) {
	r := newTwoPaths(t)
	r.controls[quick].window = 8 * rigChunk
	r.queue(100)
	_, sent := r.chosen(0)
	require.Len(t, sent, 12)
	require.Equal(t, wire.TSN(rigTSN+8), sent[8][0], "the slow path's are the last four")
	r.sack(20*ms, rigTSN+7)
	_, sent = r.chosen(20 * ms) // 1012 to 1019 on the quick path
	require.Len(t, sent, 8)
	r.sack(40*ms, rigTSN+7, 6, 12) // 1012, of the quick path, and all of the slow one are missing
	require.EqualValues(t, 1, r.controls[quick].losses)
	paths, sent := r.chosen(40 * ms)
	require.Equal(t, quick, paths[0])
	require.Equal(t, []wire.TSN{rigTSN + 12}, sent[0], "it goes again by the faster path")
	require.True(t, r.paths[quick].recovery.on)
	last := uint16(sent[len(sent)-1][0].Sub(rigTSN + 7))
	r.sack(60*ms, rigTSN+7, 5, last)
	assert.False(t, r.paths[quick].recovery.on, "though TSNs below are missing")
	assert.Zero(t, r.controls[slow].losses)
}

// A tail-loss probe goes out on the path that is silent, whatever is missing of the other.
func TestATailLossProbeIsOfItsPath(t *testing.T) {
	r := newTwoPaths(t)
	r.queue(40)
	r.chosen(0)
	r.sack(20*ms, rigTSN+3)
	_, sent := r.chosen(20 * ms)
	require.Len(t, sent, 4)
	r.sack(40*ms, rigTSN+3, 5, 7) // the last one, 1011, is missing
	r.controls[quick].window = 0
	at, ok := r.Deadline()
	require.True(t, ok)
	require.Less(t, at, 100*ms)
	r.expireAt(at)
	id, some := r.Choose(at, 1<<quick|1<<slow)
	require.True(t, some)
	assert.Equal(t, quick, id)
	assert.NotEmpty(t, r.Next(nil, at, id, rigChunk))
	assert.EqualValues(t, 1, r.Path(quick).TailProbes)
}

// A SACK that another has overtaken, on a path that takes less time, takes nothing back: neither acknowledgements nor the window.
func TestAnOvertakenSACKTakesNothingBack(t *testing.T) {
	r := newTwoPaths(t)
	r.queue(50)
	r.chosen(0)
	r.sackWindow(20*ms, rigTSN-1, 50_000, 2, 4, 6, 6)
	flight := r.Path(quick).Flight
	r.sackWindow(21*ms, rigTSN-1, 10_000, 3, 3)
	assert.Equal(t, flight, r.Path(quick).Flight)
	assert.Zero(t, r.Stats().Reneged)
	assert.Equal(t, 50_000, r.PeerWindow())
	r.sackWindow(22*ms, rigTSN-1, 40_000, 3, 3, 8, 8) // it has no room for all, and news
	assert.Equal(t, 40_000, r.PeerWindow())

	_, err := r.Sack(23*ms, sackOf(rigTSN, 1<<20))
	require.ErrorIs(t, err, ErrTakenBack)
	requireConsistent(t, r.Sender)
	r.sack(24*ms, rigTSN+3, 2, 2)
}

// When the peer's window is full of what waits for the slow path's chunks, the fast one sends these again, once.
func TestTheFastPathSendsAgainWhatShutsTheWindow(t *testing.T) {
	r := newTwoPaths(t, func(c *Config) { c.PeerWindow = 12_000 })
	r.queue(100)
	paths, _ := r.chosen(0)
	require.Equal(t, []PathID{quick, quick, quick, quick, slow, slow, slow, slow}, paths)
	r.sackWindow(20*ms, rigTSN+3, 12_000)
	_, sent := r.chosen(20 * ms)
	require.Len(t, sent, 4)
	r.sackWindow(40*ms, rigTSN+3, 8_000, 5, 8)
	_, sent = r.chosen(40 * ms)
	require.Len(t, sent, 4)
	// The peer holds eight of the quick path, and has room for the four that it misses.
	r.sackWindow(60*ms, rigTSN+3, 4_000, 5, 12)
	paths, sent = r.chosen(60 * ms)
	assert.Equal(t, []PathID{quick, quick, quick, quick}, paths)
	assert.Equal(t, [][]wire.TSN{{rigTSN + 4}, {rigTSN + 5}, {rigTSN + 6}, {rigTSN + 7}}, sent)
	assert.Zero(t, r.Path(slow).Flight)
	r.sackWindow(61*ms, rigTSN+3, 4_000, 5, 12)
	paths, _ = r.chosen(61 * ms)
	assert.Empty(t, paths, "once")
	assert.Zero(t, r.controls[slow].losses+r.controls[slow].timeouts, "they are not lost")

	// From now on the slow path has something only if there is room for what the fast one can send meanwhile.
	r.sackWindow(80*ms, rigTSN+15, 20_000)
	paths, _ = r.chosen(80 * ms)
	assert.Equal(t, []PathID{quick, quick, quick, quick}, paths)
	r.sackWindow(100*ms, rigTSN+19, 30_000)
	paths, _ = r.chosen(100 * ms)
	assert.Equal(t, []PathID{quick, quick, quick, quick, slow, slow, slow, slow}, paths)
}

// When T3-rtx expires on a path, what was in flight there goes again on the other.
func TestWhatACutPathHadGoesByTheOther(t *testing.T) {
	r := newTwoPaths(t)
	r.queue(50)
	r.chosen(0)
	r.sack(100*ms, rigTSN-1, 5, 8) // the slow path's
	for {
		at, _ := r.Deadline()
		if _, expired := r.expireAt(at); expired {
			r.controls[slow].window = 1 << 20
			id, some := r.Choose(at, 1<<slow) // the association leaves the other out now
			require.True(t, some)
			require.Equal(t, slow, id)
			c := r.Next(nil, at, id, rigChunk)
			require.Equal(t, wire.TSN(rigTSN), c[0].TSN)
			requireConsistent(t, r.Sender)
			return
		}
		r.chosen(at)
	}
}

// Two paths allocate nothing in the steady state.
func TestTwoPathsAllocateNothing(t *testing.T) {
	r := newTwoPaths(t)
	data := [][]byte{make([]byte, 1000)}
	var chunks []Chunk
	sack := wire.SACK{Window: 1 << 20}
	now := time.Duration(0)
	round := func() {
		for range 8 {
			if err := r.Queue(now, &socket.Message{Data: data}); err != nil {
				t.Fatal(err)
			}
		}
		for {
			id, some := r.Choose(now, 1<<quick|1<<slow)
			if !some {
				break
			}
			chunks = r.Next(chunks[:0], now, id, rigChunk)
		}
		now += 20 * ms
		n := uint16(r.out.len())
		sack.CumulativeTSN = r.out.base - 1
		sack.GapBlocks = sack.GapBlocks[:0].Append(wire.GapBlock{Start: 2, End: n})
		if _, err := r.Sack(now, &sack); err != nil {
			t.Fatal(err)
		}
		sack.CumulativeTSN, sack.GapBlocks = r.out.end-1, sack.GapBlocks[:0]
		if _, err := r.Sack(now, &sack); err != nil {
			t.Fatal(err)
		}
		for _, ok := r.NextRelease(); ok; _, ok = r.NextRelease() {
		}
	}
	for range 20 {
		round()
	}
	assert.Zero(t, testing.AllocsPerRun(100, round))
}
