package group_test

import (
	"flag"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/group"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

var seed = flag.Uint64("seed", 0, "of random groups; 0 takes one from the clock")

func random(t *testing.T) *rand.Rand {
	s := *seed
	if s == 0 {
		s = uint64(time.Now().UnixNano())
	}
	t.Logf("-seed=%d", s)
	return rand.New(rand.NewPCG(s, 0))
}

type list = []matching.Rank

// some is a random group, as a list: often in order, sometimes of the first processes of the job.
func some(r *rand.Rand) list {
	all := list{}
	for i := range r.IntN(20) {
		all = append(all, matching.Rank(i))
	}
	switch r.IntN(4) {
	case 0:
		return all
	case 1:
		return without(all, func(matching.Rank) bool { return r.IntN(2) == 0 })
	default:
		r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		return all[:r.IntN(len(all)+1)]
	}
}

func without(l list, unwanted func(matching.Rank) bool) list {
	return slices.DeleteFunc(slices.Clone(l), unwanted)
}

func same(t *testing.T, want list, g *group.Group) {
	t.Helper()
	require.Equal(t, len(want), g.Size())
	require.True(t, slices.Equal(want, g.Members()), "%v, wanted %v", g.Members(), want)
	for i, m := range want {
		require.Equal(t, m, g.Member(i))
	}
	for m := range matching.Rank(25) {
		if i := slices.Index(want, m); i >= 0 {
			require.Equal(t, i, g.Rank(m))
		} else {
			require.Equal(t, group.Undefined, g.Rank(m))
		}
	}
}

// TestAlgebra compares the operations on random groups with the same on lists.
func TestAlgebra(t *testing.T) {
	r := random(t)
	for range 3000 {
		a, b := some(r), some(r)
		in := func(l list) func(matching.Rank) bool {
			return func(m matching.Rank) bool { return slices.Contains(l, m) }
		}
		g, h := group.Of(slices.Clone(a)), group.Of(slices.Clone(b))
		same(t, a, g)
		same(t, append(slices.Clone(a), without(b, in(a))...), g.Union(h))
		same(t, without(a, func(m matching.Rank) bool { return !in(b)(m) }), g.Intersection(h))
		same(t, without(a, in(b)), g.Difference(h))

		ranks := r.Perm(len(a))[:r.IntN(len(a)+1)]
		included, excluded := list{}, slices.Clone(a)
		for _, i := range ranks {
			included = append(included, a[i])
		}
		excluded = without(excluded, in(included))
		got, err := g.Include("op", ranks)
		require.NoError(t, err)
		same(t, included, got)
		got, err = g.Exclude("op", ranks)
		require.NoError(t, err)
		same(t, excluded, got)

		translated, err := g.Translate("op", append(ranks, -2), h, -2)
		require.NoError(t, err)
		for i, rank := range ranks {
			want := slices.Index(b, a[rank])
			if want < 0 {
				want = group.Undefined
			}
			require.Equal(t, want, translated[i])
		}
		require.Equal(t, -2, translated[len(ranks)])

		want := group.Unequal
		switch {
		case slices.Equal(a, b):
			want = group.Identical
		case slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))):
			want = group.Similar
		}
		require.Equal(t, want, g.Compare(h), "%v and %v", a, b)
	}
}

// TestRanges compares random ranges with the ranks that the standard's formula names.
func TestRanges(t *testing.T) {
	r := random(t)
	accepted := 0
	for range 5000 {
		g := group.Of(some(r))
		var ranges []group.Range
		var ranks []int
		legal := true
		for range r.IntN(4) {
			x := group.Range{First: r.IntN(22) - 1, Last: r.IntN(24) - 2, Stride: r.IntN(9) - 4}
			ranges = append(ranges, x)
			if x.Stride == 0 || (x.Last-x.First)*x.Stride < 0 {
				legal = false
				continue
			}
			for i := 0; i <= (x.Last-x.First)/x.Stride; i++ {
				rank := x.First + i*x.Stride
				legal = legal && rank >= 0 && rank < g.Size() && !slices.Contains(ranks, rank)
				ranks = append(ranks, rank)
			}
		}
		in, err := g.IncludeRanges("op", ranges)
		out, err2 := g.ExcludeRanges("op", ranges)
		if !legal {
			require.Error(t, err, "%v", ranges)
			require.Error(t, err2, "%v", ranges)
			continue
		}
		require.NoError(t, err, "%v", ranges)
		require.NoError(t, err2, "%v", ranges)
		accepted++
		want, err := g.Include("op", ranks)
		require.NoError(t, err)
		same(t, want.Members(), in)
		want, err = g.Exclude("op", ranks)
		require.NoError(t, err)
		same(t, want.Members(), out)
	}
	require.Greater(t, accepted, 500)
}

func TestErrorsNameTheRank(t *testing.T) {
	g := group.First(3)
	_, err := g.Include("op", []int{0, 3})
	assert.ErrorIs(t, err, rpi.ErrRank)
	assert.EqualError(t, err, "op: invalid rank: rank 3 is not in a group of 3 members")
	_, err = g.Exclude("op", []int{1, 1})
	assert.EqualError(t, err, "op: invalid rank: rank 1 is named twice")
	_, err = g.IncludeRanges("op", []group.Range{{0, 1 << 62, 1 << 61}})
	assert.ErrorIs(t, err, rpi.ErrRank)
	_, err = g.IncludeRanges("op", []group.Range{{0, 2, 0}})
	assert.EqualError(t, err, "op: invalid argument: the stride of the range from 0 to 2 is 0")
	_, err = g.Translate("op", []int{-1}, g, -2)
	assert.ErrorIs(t, err, rpi.ErrRank)
}

// TestNilIsEmpty shows that nil is a group too.
func TestNilIsEmpty(t *testing.T) {
	var none *group.Group
	same(t, nil, none)
	same(t, nil, none.Union(nil))
	same(t, nil, none.Intersection(group.First(2)))
	same(t, list{0, 1}, none.Union(group.First(2)))
	assert.Equal(t, group.Identical, none.Compare(group.First(0)))
	assert.Equal(t, group.Undefined, none.Rank(0))
}

// TestAllProcessesTakeNoMemory shows that the group of all processes of a large job is as small as that of one.
func TestAllProcessesTakeNoMemory(t *testing.T) {
	g := group.First(1000)
	assert.Zero(t, testing.AllocsPerRun(10, func() {
		_ = g.Rank(999)
		_ = g.Union(g)
	}))
	assert.LessOrEqual(t, unsafe.Sizeof(*g), uintptr(64))
}
