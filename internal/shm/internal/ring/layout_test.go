package ring

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The table in the package comment.
func TestSizes(t *testing.T) {
	const kib, mib = 1 << 10, 1 << 20
	for ranks, want := range map[int]struct{ ring, limit, host int }{
		2:   {64 * kib, 32656, 136 * kib},
		64:  {16 * kib, 8080, 63*mib + 256*kib},
		256: {4 * kib, 1936, 256 * mib},
	} {
		assert.Equal(t, want.ring, RingSize(ranks), ranks)
		assert.Equal(t, 2*want.ring, PairSize(ranks), ranks)
		assert.EqualValues(t, want.host, hostSize(ranks, 4096), ranks)
		if LineSize == 64 {
			p, _ := ends(t, RingSize(ranks))
			assert.Equal(t, want.limit, p.Limit(), ranks)
		}
	}
	for ranks := 1; ranks <= 256; ranks++ {
		assert.LessOrEqual(t, (ranks-1)*RingSize(ranks), mib)
	}
	assert.Equal(t, LineSize, InboxSize(320))
}

func TestThePairHasARingInEachDirection(t *testing.T) {
	segment := aligned(PairSize(256))
	lowerOut, lowerIn := Pair(segment, true)
	higherOut, higherIn := Pair(segment, false)
	assert.Same(t, &lowerOut[0], &higherIn[0])
	assert.Same(t, &lowerIn[0], &higherOut[0])
	toHigher, fromLower := endsOf(t, lowerOut, higherIn)
	toLower, fromHigher := endsOf(t, higherOut, lowerIn)
	put(t, toHigher, frame{1, 1000})
	put(t, toLower, frame{2, 1000})
	expect(t, fromLower, frame{1, 1000})
	expect(t, fromHigher, frame{2, 1000})
}

func TestMemoryOfAnotherSizeOrPlaceIsRefused(t *testing.T) {
	for name, mem := range map[string][]byte{
		"none":      nil,
		"short":     aligned(MinRingSize - LineSize),
		"odd":       aligned(MinRingSize + 8),
		"unaligned": aligned(MinRingSize + LineSize)[8 : MinRingSize+8],
		"huge":      aligned(MaxRingSize + LineSize),
	} {
		assert.ErrorIs(t, Format(mem), ErrMemory, name)
		_, err := NewProducer(mem)
		assert.ErrorIs(t, err, ErrMemory, name)
		_, err = NewConsumer(mem)
		assert.ErrorIs(t, err, ErrMemory, name)
		assert.ErrorIs(t, FormatInbox(mem, 2), ErrMemory, name)
	}
	line := aligned(LineSize)
	for _, ranks := range []int{-1, 0, MaxRanks + 1} {
		assert.ErrorIs(t, FormatInbox(line, ranks), ErrMemory)
	}
	require.NoError(t, FormatInbox(line, 2))
	for _, number := range []int{-1, 2} {
		_, err := NewNotifier(line, 2, number)
		assert.ErrorIs(t, err, ErrMemory)
	}
}

func TestMemoryOfAnotherFormatIsRefused(t *testing.T) {
	mem := aligned(MinRingSize)
	_, err := NewProducer(mem)
	assert.ErrorIs(t, err, ErrFormat)
	require.NoError(t, Format(mem))
	wordAt(mem, formatOffset).Add(1 << 48)
	_, err = NewConsumer(mem)
	assert.ErrorIs(t, err, ErrFormat, "another version")

	line := aligned(LineSize)
	_, err = NewInbox(line, 2)
	assert.ErrorIs(t, err, ErrFormat)
	require.NoError(t, FormatInbox(line, 2))
	_, err = NewNotifier(line, 3, 0)
	assert.ErrorIs(t, err, ErrFormat, "for another number of ranks")
}

// hostSize is what all segments of a host take if each rank talks with each other, in bytes, with pages of pageSize bytes.
func hostSize(ranks, pageSize int) int64 {
	pairs := int64(ranks) * int64(ranks-1) / 2
	return pairs*int64(roundUp(PairSize(ranks), pageSize)) + int64(ranks)*int64(roundUp(InboxSize(ranks), pageSize))
}
