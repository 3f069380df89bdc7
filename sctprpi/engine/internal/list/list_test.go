package list

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type element struct {
	a, b Link[element] // for two lists at a time
}

// contents returns the elements, having checked that both directions agree.
func contents(t *testing.T, l *List[element]) []*element {
	all := slices.Collect(l.All())
	var back []*element
	for k := l.tail; k != nil; k = k.prev {
		back = append(back, k.of)
	}
	slices.Reverse(back)
	require.Equal(t, len(all), len(back))
	for i := range all {
		require.Same(t, all[i], back[i])
	}
	require.Equal(t, len(all) == 0, l.Empty())
	if len(all) > 0 {
		require.Same(t, all[0], l.First())
		require.Same(t, all[len(all)-1], l.Last())
	}
	return all
}

func TestAnEmptyListHasNothingToGive(t *testing.T) {
	var l List[element]
	assert.True(t, l.Empty())
	assert.Nil(t, l.First())
	assert.Nil(t, l.Last())
	assert.Nil(t, l.Pop())
	l.Append(new(List[element]))
	assert.Empty(t, contents(t, &l))
}

func TestWhatWasPushedFirstComesFirst(t *testing.T) {
	var l List[element]
	var v [3]element
	for i := range v {
		l.Push(&v[i], &v[i].a)
	}
	for i := range v {
		assert.Same(t, &v[i], l.First())
		assert.Same(t, &v[i], l.Pop())
	}
	assert.True(t, l.Empty())
}

func TestAnElementIsInAListOnce(t *testing.T) {
	var l List[element]
	var v, other element
	l.Push(&v, &v.a)
	l.Push(&other, &other.a)
	l.Push(&v, &v.a)
	assert.Len(t, contents(t, &l), 2)
	assert.True(t, v.a.In())
	l.Remove(&v.a)
	l.Remove(&v.a)
	assert.False(t, v.a.In())
	assert.Len(t, contents(t, &l), 1)
}

func TestAnElementMayBeInAListForEachLink(t *testing.T) {
	var l, m List[element]
	var v element
	l.Push(&v, &v.a)
	m.Push(&v, &v.b)
	l.Pop()
	assert.Same(t, &v, m.First())
}

func TestAppendMovesAllElementsInOrder(t *testing.T) {
	for _, n := range []int{0, 1, 2} {
		for _, more := range []int{0, 1, 2} {
			var l, other List[element]
			v := make([]element, n+more)
			for i := range v {
				if i < n {
					l.Push(&v[i], &v[i].a)
				} else {
					other.Push(&v[i], &v[i].a)
				}
			}
			l.Append(&other)
			assert.True(t, other.Empty())
			all := contents(t, &l)
			require.Len(t, all, n+more)
			for i := range v {
				assert.Same(t, &v[i], all[i])
			}
		}
	}
}

func TestAWalkMayEndEarly(t *testing.T) {
	var l List[element]
	var v [3]element
	for i := range v {
		l.Push(&v[i], &v[i].a)
	}
	n := 0
	for range l.All() {
		if n++; n == 2 {
			break
		}
	}
	assert.Equal(t, 2, n)
}

func TestRandomChangesAreThoseOfASlice(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var l List[element]
	var v [8]element
	var model []*element
	for range 2000 {
		e := &v[rng.IntN(len(v))]
		at := slices.Index(model, e)
		require.Equal(t, at >= 0, e.a.In())
		if rng.IntN(2) == 0 {
			l.Push(e, &e.a)
			if at < 0 {
				model = append(model, e)
			}
		} else {
			l.Remove(&e.a)
			if at >= 0 {
				model = slices.Delete(model, at, at+1)
			}
		}
		all := contents(t, &l)
		require.Equal(t, len(model), len(all))
		for i := range all {
			require.Same(t, model[i], all[i])
		}
	}
}

func TestNothingIsAllocated(t *testing.T) {
	var l List[element]
	var v element
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		l.Push(&v, &v.a)
		l.Pop()
	}))
}

func TestWhatIsPushedFirstGoesInFront(t *testing.T) {
	var l List[element]
	var v [3]element
	l.PushFirst(&v[1], &v[1].a)
	l.PushFirst(&v[0], &v[0].a)
	l.PushFirst(&v[1], &v[1].a)
	l.Push(&v[2], &v[2].a)
	assert.Equal(t, []*element{&v[0], &v[1], &v[2]}, contents(t, &l))
}
