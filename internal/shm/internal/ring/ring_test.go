package ring

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAFrameComesOutAsItWasPutIn(t *testing.T) {
	p, c := ends(t, MinRingSize)
	for i, length := range []int{0, 1, 8, InLine - 1, InLine, InLine + 1, LineSize, 1000, p.Limit()} {
		f := frame{i, length}
		put(t, p, f)
		expect(t, c, f)
		c.Done()
		expectEmpty(t, c)
	}
}

func TestTheShortestFramesTakeOneLine(t *testing.T) {
	assert.Equal(t, 1, slotsFor(0))
	assert.Equal(t, 1, slotsFor(InLine))
	assert.Equal(t, 2, slotsFor(InLine+1))
	mem := aligned(MinRingSize)
	p, _ := endsOf(t, mem, mem)
	put(t, p, frame{1, InLine})
	assert.Equal(t, make([]byte, MinRingSize-2*LineSize), mem[2*LineSize:], "written behind the control line and the first slot")
}

func TestAFullRingTakesNoMore(t *testing.T) {
	p, c := ends(t, MinRingSize)
	for i := range p.slots {
		put(t, p, frame{i, 8})
	}
	room, err := p.Room()
	require.NoError(t, err)
	assert.Equal(t, -1, room)
	ok, err := p.Put(frame{}.header(), nil)
	require.NoError(t, err)
	assert.False(t, ok)

	for i := range p.slots {
		expect(t, c, frame{i, 8})
	}
	c.Done()
	room, err = p.Room()
	require.NoError(t, err)
	assert.Equal(t, p.Limit(), room)
	put(t, p, frame{99, p.Limit()})
	expect(t, c, frame{99, p.Limit()})
}

func TestRoomIsWhatPutTakes(t *testing.T) {
	for used := range 62 {
		p, _ := ends(t, MinRingSize)
		for i := range used {
			put(t, p, frame{i, 0})
		}
		room, err := p.Room()
		require.NoError(t, err)
		if room < p.Limit() {
			ok, err := p.Put(frame{}.header(), make([]byte, room+1))
			require.NoError(t, err)
			assert.False(t, ok, "%d slots used", used)
		}
		put(t, p, frame{0, room})
	}
}

func TestAFrameBeyondTheLimitChangesNothing(t *testing.T) {
	p, c := ends(t, MinRingSize)
	ok, err := p.Put(frame{}.header(), make([]byte, p.Limit()+1))
	assert.ErrorIs(t, err, ErrTooLong)
	assert.False(t, ok)
	_, err = p.Starve(p.Limit() + 1)
	assert.ErrorIs(t, err, ErrTooLong)
	expectEmpty(t, c)
	put(t, p, frame{1, 8})
	expect(t, c, frame{1, 8})
}

// Slots are given back a quarter of the ring at a time: the producer reads the line of the consumer, and the consumer
// writes it, no more often.
func TestSlotsAreGivenBackByQuarters(t *testing.T) {
	p, c := ends(t, MinRingSize)
	given := 0
	for i := range 100 * p.slots {
		put(t, p, frame{i, 0})
		expect(t, c, frame{i, 0})
		before := c.taken.Load()
		c.Done()
		if c.taken.Load() != before {
			given++
		}
	}
	assert.Equal(t, 100*p.slots/(p.slots/4), given)
}

// A frame of half the ring fits whatever has been read and not been given back yet, and wherever the ring stands.
func TestTheLongestFrameFitsIntoAnEmptyRing(t *testing.T) {
	p, c := ends(t, MinRingSize)
	for i := range 10 * p.slots {
		for range i % 7 {
			put(t, p, frame{i, 0})
			expect(t, c, frame{i, 0})
			c.Done()
		}
		put(t, p, frame{i, p.Limit()})
		expect(t, c, frame{i, p.Limit()})
		c.Done()
	}
}

// A frame goes on at the ring's beginning, and its body is then in two pieces.
func TestABodyWrapsAround(t *testing.T) {
	p, c := ends(t, MinRingSize)
	for i := range p.slots - 2 {
		put(t, p, frame{i, 0})
		expect(t, c, frame{i, 0})
		c.Done()
	}
	want := frame{1, 4 * LineSize}
	put(t, p, want)
	got := next(t, c)
	same(t, want, got)
	assert.Len(t, got.Body, InLine+LineSize)
	assert.Len(t, got.Rest, want.length-InLine-LineSize)
}

// What Next has returned stays as it is until Done, whatever the producer does.
func TestFramesAreGatheredUntilDone(t *testing.T) {
	p, c := ends(t, MinRingSize)
	var gathered []*Frame
	lengths := []int{8, 100, 0, 500, 8, 700}
	for i, length := range lengths {
		put(t, p, frame{i, length})
		gathered = append(gathered, next(t, c))
	}
	for ok := true; ok; {
		var err error
		ok, err = p.Put(frame{77, 8}.header(), []byte("overwrite"))
		require.NoError(t, err)
	}
	for i, length := range lengths {
		same(t, frame{i, length}, gathered[i])
	}
}

// Bytes of a body that look like a frame of the next lap must not become one.
func TestABodyIsNotMistakenForAFrame(t *testing.T) {
	p, c := ends(t, MinRingSize)
	var forged []byte // in each slot the word of the frame that would begin there in the next lap
	forged = append(forged, make([]byte, InLine)...)
	for i := range p.slots/2 - 1 {
		slot := make([]byte, LineSize)
		binary.NativeEndian.PutUint64(slot, frameWord(uint64(1+i+p.slots), 8))
		forged = append(forged, slot...)
	}
	ok, err := p.Put(frame{}.header(), forged)
	require.NoError(t, err)
	require.True(t, ok)
	got := next(t, c)
	assert.True(t, bytes.Equal(forged, got.Body), "before Done the body is as it was sent")
	c.Done()
	for i := range 2 * p.slots {
		expectEmpty(t, c)
		put(t, p, frame{i, 0})
		expect(t, c, frame{i, 0})
		c.Done()
	}
}

// Positions wrap around: those in the words after 2^39 slots, the others after 2^64.
func TestPositionsWrapAround(t *testing.T) {
	for _, start := range []uint64{1<<39 - 100, 1<<40 - 100, 1<<64 - 100} {
		p, c := ends(t, MinRingSize)
		p.head, c.next, c.done, c.returned = start, start, start, start
		p.seen.Store(start)
		c.taken.Store(start)
		for i := range 300 {
			put(t, p, frame{i, i % 200})
			expect(t, c, frame{i, i % 200})
			c.Done()
			expectEmpty(t, c)
		}
	}
}

// A producer without room is told when it has some again, if it has asked.
func TestAStarvingProducerIsTold(t *testing.T) {
	p, c := ends(t, MinRingSize)
	fill := func() {
		for {
			if ok, err := p.Put(frame{}.header(), nil); !ok {
				require.NoError(t, err)
				return
			}
		}
	}
	drain := func() (told int) {
		for c.Ready() {
			next(t, c)
			if c.Done() {
				told++
			}
		}
		return told
	}
	fill()
	assert.Zero(t, drain(), "it has not asked")
	fill()
	room, err := p.Starve(0)
	require.NoError(t, err)
	assert.False(t, room)
	assert.False(t, p.relieved())
	assert.Equal(t, 1, drain(), "once, though a quarter has been given back several times")
	assert.True(t, p.relieved())
	room, err = p.Starve(p.Limit())
	require.NoError(t, err)
	assert.True(t, room, "there was room when it asked")
	assert.False(t, p.relieved())
}

// Random frames and a queue agree.
func TestRandomFramesAgainstAQueue(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 0))
		size := MinRingSize + r.IntN(60)*LineSize
		p, c := ends(t, size)
		var queue []frame
		number, ungiven, gathered := 0, 0, []*Frame{}
		for range 400 {
			switch r.IntN(3) {
			case 0:
				f := frame{number, r.IntN(2 * InLine)}
				if r.IntN(4) == 0 {
					f.length = r.IntN(p.Limit() + 1)
				}
				room, err := p.Room()
				require.NoError(t, err)
				ok, err := p.Put(f.header(), f.body())
				require.NoError(t, err)
				require.Equal(t, f.length <= room, ok)
				if ok {
					queue = append(queue, f)
					number++
				}
			case 1:
				f := new(Frame)
				ok, err := c.Next(f)
				require.NoError(t, err)
				require.Equal(t, len(gathered) < len(queue), ok)
				if ok {
					gathered = append(gathered, f)
				}
			case 2:
				for i, f := range gathered {
					same(t, queue[i], f)
					ungiven += slotsFor(queue[i].length)
				}
				queue, gathered = queue[len(gathered):], nil
				c.Done()
				if ungiven >= p.slots/4 {
					ungiven = 0
				}
				used := ungiven
				for _, f := range queue {
					used += slotsFor(f.length)
				}
				_, err := p.Room()
				require.NoError(t, err)
				require.Equal(t, p.slots-used, p.free)
			}
		}
	}
}

func TestNothingIsAllocated(t *testing.T) {
	p, c := ends(t, MinRingSize)
	header, body := new([HeaderSize]byte), make([]byte, 300)
	f := new(Frame)
	assert.Zero(t, testing.AllocsPerRun(1000, func() {
		if ok, _ := p.Put(header, body); ok {
			_, _ = c.Next(f)
			c.Done()
		}
	}))
}
