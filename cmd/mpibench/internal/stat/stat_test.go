package stat

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestMedianIsTheMiddleOrTheMeanOfTheTwoInTheMiddle(t *testing.T) {
	assert.Equal(t, 3.0, Median([]float64{3}))
	assert.Equal(t, 2.0, Median([]float64{9, 1, 2}))
	assert.Equal(t, 3.0, Median([]float64{9, 1, 4, 2}))
}

func TestMedianLeavesTheValuesInOrder(t *testing.T) {
	values := []float64{3, 1, 2}
	Median(values)
	assert.Equal(t, []float64{3, 1, 2}, values)
}

func TestPercentileIsOneOfTheValues(t *testing.T) {
	hundred := make([]int, 100)
	for i := range hundred {
		hundred[i] = i + 1
	}
	assert.Equal(t, 50, Percentile(hundred, 50))
	assert.Equal(t, 99, Percentile(hundred, 99))
	assert.Equal(t, 100, Percentile(hundred, 100))
	assert.Equal(t, 1, Percentile(hundred, 0))
	assert.Equal(t, 7, Percentile([]int{7}, 99))
	assert.Equal(t, 8, Percentile([]int{7, 8, 9}, 50))
}
