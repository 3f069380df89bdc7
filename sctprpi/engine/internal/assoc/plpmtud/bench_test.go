package plpmtud

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// discover sees a search on a path of 1,500 through.
func discover(s *Search) int {
	s.Start(0)
	for {
		size, id, ok := s.Probe(0, 0)
		switch {
		case !ok:
			return s.MTU()
		case size <= 1500:
			s.Acked(0, id)
		default:
			s.Expire(0)
		}
	}
}

func TestASearchAllocatesNothing(t *testing.T) {
	s, err := New(Config{Max: 9000})
	require.NoError(t, err)
	assert.Zero(t, testing.AllocsPerRun(100, func() { discover(s) }))
	assert.Equal(t, 1500, s.MTU())
}

// What a path costs for each of its packets once its MTU is known.
func BenchmarkIdle(b *testing.B) {
	s, err := New(Config{Max: 9000})
	require.NoError(b, err)
	discover(s)
	b.ReportAllocs()
	for b.Loop() {
		if _, _, ok := s.Probe(1, 0); ok {
			b.Fatal("nothing is due")
		}
	}
}
