package datatype

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// What is found from the loops is what a look at each piece finds.
func TestPieceOrderIsThatOfEachPiece(t *testing.T) {
	descend, overlap, ascend := 0, 0, 0
	newRandom(t).each(func(made *Type, _ oracle) {
		if made.Size() == 0 {
			return
		}
		var want PieceOrder
		for at, n := range made.Pieces(1, 0, math.MaxInt64) {
			switch {
			case want.Pieces == 0:
				want.First, want.End = at, at+n
			case at < want.Last:
				want = PieceOrder{First: want.First, Descends: true, At: at, After: want.Last}
			case at < want.End:
				want.Overlaps = true
			}
			if want.Descends {
				break
			}
			want.Pieces, want.Last, want.End = want.Pieces+1, at, max(want.End, at+n)
		}
		got, known := made.PieceOrder(math.MaxInt64)
		require.True(t, known)
		switch {
		case want.Descends:
			got = PieceOrder{First: got.First, Descends: got.Descends, At: got.At, After: got.After}
			descend++
		case want.Overlaps:
			overlap++
		default:
			ascend++
		}
		require.Equal(t, want, got, "%v", made.prepare().list)
	})
	require.Positive(t, descend*overlap*ascend, "of each kind")
}

// What a loop repeats is looked at once, so that a terabyte of pieces takes no time. Blocks that are written one by one are looked at each.
func TestPieceOrderLooksAtLoops(t *testing.T) {
	many, err := Vector(1<<40, 1, 2, Basic(Byte))
	require.NoError(t, err)
	order, known := many.PieceOrder(1)
	require.True(t, known)
	require.Equal(t, PieceOrder{Pieces: 1 << 40, Last: 1<<41 - 2, End: 1<<41 - 1}, order)

	blocks, err := Indexed([]int64{1, 1, 1, 1}, []int64{0, 2, 5, 9}, Basic(Byte))
	require.NoError(t, err)
	_, known = blocks.PieceOrder(1)
	require.False(t, known)
	order, known = blocks.PieceOrder(4)
	require.True(t, known)
	require.Equal(t, PieceOrder{Pieces: 4, Last: 9, End: 10}, order)
}
