package record_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/record"
)

func numbers(n int) (values []float64) {
	for i := range n {
		values = append(values, float64(n-i))
	}
	return values
}

func TestMedianAndItsInterval(t *testing.T) {
	for _, c := range []struct {
		n         int
		median    float64
		low, high float64
		coverage  float64
	}{
		{1, 1, 1, 1, 0},
		{3, 2, 1, 3, 0.75},
		{4, 2.5, 1, 4, 0.875},
		{5, 3, 1, 5, 0.9375},
		{6, 3.5, 1, 6, 0.96875},
		{9, 5, 2, 8, 0.9609375},
		{20, 10.5, 6, 15, 0.9586105346679688},
	} {
		s := record.Summarize(numbers(c.n))
		assert.Equal(t, c.n, s.N)
		assert.Equal(t, c.median, s.Median, c.n)
		assert.Equal(t, c.low, s.Low, c.n)
		assert.Equal(t, c.high, s.High, c.n)
		assert.InDelta(t, c.coverage, s.Coverage, 1e-9, c.n)
	}
}

func TestNothingMeasuredIsNoNumber(t *testing.T) {
	s := record.Summarize(nil)
	assert.True(t, math.IsNaN(s.Median))
	assert.Zero(t, s.N)
}
