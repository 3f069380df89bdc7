package datatype

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// root is the shortest sequence that gives all by being repeated.
func root(all []Kind) []Kind {
	for n := 1; n < len(all); n++ {
		if len(all)%n == 0 && slices.Equal(all[n:], all[:len(all)-n]) {
			return all[:n]
		}
	}
	return all
}

func (o oracle) matching(count int64) []Kind {
	all := o.kindsOf(count)
	for i, k := range all {
		all[i] = k.matching()
	}
	return all
}

// Signatures agree exactly if the shortest repeated sequences do, and Matches is MPI's rule.
func TestSignaturesAndMatching(t *testing.T) {
	r := newRandom(t)
	r.kinds = []Kind{Int16, Int64, Long, LongInt} // so that some are alike
	seen := map[Signature][]Kind{}
	type sender struct {
		*Type
		oracle
	}
	var senders []sender
	equal := 0
	r.each(func(made *Type, o oracle) {
		if len(o.entries) == 0 {
			require.Equal(t, Any, made.Signature())
			return
		}
		mine := root(o.matching(1))
		if other, ok := seen[made.Signature()]; ok {
			require.Equal(t, other, mine)
			equal++
		}
		seen[made.Signature()] = mine
		if len(mine) == 1 {
			require.Equal(t, Signature(mine[0]), made.Signature())
		}
		senders = append(senders, sender{made, o})
	})
	require.NotZero(t, equal)
	different := map[string]bool{}
	for _, kinds := range seen {
		require.False(t, different[string(kindBytes(kinds))], "one sequence has one signature")
		different[string(kindBytes(kinds))] = true
	}
	matched := map[bool]int{}
	for range 30 * *types {
		from, to := senders[r.IntN(len(senders))], senders[r.IntN(len(senders))]
		n, m := 1+r.small(3), 1+r.small(3)
		message, room := from.matching(n), to.matching(m)
		if len(message) > len(room) {
			continue
		}
		want := slices.Equal(message, room[:len(message)])
		matched[want]++
		require.Equal(t, want, to.Matches(from.Signature(), n*from.Size(), m), "%v into %v", from.list, to.list)
	}
	t.Log(matched)
	require.NotZero(t, matched[true])
}

func kindBytes(kinds []Kind) (b []byte) {
	for _, k := range kinds {
		b = append(b, byte(k))
	}
	return b
}

// The cases that programs have.
func TestWhichTypesMatch(t *testing.T) {
	f, i := Basic(Float64), Basic(Int32)
	two := must(Struct([]int64{1, 1}, []int64{0, 8}, []*Type{f, f}))
	mixed := must(Struct([]int64{1, 1}, []int64{0, 8}, []*Type{i, f}))
	three := must(Contiguous(3, mixed))
	odd := must(Struct([]int64{1, 1, 1}, []int64{0, 8, 16}, []*Type{i, f, i}))
	for _, column := range []*Type{two, must(Vector(1<<40, 3, 7, f)), must(Resized(f, 0, 32))} {
		require.Equal(t, f.Signature(), column.Signature())
	}
	require.Equal(t, mixed.Signature(), three.Signature())
	require.Equal(t, mixed.Signature(), must(Vector(1<<40, 2, 3, three)).Signature())
	require.NotEqual(t, mixed.Signature(), odd.Signature())
	require.Equal(t, Basic(Long).Signature(), Basic(Int64).Signature())

	require.True(t, odd.Matches(mixed.Signature(), 12, 1), "the first two of three elements")
	require.False(t, odd.Matches(mixed.Signature(), 24, 2))
	require.True(t, mixed.Matches(i.Signature(), 4, 1))
	require.False(t, mixed.Matches(f.Signature(), 8, 1))
	require.False(t, mixed.Matches(i.Signature(), 8, 1))
	require.True(t, mixed.Matches(f.Signature(), 0, 1), "an empty message has no elements to differ")
	require.False(t, f.Matches(Basic(Byte).Signature(), 8, 1))
	require.True(t, f.Matches(Any, 8, 1))
	require.True(t, f.Matches(Basic(Packed).Signature(), 8, 1))
	require.True(t, Basic(Packed).Matches(mixed.Signature(), 12, 100))

	require.Equal(t, "float64", two.Signature().String())
	require.Equal(t, "any type", Any.String())
	require.Contains(t, odd.Signature().String(), "a type unknown here (signature 0x")
}
