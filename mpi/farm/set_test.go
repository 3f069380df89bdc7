package farm

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSetIsOneOfNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		total := 1 + r.IntN(60)
		var s set
		model := map[int]bool{}
		for _, i := range r.Perm(total)[:r.IntN(total+1)] {
			s.add(i)
			model[i] = true
		}
		require.Equal(t, len(model), s.size)
		for i := range total {
			want := i
			for model[want] {
				want++
			}
			require.Equal(t, want, s.after(i))
		}
		parsed, rest, err := parseSet(append(s.append(nil), 7), total)
		require.NoError(t, err)
		require.Equal(t, []byte{7}, rest)
		require.Equal(t, s, parsed)
	}
}

// Tasks that are done about in order take little memory, and little of a file.
func TestSetOfMostTasksIsSmall(t *testing.T) {
	var s set
	for i := range 1_000_000 {
		s.add(i ^ 1)
	}
	assert.Len(t, s.ranges, 1)
	assert.LessOrEqual(t, len(s.append(nil)), 5)
}

func FuzzParseSet(f *testing.F) {
	f.Add([]byte{1, 0, 5}, 5)
	f.Add([]byte{2, 1, 1, 1, 200}, 300)
	f.Fuzz(func(t *testing.T, b []byte, total int) {
		if total < 0 || total > 1<<40 {
			return
		}
		s, _, err := parseSet(b, total)
		if err != nil {
			return
		}
		end := -1
		for _, r := range s.ranges {
			if r.first <= end || r.last < r.first || r.last >= total {
				t.Fatalf("%v of %d", s.ranges, total)
			}
			end = r.last
		}
	})
}
