package seal

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// oracle is a window that remembers everything.
type oracle struct {
	used map[uint64]bool
	next uint64
}

func (o *oracle) fresh(c uint64) bool { return c >= o.next || o.next-c <= Window && !o.used[c] }

func (o *oracle) mark(c uint64) {
	o.used[c] = true
	o.next = max(o.next, c+1)
}

// agree uses counters in a window and in an oracle.
func agree(t *testing.T, counters func(yield func(uint64) bool)) {
	var w window
	o := oracle{used: make(map[uint64]bool)}
	for c := range counters {
		require.Equal(t, o.fresh(c), w.fresh(c), "counter %d behind %d", c, o.next)
		if o.fresh(c) {
			w.mark(c)
			o.mark(c)
		}
		require.False(t, w.fresh(c))
	}
}

// TestWindowKnowsWhatWasUsed, at whatever distance counters jump back and ahead.
func TestWindowKnowsWhatWasUsed(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 0))
		base := uint64(0)
		agree(t, func(yield func(uint64) bool) {
			for range 20_000 {
				c := base + r.Uint64N(1<<r.Uint64N(16))
				if r.IntN(1000) == 0 {
					base = c
				}
				c -= min(c, r.Uint64N(1<<r.Uint64N(15)))
				if !yield(c) {
					return
				}
			}
		})
	}
}

func TestWindowsEdge(t *testing.T) {
	var w window
	w.mark(Window)
	require.True(t, w.fresh(1))
	require.False(t, w.fresh(0), "one too old to tell counts as used")
	w.mark(1)
	w.mark(Window + 1)
	require.False(t, w.fresh(1))
	require.True(t, w.fresh(2))
}

func FuzzWindow(f *testing.F) {
	f.Add([]byte{0, 0, 0, 1, 0, 0, 0xFF, 0xFF})
	f.Fuzz(func(t *testing.T, b []byte) {
		c := uint64(0)
		agree(t, func(yield func(uint64) bool) {
			for ; len(b) >= 2; b = b[2:] {
				c += uint64(int64(int16(binary.BigEndian.Uint16(b))))
				c &= 1<<62 - 1
				if !yield(c) {
					return
				}
			}
		})
	})
}
