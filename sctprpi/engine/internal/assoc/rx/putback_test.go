package rx

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

func TestWhatIsPutBackComesFirstAgain(t *testing.T) {
	r := newRig(t)
	for i, text := range []string{"one", "two", "three"} {
		require.NoError(t, r.data(B|E, i, 1, wire.SSN(i), text))
	}
	require.NoError(t, r.data(B|E, 3, 2, 0, "other"))
	first, _ := r.next()
	memory := &first.Payload[0]
	require.NoError(t, r.PutBack(&first, 0))
	assert.Nil(t, first.Memory)
	assert.Nil(t, first.Payload)
	assert.Equal(t, "2(other)", r.read(), "the stream is on hold")
	again, _ := r.nextOf(1)
	assert.Equal(t, "1(one)", show(again), "all of it")
	assert.Same(t, memory, &again.Payload[0], "the same memory")
	require.NoError(t, r.PutBack(&again, 1))
	require.NoError(t, r.Hold(1, false))
	assert.Equal(t, "1ne) 1(two) 1(three)", r.read(), "the beginning has been taken")
	r.requireEmpty()
}

func TestSeveralArePutBackLastFirst(t *testing.T) {
	r := newRig(t, interleaving)
	require.NoError(t, r.idata(B, 1, 0, 0, "ab"))
	require.NoError(t, r.idata(0, 1, 0, 1, "cd"))
	require.NoError(t, r.idata(E, 1, 0, 2, "ef"))
	var events [2]socket.Event
	for i := range events {
		events[i], _ = r.next()
	}
	require.NoError(t, r.PutBack(&events[1], 0))
	require.NoError(t, r.PutBack(&events[0], 1))
	assert.Equal(t, 5, r.Held())
	assert.False(t, r.Ready())
	assert.Equal(t, "1b 1cd 1ef)", r.readOf(1))
	r.requireEmpty()
}

func TestPuttingNothingBackPutsOnHold(t *testing.T) {
	r := newRig(t, credited(1))
	require.NoError(t, r.data(B|E, 0, 1, 0, "one"))
	require.NoError(t, r.data(B|E, 1, 1, 1, "two"))
	e, _ := r.next()
	require.NoError(t, r.PutBack(&e, 3))
	assert.Equal(t, 1, r.buffers.out)
	assert.False(t, r.Ready())
	assert.Equal(t, []wire.StreamOffset{{Stream: 1, Offset: 256}}, r.granted())
	assert.Equal(t, "1(two)", r.readOf(1))
	r.requireEmpty()
}

func TestTheEndOfABrokenMessageCanBePutBack(t *testing.T) {
	r := newRig(t, partial)
	require.NoError(t, r.data(B, 0, 1, 0, "a"))
	require.Equal(t, "1(a", r.read())
	require.NoError(t, r.ForwardTSN(&wire.ForwardTSN{
		CumulativeTSN: tsnOf(1), Skipped: wire.SkippedSSNs{}.Append(wire.SkippedSSN{Stream: 1}),
	}))
	e, _ := r.next()
	require.True(t, e.Broken)
	require.NoError(t, r.PutBack(&e, 0))
	assert.Equal(t, "1!", r.readOf(1))
	r.requireEmpty()
}

func TestWhatCannotBePutBack(t *testing.T) {
	r := newRig(t)
	require.NoError(t, r.data(B|E, 0, 1, 0, "one"))
	e, _ := r.next()
	for _, taken := range []int{-1, 4} {
		assert.ErrorIs(t, r.PutBack(&e, taken), ErrNotRead)
	}
	other := e
	other.Stream = 10
	assert.ErrorIs(t, r.PutBack(&other, 0), ErrStream)
	other = e
	other.Kind = socket.Up
	assert.ErrorIs(t, r.PutBack(&other, 0), ErrNotRead)
	assert.Equal(t, "one", string(e.Payload), "errors change nothing")
	require.NoError(t, r.data(B|E, 1, 1, 1, "two"))
	assert.Equal(t, "1(two)", r.read(), "the stream is not on hold")
	e.Release()
	assert.ErrorIs(t, r.PutBack(&e, 0), ErrNotRead)
	r.requireEmpty()
}

func TestWhatIsPutBackIsNotGranted(t *testing.T) {
	r := newRig(t, credited(4000))
	payload := strings.Repeat("x", 1500)
	for i := range 3 {
		require.NoError(t, r.data(B|E, i, 1, wire.SSN(i), payload))
	}
	e, _ := r.next()
	require.NoError(t, r.PutBack(&e, 1400))
	for _, want := range []uint32{0, 3000} {
		e, _ = r.nextOf(1)
		e.Release()
		if want == 0 {
			assert.Empty(t, r.granted(), "1,500 are less than half of the limit")
		} else {
			assert.Equal(t, []wire.StreamOffset{{Stream: 1, Offset: want}}, r.granted())
		}
	}
	e, _ = r.nextOf(1)
	require.NoError(t, r.Blocked(blocked(1, 3000)))
	assert.Equal(t, []wire.StreamOffset{{Stream: 1, Offset: 4500}}, r.granted())
	require.NoError(t, r.PutBack(&e, 0))
	require.NoError(t, r.Blocked(blocked(1, 4500)), "what it was told stays")
	assert.Empty(t, r.granted())
	assert.Len(t, strings.Fields(r.readOf(1)), 1)
	assert.EqualValues(t, 4500, r.streams.Get(1).credit.read, "counted once")
	r.requireEmpty()
}

// borrower reads what it likes, and puts some of it back.
type borrower struct {
	*rig
	rng *rand.Rand
	// borrowed are events of each stream that have been read and not released, in order.
	borrowed [4][]socket.Event
	got      map[string]*bytes.Buffer // by the first bytes of messages, which are their names
	open     map[[3]uint32]*bytes.Buffer
}

// consume takes n bytes of an event for good.
func (b *borrower) consume(e *socket.Event, n int) {
	if n == 0 {
		return
	}
	key := [3]uint32{uint32(e.Stream), e.MID, 0}
	if e.Unordered {
		key[2] = 1
	}
	m := b.open[key]
	if m == nil {
		m = new(bytes.Buffer)
		b.open[key] = m
	}
	require.Equal(b.t, m.Len() == 0, e.Begin, "begins once")
	m.Write(e.Payload[:n])
	if e.End && n == len(e.Payload) {
		b.got[m.String()[:8]] = m
		delete(b.open, key)
	}
}

func (b *borrower) release(stream, n int) {
	for i := range b.borrowed[stream][:n] {
		e := &b.borrowed[stream][i]
		b.consume(e, len(e.Payload))
		e.Release()
	}
	b.borrowed[stream] = b.borrowed[stream][n:]
}

// putBack puts the last n events of a stream back, of the first of which some has been taken.
func (b *borrower) putBack(stream, n int) {
	kept := len(b.borrowed[stream]) - n
	b.release(stream, kept) // they come before
	for i := n - 1; i >= 0; i-- {
		e := &b.borrowed[stream][i]
		taken := 0
		if i == 0 {
			taken = b.rng.IntN(len(e.Payload) + 1)
			b.consume(e, taken)
		}
		require.NoError(b.t, b.PutBack(e, taken))
		require.Nil(b.t, e.Memory)
	}
	b.borrowed[stream] = nil
	require.True(b.t, b.streams.Get(socket.StreamID(stream)).onHold)
}

func (b *borrower) step() {
	stream := b.rng.IntN(len(b.borrowed))
	id := socket.StreamID(stream)
	switch b.rng.IntN(7) {
	case 0:
		if e, ok := b.next(); ok {
			b.borrowed[e.Stream] = append(b.borrowed[e.Stream], e)
		}
	case 1:
		if e, ok := b.nextOf(id); ok {
			b.borrowed[stream] = append(b.borrowed[stream], e)
		}
	case 2:
		b.release(stream, b.rng.IntN(len(b.borrowed[stream])+1))
	case 3:
		if n := len(b.borrowed[stream]); n > 0 {
			b.putBack(stream, 1+b.rng.IntN(n))
		}
	case 4:
		require.NoError(b.t, b.Hold(id, b.rng.IntN(2) == 0))
	case 5:
		b.AppendCredits(nil, b.rng.IntN(3))
	case 6:
		require.NoError(b.t, b.Blocked(blocked(id, 0)))
	}
	for s := range b.streams.Used() {
		if c := s.credit; c != nil {
			require.GreaterOrEqual(b.t, int32(c.read-c.granted), int32(0), "what the peer was told stays")
		}
	}
}

// Whatever is put back: each byte is delivered once, in order, nothing is left, and the credit is
// what was sent.
func TestRandomlyPutBack(t *testing.T) {
	for _, interleaved := range []bool{false, true} {
		eachSeed(t, 60, func(t *testing.T, rng *rand.Rand) {
			b := &borrower{
				rig: newRig(t, credited(1+rng.IntN(5000)), func(c *Config) { c.Interleaving = interleaved }),
				rng: rng, got: map[string]*bytes.Buffer{}, open: map[[3]uint32]*bytes.Buffer{},
			}
			sent := map[string]string{}
			charges := map[socket.StreamID]uint32{}
			var numbers [4][2]int
			tsn := 0
			for range 60 {
				id := socket.StreamID(rng.IntN(4))
				kind, flags := rng.IntN(2), wire.DataFlags(0)
				if kind == 1 {
					flags = U
				}
				name := strings.Repeat(string(rune('0'+len(sent))), 8)[:8]
				text := name + strings.Repeat("x", rng.IntN(1500))
				sent[name] = text
				pieces := min(1+rng.IntN(4), len(text))
				for i := range pieces {
					f := flags
					if i == 0 {
						f |= B
					}
					if i == pieces-1 {
						f |= E
					}
					piece := text[i*len(text)/pieces : (i+1)*len(text)/pieces]
					if interleaved {
						require.NoError(t, b.idata(f, id, wire.MID(numbers[id][kind]), wire.FSN(i), piece))
					} else {
						require.NoError(t, b.data(f, tsn, id, wire.SSN(numbers[id][kind]), piece))
					}
					tsn++
					charges[id] += wire.StreamCharge(len(piece))
					for range rng.IntN(4) {
						b.step()
					}
				}
				numbers[id][kind]++
			}
			for range 200 {
				b.step()
			}
			for stream := range b.borrowed {
				b.release(stream, len(b.borrowed[stream]))
				id := socket.StreamID(stream)
				for e, ok := b.nextOf(id); ok; e, ok = b.nextOf(id) {
					b.consume(&e, len(e.Payload))
					e.Release()
				}
				if s := b.streams.Get(id); s != nil {
					assert.Equal(t, charges[id], s.credit.read)
				}
			}
			b.requireEmpty()
			assert.Empty(t, b.open)
			require.Len(t, b.got, len(sent))
			for name, text := range sent {
				require.Equal(t, text, b.got[name].String())
			}
		})
	}
}
