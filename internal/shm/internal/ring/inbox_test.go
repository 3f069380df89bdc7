package ring

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// host is what one rank, the last of its host, has: its inbox, and rings from and to all others. The other ends are here
// too.
type host struct {
	inbox     *Inbox
	theirs    []*Inbox    // the peers'
	from      []*Producer // the peers' ends of the rings from them
	to        []*Consumer
	in        []*Consumer // this rank's ends
	out       []*Producer
	notifiers []*Notifier
}

func newHost(t testing.TB, ranks int) *host {
	t.Helper()
	line := aligned(InboxSize(ranks))
	require.NoError(t, FormatInbox(line, ranks))
	inbox, err := NewInbox(line, ranks)
	require.NoError(t, err)
	h := &host{inbox: inbox}
	for i := range ranks - 1 {
		from, in := ends(t, MinRingSize)
		out, to := ends(t, MinRingSize)
		n, err := NewNotifier(line, ranks, i)
		require.NoError(t, err)
		theirs := aligned(InboxSize(ranks))
		require.NoError(t, FormatInbox(theirs, ranks))
		peer, err := NewInbox(theirs, ranks)
		require.NoError(t, err)
		ours, err := NewNotifier(theirs, ranks, ranks-1)
		require.NoError(t, err)
		h.from, h.in, h.out, h.to = append(h.from, from), append(h.in, in), append(h.out, out), append(h.to, to)
		h.notifiers = append(h.notifiers, n)
		h.theirs = append(h.theirs, peer)
		inbox.Attach(i, in, out, ours)
	}
	for range ranks { // the bits that Attach sets
		require.Empty(t, inbox.Look(nil))
	}
	return h
}

// send has a peer send a frame, and returns whether it has to ring the doorbell.
func (h *host) send(t testing.TB, peer int) (ring bool) {
	put(t, h.from[peer], frame{peer, 8})
	return h.notifiers[peer].Notify()
}

// take takes a frame of a peer.
func (h *host) take(t testing.TB, peer int) {
	expect(t, h.in[peer], frame{peer, 8})
	h.in[peer].Done()
}

func TestALookFindsThePeersThatHaveSent(t *testing.T) {
	h := newHost(t, 256)
	assert.Empty(t, h.inbox.Look(nil))
	for _, peer := range []int{0, 63, 64, 254} {
		h.send(t, peer)
		assert.Equal(t, []int{peer}, h.inbox.Look(nil))
		assert.Equal(t, []int{peer}, h.inbox.Look(nil), "it has not been taken")
		h.take(t, peer)
		assert.Empty(t, h.inbox.Look(nil))
	}
}

// While a peer is active, no write to the inbox's line is needed for its frames.
func TestAnActivePeersBitStaysSet(t *testing.T) {
	h := newHost(t, 256)
	for range 100 {
		for _, peer := range []int{3, 77, 130, 254} {
			h.send(t, peer)
			require.Equal(t, []int{peer}, h.inbox.Look(nil))
			h.take(t, peer)
			require.NotZero(t, h.inbox.bitmap[peer/64].Load()&bit(peer))
		}
	}
	before := h.inbox.bitmap[0].Load()
	h.inbox.bitmap[0].Store(0)
	put(t, h.from[3], frame{3, 8}) // and not a word to the inbox
	assert.Equal(t, []int{3}, h.inbox.Look(nil))
	assert.NotZero(t, before&bit(3))
}

// With more active peers than are looked at each time, all get their turns.
func TestAllPeersGetTheirTurns(t *testing.T) {
	h := newHost(t, 256)
	for range 5 {
		for peer := range h.in {
			h.send(t, peer)
		}
		taken := make(map[int]int)
		looks := 0
		for ; len(taken) < len(h.in); looks++ {
			ready := h.inbox.Look(nil)
			require.NotEmpty(t, ready)
			require.LessOrEqual(t, len(ready), MaxReady)
			for _, peer := range ready {
				h.take(t, peer)
				taken[peer]++
				require.Equal(t, 1, taken[peer])
			}
		}
		assert.LessOrEqual(t, looks, len(h.in)/flaggedPeers+1)
		for range len(h.in) {
			require.Empty(t, h.inbox.Look(nil))
		}
	}
}

// Peers that send all the time do not keep others from being found.
func TestBusyPeersDoNotHideOthers(t *testing.T) {
	h := newHost(t, 64)
	for busy := range 10 {
		h.send(t, busy)
	}
	for range 10 {
		h.inbox.Look(nil) // and nothing is taken
	}
	h.send(t, 40)
	found := false
	for looks := 0; !found; looks++ {
		require.Less(t, looks, 10)
		for _, peer := range h.inbox.Look(nil) {
			found = found || peer == 40
		}
	}
}

// What was sent before the receiver knows the ring is found.
func TestFramesBeforeAttachAreFound(t *testing.T) {
	h := newHost(t, 3)
	h.inbox.Detach(1)
	h.send(t, 1)
	assert.Empty(t, h.inbox.Look(nil))
	h.inbox.Attach(1, h.in[1], h.out[1], h.inbox.peers[0].notifier)
	assert.Equal(t, []int{1}, h.inbox.Look(nil))
	h.inbox.Detach(1)
	assert.Empty(t, h.inbox.Look(nil))
	assert.True(t, h.inbox.Sleep())
}

// A rank that waits for room finds the peer that has given slots back.
func TestRoomIsFoundLikeAFrame(t *testing.T) {
	h := newHost(t, 3)
	for {
		if ok, err := h.out[1].Put(frame{}.header(), nil); !ok {
			require.NoError(t, err)
			break
		}
	}
	room, err := h.out[1].Starve(0)
	require.NoError(t, err)
	require.False(t, room)
	require.True(t, h.inbox.Sleep())
	told := false
	for h.to[1].Ready() {
		next(t, h.to[1])
		told = told || h.to[1].Done()
	}
	require.True(t, told)
	assert.True(t, h.notifiers[1].Notify(), "the doorbell")
	h.inbox.Awake()
	assert.Equal(t, []int{1}, h.inbox.Look(nil))
	put(t, h.out[1], frame{})
	assert.Empty(t, h.inbox.Look(nil))
}

// A rank that waits knows whether a peer of those that it hears of has the same processor.
func TestPeersSayWhichProcessorTheyHave(t *testing.T) {
	h := newHost(t, 10)
	heard, other := 7, 3
	assert.False(t, h.inbox.Beside(0), "it hears of no peer")
	h.send(t, heard)
	require.Equal(t, []int{heard}, h.inbox.Look(nil))
	assert.False(t, h.inbox.Beside(0), "the peer has not said anything")
	h.theirs[heard].Beside(0)
	h.theirs[other].Beside(1)
	assert.True(t, h.inbox.Beside(0))
	assert.False(t, h.inbox.Beside(1), "it does not hear of the one that has that")
	h.theirs[heard].Beside(1)
	assert.False(t, h.inbox.Beside(0))
	assert.True(t, h.inbox.Beside(1))
	h.inbox.Detach(heard)
	assert.False(t, h.inbox.Beside(1))
}

func TestTheDoorbellIsRungOnceForASleeper(t *testing.T) {
	h := newHost(t, 10)
	assert.False(t, h.send(t, 0), "it is awake")
	assert.False(t, h.inbox.Sleep(), "there is a frame")
	assert.False(t, h.send(t, 1), "it has not gone to sleep")
	for len(h.inbox.Look(nil)) > 0 {
		for _, peer := range h.inbox.Look(nil) {
			h.take(t, peer)
		}
	}
	require.True(t, h.inbox.Sleep())
	assert.True(t, h.send(t, 2))
	assert.False(t, h.send(t, 3), "rung already")
	h.inbox.Awake()
	assert.False(t, h.send(t, 4))
}

// A frame before Sleep's last look, of which the inbox has not been told, keeps the receiver from sleeping if it looks at
// the ring anyway. If not, the sender will find it asleep.
func TestAFrameBeforeSleepIsNoticed(t *testing.T) {
	h := newHost(t, 10)
	h.send(t, 7) // looked at from now on
	require.Equal(t, []int{7}, h.inbox.Look(nil))
	h.take(t, 7)
	for peer := range h.in {
		put(t, h.from[peer], frame{peer, 8})
		slept := h.inbox.Sleep()
		assert.Equal(t, peer != 7, slept)
		assert.Equal(t, slept, h.notifiers[peer].Notify(), "the doorbell")
		h.inbox.Awake()
		assert.Equal(t, []int{peer}, h.inbox.Look(nil))
		h.take(t, peer)
		h.inbox.Detach(peer)
	}
}

// A frame that comes while its bit is being cleared, so that its sender has found the bit set, is seen by the second look.
func TestAFrameBeforeItsBitIsClearedIsNoticed(t *testing.T) {
	h := newHost(t, 10)
	put(t, h.from[5], frame{5, 8})
	assert.True(t, h.inbox.lower(5))
	assert.Equal(t, []int{5}, h.inbox.Look(nil))
	h.take(t, 5)
	for peer := range hotPeers { // others take its place
		h.send(t, peer)
		if peer == hotPeers-1 {
			put(t, h.from[5], frame{5, 8}) // found active, or its bit is set again
		}
		for _, ready := range h.inbox.Look(nil) {
			h.take(t, ready)
		}
	}
	for range len(h.in) {
		for _, ready := range h.inbox.Look(nil) {
			h.take(t, ready)
		}
	}
	assert.False(t, h.in[5].Ready())
}

func TestLookingAllocatesNothing(t *testing.T) {
	h := newHost(t, 256)
	ready := make([]int, 0, MaxReady)
	assert.Zero(t, testing.AllocsPerRun(1000, func() {
		h.send(t, 77)
		for _, peer := range h.inbox.Look(ready) {
			var f Frame
			_, _ = h.in[peer].Next(&f)
			h.in[peer].Done()
		}
	})-testing.AllocsPerRun(1000, func() { // what the test itself allocates
		put(t, h.from[78], frame{78, 8})
		var f Frame
		_, _ = h.in[78].Next(&f)
		h.in[78].Done()
	}))
}

// BenchmarkLook is a look that finds nothing, with few and with many peers.
func BenchmarkLook(b *testing.B) {
	for _, ranks := range []int{2, 64, 256} {
		b.Run(strconv.Itoa(ranks), func(b *testing.B) {
			h := newHost(b, ranks)
			for peer := range min(hotPeers, ranks-1) {
				h.send(b, peer)
				h.inbox.Look(nil)
				h.take(b, peer)
			}
			ready := make([]int, 0, MaxReady)
			for b.Loop() {
				ready = h.inbox.Look(ready[:0])
			}
		})
	}
}

// A peer that closes its end is found by a rank that sleeps, and by one that looks again and again, also if it is one of
// those that are looked at each time.
func TestAPeerThatHasClosedIsFound(t *testing.T) {
	h := newHost(t, 4)
	h.send(t, 0)
	require.Equal(t, []int{0}, h.inbox.Look(nil)) // and from now on each time
	h.take(t, 0)
	for peer := range 2 {
		assert.False(t, h.in[peer].Closed())
		h.from[peer].Close()
		h.notifiers[peer].Notify()
		assert.True(t, h.in[peer].Closed())
		assert.False(t, h.inbox.Sleep())
		var found []int
		for range 2 * endEvery {
			found = append(found, h.inbox.Look(nil)...)
		}
		assert.Contains(t, found, peer)
		h.inbox.Detach(peer)
	}
	for range h.from {
		h.inbox.Look(nil)
	}
	assert.True(t, h.inbox.Sleep())
}
