package matching

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// numbers lists the ranges of a sequence as pairs.
func numbers(q *sequence) (all [][2]Seq) {
	for _, l := range q.ranges.all() {
		all = append(all, [2]Seq{l.first, l.last})
	}
	return all
}

func TestSequenceGrowsAndJoinsRanges(t *testing.T) {
	steps := []struct {
		arrives Seq
		next    Seq
		ranges  [][2]Seq
	}{
		{5, 0, [][2]Seq{{5, 5}}},
		{6, 0, [][2]Seq{{5, 6}}},
		{4, 0, [][2]Seq{{4, 6}}},
		{9, 0, [][2]Seq{{4, 6}, {9, 9}}},
		{2, 0, [][2]Seq{{2, 2}, {4, 6}, {9, 9}}},
		{0, 1, [][2]Seq{{2, 2}, {4, 6}, {9, 9}}},
		{3, 1, [][2]Seq{{2, 6}, {9, 9}}},
		{1, 7, [][2]Seq{{9, 9}}},
		{8, 7, [][2]Seq{{8, 9}}},
		{7, 10, nil},
	}
	var e Engine
	for _, step := range steps {
		require.NoError(t, e.Skip(0, 1, step.arrives))
		q := &e.source(0, 1).arrived
		require.Equal(t, step.next, q.next)
		require.Equal(t, step.ranges, numbers(q))
	}
}

// TestRangesAreASortedSlice compares every change at every place with that
// of a plain slice.
func TestRangesAreASortedSlice(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var got ranges
	var want []seqRange
	for n := range Seq(3_000) {
		grow := n/100%2 == 0
		if len(want) == 0 || rng.IntN(4) > 0 == grow {
			i := rng.IntN(len(want) + 1)
			switch rng.IntN(3) {
			case 0:
				i = 0
			case 1:
				i = len(want)
			}
			v := seqRange{first: n}
			got.insert(i, v)
			want = slices.Insert(want, i, v)
		} else {
			i := rng.IntN(len(want))
			if rng.IntN(2) == 0 {
				i = 0
			}
			got.remove(i)
			want = slices.Delete(want, i, i+1)
		}
		require.True(t, slices.Equal(want, got.all()), "after %d changes", n+1)
		for i, free := range got.slots[:cap(got.slots)] {
			if free != (seqRange{}) && (i < got.spare || i >= len(got.slots)) {
				t.Fatalf("free slot %d was not cleared", i)
			}
		}
	}
}

func TestRangesStayInPlaceWhileGapsCloseInOrder(t *testing.T) {
	var l ranges
	for i := range Seq(100) {
		l.insert(len(l.all()), seqRange{first: i})
	}
	slots := cap(l.slots)
	for i := range Seq(10_000) {
		l.remove(0)
		l.insert(len(l.all()), seqRange{first: 100 + i})
	}
	require.Len(t, l.all(), 100)
	require.LessOrEqual(t, cap(l.slots), 4*slots)
}

func TestManyRangesAreGivenBack(t *testing.T) {
	var l ranges
	for i := range Seq(keepRanges + 1) {
		l.insert(int(i), seqRange{first: i})
	}
	for range keepRanges + 1 {
		l.remove(0)
	}
	require.Zero(t, cap(l.slots))
}
