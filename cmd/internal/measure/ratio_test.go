package measure_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/sctpmpi/sctpmpi/cmd/internal/measure"
)

func TestRatioOfTwoMeasurements(t *testing.T) {
	s := measure.Ratio([]float64{2, 4, 8}, []float64{2, 2, 2})
	assert.Equal(t, 2.0, s.Median)
	assert.Equal(t, [2]float64{1, 4}, [2]float64{s.Low, s.High}, "the outermost, where there are few")
	assert.InDelta(t, 0.9, s.Confidence, 1e-9, "all of one are below all of the other in 1 of 20 orders")
}

// As tables of the U test have it: with 4 of each nothing but the outermost quotients will do, with 6 of each U may be 5.
func TestPercentsAreOfWhatIsMoreThanOne(t *testing.T) {
	f := measure.Figure{Median: 1.5, Low: 0.5, High: 2, N: 3, Confidence: 0.9}.Percent()
	assert.Equal(t, measure.Figure{Median: 50, Low: -50, High: 100, N: 3, Confidence: 0.9}, f)
}

func TestIntervalsOfRatiosHaveTheirConfidence(t *testing.T) {
	assert.InDelta(t, 1-2.0/70, measure.Ratio(numbers(4), numbers(4)).Confidence, 1e-9)
	six := measure.Ratio(numbers(6), numbers(6))
	assert.InDelta(t, 1-2*19.0/924, six.Confidence, 1e-9)
	assert.Equal(t, 1.0, six.Median)
	assert.InDelta(t, 1, six.Low*six.High, 1e-9)
}

// Of measurements whose ratio is known, the interval has it as often as it says.
func TestIntervalsOfRatiosAreTrue(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	sample := func(n int, scale float64) (values []float64) {
		for range n {
			values = append(values, scale*math.Exp(random.NormFloat64()))
		}
		return values
	}
	const rounds = 4000
	has := 0
	for range rounds {
		s := measure.Ratio(sample(6, 3), sample(7, 2))
		if s.Low <= 1.5 && 1.5 <= s.High {
			has++
		}
	}
	assert.Greater(t, has, rounds*94/100)
}

// As shares of late messages are: what is 0 in both is a tie, what is 0 in the divisor alone is more than anything.
func TestRatioOfMeasurementsThatMayBeZero(t *testing.T) {
	s := measure.Ratio([]float64{0, 2, 2, 2, 2, 2}, []float64{0, 4, 4, 4, 4, 4})
	assert.Equal(t, 0.5, s.Median)
	assert.False(t, math.IsNaN(s.Low) || math.IsNaN(s.High))
	assert.Equal(t, 1.0, measure.Ratio([]float64{0, 0}, []float64{0, 0}).Median)
	assert.True(t, math.IsInf(measure.Ratio([]float64{1, 1}, []float64{0, 0}).Median, 1))
}

func TestRatioOfNothingIsNoNumber(t *testing.T) {
	assert.True(t, math.IsNaN(measure.Ratio(nil, []float64{1}).Median))
	assert.True(t, math.IsNaN(measure.Ratio([]float64{1}, nil).Median))
}
