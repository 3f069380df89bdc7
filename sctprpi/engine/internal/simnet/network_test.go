package simnet

import (
	"encoding/binary"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	alice = netip.MustParseAddrPort("10.0.0.1:1")
	bob   = netip.MustParseAddrPort("10.0.0.2:2")
)

// recorder notes what arrives and when.
type recorder struct {
	at      []time.Duration
	got     []string
	timers  []time.Duration // deadlines to come
	expired []time.Duration
	marked  int
}

func (r *recorder) Receive(now time.Duration, _, _ netip.AddrPort, b []byte, marked bool) {
	if marked {
		r.marked++
	}
	r.at = append(r.at, now)
	r.got = append(r.got, string(b))
}

func (r *recorder) Deadline() (time.Duration, bool) {
	if len(r.timers) == 0 {
		return 0, false
	}
	return r.timers[0], true
}

func (r *recorder) Expire(now time.Duration) {
	r.timers = r.timers[1:]
	r.expired = append(r.expired, now)
}

// between sends count numbered datagrams of size bytes, one per gap, over a
// link, and returns what arrived.
func between(seed uint64, c Conditions, count, size int, gap time.Duration) *recorder {
	n, r := New(seed), new(recorder)
	n.Attach(new(recorder), alice)
	n.Attach(r, bob)
	n.Link(alice.Addr(), bob.Addr(), c)
	for i := range count {
		n.At(time.Duration(i)*gap, func() {
			b := make([]byte, size)
			binary.BigEndian.PutUint32(b, uint32(i))
			n.Send(alice, bob, b[:2], b[2:])
		})
	}
	n.Run(time.Hour, func() bool { return false })
	return r
}

func TestPerfectLinkDeliversAtOnce(t *testing.T) {
	r := between(1, Conditions{}, 5, 4, time.Second)
	require.Equal(t, []time.Duration{0, time.Second, 2 * time.Second, 3 * time.Second, 4 * time.Second}, r.at)
}

func TestDelayAndJitterKeepTheOrder(t *testing.T) {
	r := between(2, Conditions{Delay: 10 * time.Millisecond, Jitter: 5 * time.Millisecond}, 1000, 4, time.Millisecond)
	require.Len(t, r.at, 1000)
	for i, at := range r.at {
		sent := time.Duration(i) * time.Millisecond
		assert.GreaterOrEqual(t, at-sent, 10*time.Millisecond)
		assert.Less(t, at-sent, 15*time.Millisecond)
		assert.EqualValues(t, i, binary.BigEndian.Uint32([]byte(r.got[i])))
	}
}

func TestRateSpacesAndQueueDrops(t *testing.T) {
	// 100 bytes at 1 Mbit/s take 800 µs.
	r := between(3, Conditions{Rate: 1e6, Overhead: 20, Queue: 1000}, 100, 80, 0)
	require.Len(t, r.at, 10, "the queue holds ten")
	for i, at := range r.at {
		require.Equal(t, time.Duration(i+1)*800*time.Microsecond, at)
	}
}

func TestLossHasItsProbability(t *testing.T) {
	r := between(4, Conditions{Loss: 0.1}, 20000, 4, time.Millisecond)
	require.InDelta(t, 18000, len(r.got), 300)
}

func TestBurstsOfLoss(t *testing.T) {
	// 10% of the time bad, in bursts of 20 on average.
	r := between(5, Conditions{LossBad: 1, Worsen: 0.05 / 9, Recover: 0.05}, 50000, 4, time.Millisecond)
	lost, bursts, previous := 50000-len(r.got), 0, -1
	for _, g := range r.got {
		i := int(binary.BigEndian.Uint32([]byte(g)))
		if i != previous+1 {
			bursts++
		}
		previous = i
	}
	require.InDelta(t, 5000, lost, 1500)
	require.InDelta(t, 20, float64(lost)/float64(bursts), 5)
}

func TestReorderingDuplicationCorruption(t *testing.T) {
	r := between(6, Conditions{Delay: time.Millisecond, Reorder: 0.1, ReorderBy: 10 * time.Millisecond}, 1000, 4, time.Millisecond)
	require.Len(t, r.got, 1000)
	require.NotEqual(t, sorted(r.got), r.got)

	r = between(7, Conditions{Duplicate: 0.1}, 1000, 4, time.Millisecond)
	require.InDelta(t, 1100, len(r.got), 40)

	r = between(8, Conditions{Corrupt: 0.1}, 1000, 64, time.Millisecond)
	require.Len(t, r.got, 1000)
	damaged := 0
	for i, g := range r.got {
		if g != string(binary.BigEndian.AppendUint32(nil, uint32(i)))+strings.Repeat("\x00", 60) {
			damaged++
		}
	}
	require.InDelta(t, 100, damaged, 35)
}

func sorted(in []string) []string {
	out := make([]string, len(in))
	for _, g := range in {
		out[binary.BigEndian.Uint32([]byte(g))] = g
	}
	return out
}

func TestMTUAndOutage(t *testing.T) {
	require.Empty(t, between(9, Conditions{MTU: 99}, 3, 100, 0).got)
	require.Len(t, between(9, Conditions{MTU: 100}, 3, 100, 0).got, 3)
	require.Empty(t, between(9, Conditions{Down: true}, 3, 100, 0).got)

	n, r := New(9), new(recorder)
	n.Attach(r, bob)
	n.Link(alice.Addr(), bob.Addr(), Conditions{MTU: 99})
	n.SendAs(Kind{Fragment: true}, alice, bob, make([]byte, 100))
	n.Run(time.Second, func() bool { return false })
	require.Len(t, r.got, 1, "in fragments")
}

// What waits beyond Mark is marked if it is markable, and dropped if not.
func TestALinkMarksWhatIsMarkable(t *testing.T) {
	for name, c := range map[string]struct {
		bits        Bits
		markable    bool
		got, marked int
	}{
		"markable":            {PassBits, true, 100, 94},
		"not markable":        {PassBits, false, 6, 0},
		"cleared":             {ClearBits, true, 6, 0},
		"all are set":         {SetBits, false, 6, 6},
		"all that may be are": {SetMarkable, true, 100, 100},
		"those are lost":      {DropMarkable, true, 0, 0},
	} {
		n, r := New(1), new(recorder)
		n.Attach(r, bob)
		n.Link(alice.Addr(), bob.Addr(), Conditions{Rate: 1e6, Overhead: 20, Mark: 500, Bits: c.bits})
		for range 100 {
			n.SendAs(Kind{Markable: c.markable}, alice, bob, make([]byte, 80))
		}
		n.Run(time.Hour, func() bool { return false })
		require.Len(t, r.got, c.got, name)
		require.Equal(t, c.marked, r.marked, name)
	}
}

func TestDeadlinesAreKept(t *testing.T) {
	n, r := New(1), &recorder{timers: []time.Duration{time.Second, time.Second, 3 * time.Second}}
	n.Attach(r, alice)
	require.False(t, n.Idle())
	require.False(t, n.Run(2*time.Second, func() bool { return false }))
	require.Equal(t, []time.Duration{time.Second, time.Second}, r.expired)
	require.True(t, n.Run(time.Hour, func() bool { return len(r.timers) == 0 }))
	require.Equal(t, 3*time.Second, n.Now())
	require.True(t, n.Idle())
}

func TestTheSeedDecides(t *testing.T) {
	c := Conditions{Delay: time.Millisecond, Jitter: time.Millisecond, Loss: 0.1, Reorder: 0.1, Duplicate: 0.1, Corrupt: 0.1}
	a, b := between(1, c, 1000, 20, time.Millisecond), between(1, c, 1000, 20, time.Millisecond)
	require.Equal(t, a, b)
	require.NotEqual(t, a, between(2, c, 1000, 20, time.Millisecond))
}

func TestTraceNamesTheFateOfPackets(t *testing.T) {
	n := New(1)
	n.Attach(new(recorder), bob)
	n.Send(alice, bob, []byte("hello"))
	n.Link(alice.Addr(), bob.Addr(), Conditions{Down: true})
	n.Send(alice, bob, []byte("anyone?"))
	n.Send(bob, alice, []byte("hi"))
	n.Run(time.Second, func() bool { return false })
	var out strings.Builder
	n.WriteTrace(&out, func(b []byte) string { return string(b) })
	for _, want := range []string{"leaves", "hello", "arrives", "down", "anyone?", "no endpoint"} {
		require.Contains(t, out.String(), want)
	}
}
