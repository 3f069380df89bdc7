package measure_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/sctpmpi/sctpmpi/cmd/internal/measure"
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
		s := measure.Interval(numbers(c.n))
		assert.Equal(t, c.n, s.N)
		assert.Equal(t, c.median, s.Median, c.n)
		assert.Equal(t, c.low, s.Low, c.n)
		assert.Equal(t, c.high, s.High, c.n)
		assert.InDelta(t, c.coverage, s.Confidence, 1e-9, c.n)
	}
}

func TestSixValuesSufficeForAnInterval(t *testing.T) {
	for n, want := range map[int]bool{0: false, 5: false, 6: true, 20: true} {
		assert.Equal(t, want, measure.Suffice(n), n)
	}
}

func TestMedianIsTheMiddleOrTheMeanOfTheTwoInTheMiddle(t *testing.T) {
	values := []float64{9, 1, 4, 2}
	assert.Equal(t, measure.Figure{Median: 3, Low: 1, High: 9, N: 4}, measure.Range(values...))
	assert.Equal(t, []float64{9, 1, 4, 2}, values, "the results stay in order")
	assert.Equal(t, 2.0, measure.Range(9, 1, 2).Median)
	assert.Equal(t, measure.Figure{Median: 3, Low: 3, High: 3, N: 1}, measure.Range(3))
}

func TestFigureIsWrittenWithThreeDigitsAndItsInterval(t *testing.T) {
	assert.Equal(t, "2.50 (2–3)", measure.Range(2, 3).String())
	assert.Equal(t, "0.125", measure.Range(0.125).String())
	assert.Equal(t, "12346", measure.Range(12345.6).String())
	assert.Equal(t, "–", measure.Range().String())
}

func TestNothingMeasuredIsNoNumber(t *testing.T) {
	s := measure.Interval(nil)
	assert.True(t, math.IsNaN(s.Median))
	assert.Zero(t, s.N)
}
