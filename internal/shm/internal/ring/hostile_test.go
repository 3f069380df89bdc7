package ring

import (
	"bytes"
	"encoding/binary"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAFrameOverTheLimitIsABreach(t *testing.T) {
	limit := MinRingSize/2 - LineSize - bodyOffset
	for _, length := range []int{limit + 1, 1<<lengthBits - 1} {
		p, c := ends(t, MinRingSize)
		require.Equal(t, limit, p.Limit())
		wordAt(c.lines, 0).Store(frameWord(0, length))
		for range 2 {
			ok, err := c.Next(new(Frame))
			assert.False(t, ok)
			assert.ErrorIs(t, err, ErrBreach)
			assert.True(t, c.Ready(), "so that the error is noticed")
			c.Done()
		}
	}
}

// A producer that writes more than it has been given room for would change frames while they are in use.
func TestAFrameBeyondTheRoomIsABreach(t *testing.T) {
	p, c := ends(t, MinRingSize)
	for i := range p.slots {
		put(t, p, frame{i, 0})
	}
	for range p.slots {
		next(t, c)
	}
	p.free = p.slots
	p.seen.Store(p.head)
	put(t, p, frame{0, 0})
	_, err := c.Next(new(Frame))
	assert.ErrorIs(t, err, ErrBreach)
}

func TestSlotsGivenBackThatWereNotInUseAreABreach(t *testing.T) {
	for _, taken := range []uint64{0, 9, 21, 1 << 63, 1<<64 - 1} {
		p, c := ends(t, MinRingSize)
		p.head, p.free = 20, p.slots-10
		p.seen.Store(10)
		c.taken.Store(taken)
		_, err := p.Room()
		assert.ErrorIs(t, err, ErrBreach)
		c.taken.Store(20)
		ok, err := p.Put(frame{}.header(), nil)
		assert.False(t, ok)
		assert.ErrorIs(t, err, ErrBreach, "from then on")
		_, err = p.Starve(0)
		assert.ErrorIs(t, err, ErrBreach)
	}
}

// Bits of ranks that are not there, or that have no ring, lead nowhere.
func TestBitsOfNoPeerAreIgnored(t *testing.T) {
	h := newHost(t, 70)
	h.inbox.Detach(5)
	h.inbox.bitmap[0].Store(1<<64 - 1)
	h.inbox.bitmap[1].Store(1<<64 - 1)
	for range 70 {
		require.Empty(t, h.inbox.Look(nil))
	}
	require.True(t, h.inbox.Sleep())
	h.send(t, 6)
	assert.Equal(t, []int{6}, h.inbox.Look(nil))
}

// FuzzHostileRing runs both ends of a pair and the inbox in a segment to which anything is written meanwhile.
//
// Each operation is one byte, some with an argument of two. Nothing may panic, nothing outside the segment may be
// changed or returned, and as long as the segment does not change there is an end to the frames in it.
func FuzzHostileRing(f *testing.F) {
	f.Add([]byte{}, []byte{0, 1, 0, 2, 3})
	f.Add(binary.NativeEndian.AppendUint64(nil, frameWord(0, 100)), []byte{2, 2, 3, 3})
	f.Add(binary.NativeEndian.AppendUint64(nil, frameWord(0, 1<<20)), []byte{2, 3})
	f.Add([]byte{1, 2, 3}, []byte{0, 0, 1, 0, 7, 7, 8, 5, 1, 0, 6, 2, 0, 4, 9, 1, 3, 10, 1, 2, 11, 0, 3})
	f.Fuzz(func(t *testing.T, contents, operations []byte) {
		newHostile(t, contents).run(operations)
	})
}

// hostile is a pair of ends whose segment others write to.
type hostile struct {
	t        *testing.T
	around   []byte // a ring and an inbox, with guards between and around
	ring     []byte
	line     []byte
	p        *Producer
	c        *Consumer
	inbox    *Inbox
	notifier *Notifier
}

const (
	guard     = 4 << 10
	guardByte = 0xa5
	ranks     = 130
	peerRank  = 77
)

func newHostile(t *testing.T, contents []byte) *hostile {
	inboxSize := InboxSize(ranks)
	around := aligned(guard + MinRingSize + guard + inboxSize + guard)
	for i := range around {
		around[i] = guardByte
	}
	ringEnd, lineStart := guard+MinRingSize, guard+MinRingSize+guard
	h := &hostile{
		t: t, around: around, ring: around[guard:ringEnd:ringEnd], line: around[lineStart : lineStart+inboxSize : lineStart+inboxSize],
	}
	clear(h.ring)
	clear(h.line)
	require.NoError(t, Format(h.ring))
	require.NoError(t, FormatInbox(h.line, ranks))
	h.p, h.c = endsOf(t, h.ring, h.ring)
	var err error
	h.inbox, err = NewInbox(h.line, ranks)
	require.NoError(t, err)
	h.notifier, err = NewNotifier(h.line, ranks, peerRank)
	require.NoError(t, err)
	h.inbox.Attach(peerRank, h.c, h.p, h.notifier)
	copy(h.ring[LineSize:], contents) // the slots
	return h
}

func (h *hostile) run(operations []byte) {
	byteOf := func() (b byte) {
		if len(operations) > 0 {
			b, operations = operations[0], operations[1:]
		}
		return b
	}
	for len(operations) > 0 {
		switch op := byteOf(); op % 12 {
		case 0: // a frame of any length
			length := int(byteOf())<<4 | int(byteOf())>>4
			_, _ = h.p.Put(new([HeaderSize]byte), make([]byte, length))
		case 1:
			h.next()
		case 2:
			h.drain()
		case 3:
			h.c.Done()
		case 4:
			room, _ := h.p.Room()
			assert.LessOrEqual(h.t, room, h.p.Limit())
			_, _ = h.p.Starve(int(byteOf()) * 8)
		case 5: // anything, anywhere
			at := (int(byteOf())<<8 | int(byteOf())) % (len(h.ring) / wordSize) * wordSize
			wordAt(h.ring, at).Store(uint64(byteOf()) << (byteOf() % 64))
		case 6: // what the producer could have put there
			wordAt(h.c.lines, h.c.at).Store(frameWord(h.c.next, int(byteOf())<<(byteOf()%20)))
		case 7: // what the consumer could have given back
			h.c.taken.Store(h.p.head + uint64(int8(byteOf())))
		case 8:
			wordAt(h.line, int(byteOf())%(len(h.line)/wordSize)*wordSize).Store(uint64(byteOf()) << (byteOf() % 64))
		case 9:
			ready := h.inbox.Look(nil)
			assert.LessOrEqual(h.t, len(ready), 1, "there is one peer")
		case 10:
			if h.inbox.Sleep() {
				h.inbox.Awake()
			}
		case 11:
			h.notifier.Notify()
		}
	}
	h.drain()
	for i, b := range h.around {
		inRing := i >= guard && i < guard+len(h.ring)
		inLine := i >= 2*guard+len(h.ring) && i < 2*guard+len(h.ring)+len(h.line)
		if b != guardByte && !inRing && !inLine {
			h.t.Fatalf("byte %d, which is outside, has been changed", i)
		}
	}
}

// drain takes all frames: while the segment does not change there are no more than it has slots.
func (h *hostile) drain() {
	for n := 0; h.next(); n++ {
		h.c.Done()
		require.LessOrEqual(h.t, n, h.c.slots)
	}
}

// next takes a frame, and checks that the body lies in the slots.
func (h *hostile) next() bool {
	var f Frame
	ok, err := h.c.Next(&f)
	if err != nil {
		require.ErrorIs(h.t, err, ErrBreach)
		require.False(h.t, ok)
	}
	if !ok {
		return false
	}
	require.LessOrEqual(h.t, len(f.Body)+len(f.Rest), h.c.Limit())
	for _, part := range [][]byte{f.Body, f.Rest} {
		if cap(part) == 0 {
			continue
		}
		start := uintptr(unsafe.Pointer(unsafe.SliceData(part)))
		first := uintptr(unsafe.Pointer(unsafe.SliceData(h.c.lines)))
		require.True(h.t, start >= first && start+uintptr(cap(part)) <= first+uintptr(len(h.c.lines)))
		_ = bytes.Count(part, []byte{0}) // reads all of it
	}
	return true
}
