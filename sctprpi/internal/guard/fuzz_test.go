package guard

import (
	"bytes"
	"math/rand/v2"
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
)

// world has two nodes and what is on the way between them.
type world struct {
	t     *testing.T
	nodes [2]*node
	mode  seal.Policy
	ids   byte
	way   []flight
	used  map[nonce]bool
}

// flight is a datagram from one node to the other, with its packet. number tells packets apart; the guards' own have none.
type flight struct {
	from, to *node
	bytes    []byte
	number   byte
	own      bool
}

// nonce is what must never be used twice: a counter, with what decides about the key.
type nonce struct {
	from, to seal.ID
	epoch    uint32
	counter  uint64
}

func newWorld(t *testing.T, mode seal.Policy) *world {
	w := &world{t: t, mode: mode, used: make(map[nonce]bool)}
	w.replace(0)
	w.replace(1)
	return w
}

// replace has a node's process start anew, with another ID at the same address.
func (w *world) replace(i int) {
	now := time.Second
	if n := w.nodes[i]; n != nil {
		now = n.now
	}
	w.ids++
	w.nodes[i] = newNode(w.t, w.ids*97, []netip.AddrPort{here, there}[i], w.mode)
	w.nodes[i].now = now
	if other := w.nodes[1-i]; other != nil {
		require.NoError(w.t, w.nodes[i].Know(other.own, []netip.AddrPort{other.at}))
		require.NoError(w.t, other.Know(w.nodes[i].own, []netip.AddrPort{w.nodes[i].at}))
	}
}

// send puts a packet on its way, and what the guard has to say.
func (w *world) send(i int, number byte) {
	from, to := w.nodes[i], w.nodes[1-i]
	w.depart(flight{from, to, from.seal(string([]byte{number, 1, 2, 3}), to), number, false})
}

func (w *world) depart(f flight) {
	h, ok := parse(f.bytes)
	require.True(w.t, ok)
	n := nonce{h.from, f.to.Guard.own.ID, h.epoch, h.counter}
	require.False(w.t, w.used[n], "a nonce is used twice: %+v", n)
	w.used[n] = true
	w.way = append(w.way, f)
	w.drain(f.from, f.to)
}

func (w *world) drain(from, to *node) {
	if b, _, ok := from.Next(); ok {
		w.depart(flight{from, to, b, 0, true})
	}
}

// arrive delivers a datagram, perhaps not for the last time. What opens is right.
func (w *world) arrive(i int, keep bool) {
	f := w.way[i]
	if !keep {
		w.way = append(w.way[:i], w.way[i+1:]...)
	}
	packet, _, ok := f.to.Open(f.to.now, bytes.Clone(f.bytes), f.from.at)
	if ok {
		require.False(w.t, f.own)
		require.Equal(w.t, []byte{f.number, 1, 2, 3}, packet)
		_, _, again := f.to.Open(f.to.now, bytes.Clone(f.bytes), f.from.at)
		require.False(w.t, again)
	}
	w.drain(f.to, f.from)
}

// FuzzSessions plays scripts: two nodes send, what they send is lost, repeated and reordered, time passes, keys change, and
// processes start anew. No nonce is used twice, nothing opens twice, and in the end both can talk.
func FuzzSessions(f *testing.F) {
	f.Add([]byte{}, true)
	f.Add([]byte{0, 2, 2, 2, 1, 2, 2, 0, 2, 1, 2}, true)
	f.Add([]byte{0, 4, 0, 4, 0, 2, 4, 1, 5, 0, 2, 2, 6, 0, 2, 2, 2, 1, 2, 2}, true)
	f.Add([]byte{0, 1, 0, 1, 2, 10, 2, 10, 7, 0, 2, 2, 15, 1, 2, 2, 2}, false)
	random := rand.NewChaCha8([32]byte{})
	for i := range 40 {
		script := make([]byte, 300)
		_, _ = random.Read(script)
		f.Add(script, i%4 > 0)
	}
	f.Fuzz(func(t *testing.T, script []byte, encrypted bool) {
		mode := seal.AlwaysAuth
		if encrypted {
			mode = seal.AlwaysEncrypt
		}
		w := newWorld(t, mode)
		for step, op := range script[:min(len(script), 300)] {
			which := int(op >> 3)
			switch op % 8 {
			case 0, 1:
				w.send(int(op%8), byte(step))
			case 2, 3:
				if len(w.way) > 0 {
					w.arrive(which%len(w.way), op%8 == 3)
				}
			case 4:
				if len(w.way) > 0 { // it is lost
					i := which % len(w.way)
					w.way = append(w.way[:i], w.way[i+1:]...)
				}
			case 5:
				for _, n := range w.nodes {
					n.now += time.Duration(which) * 250 * time.Millisecond
				}
			case 6:
				for _, n := range w.nodes {
					for _, s := range n.sessions {
						s.records = rekeyRecords
					}
					n.now += rekeyTime
				}
			case 7:
				if w.ids < 100 {
					w.replace(which % 2)
				}
			}
		}
		w.way = nil
		for range 3 { // whatever has happened
			for i := range w.nodes {
				w.nodes[i].now += longestPause
				w.send(i, 9)
				for len(w.way) > 0 {
					w.arrive(0, false)
				}
			}
		}
		a, b := w.nodes[0], w.nodes[1]
		require.Equal(t, a.epoch(b), b.epoch(a))
		for i := range w.nodes {
			d := w.nodes[i].seal("in the end", w.nodes[1-i])
			w.nodes[1-i].opens(d, w.nodes[i], "in the end")
		}
	})
}

// FuzzOpen has a guard take in what strangers may send, some of it with the ID of a peer that is known. It has no effect.
func FuzzOpen(f *testing.F) {
	stranger := func(t testing.TB) (a, b *node) {
		a, b = pair(t, seal.AlwaysEncrypt)
		a.secret = seal.NewSecret([]byte("another job's secret"), "test")
		a.sessions = make(map[seal.ID]*session)
		require.NoError(t, a.Know(b.own, []netip.AddrPort{b.at}))
		return a, b
	}
	a, b := stranger(f)
	for _, n := range []int{0, 1, 100} {
		f.Add(a.seal(string(make([]byte, n)), b), true)
	}
	f.Add(make([]byte, headerSize+seal.TagSize), false)
	f.Fuzz(func(t *testing.T, datagram []byte, known bool) {
		a, b := pair(t, seal.AlwaysEncrypt)
		if known {
			b.opens(a.seal("hello", b), a, "hello")
		}
		if h, ok := parse(datagram); ok {
			again := bytes.Clone(datagram)
			h.put(again)
			require.Equal(t, datagram, again)
		}
		sessions := len(b.sessions)
		b.refuses(datagram, a)
		require.Len(t, b.sessions, sessions)
		_, _, answers := b.Next()
		require.False(t, answers)
	})
}
