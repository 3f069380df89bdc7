package measure_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/sctpmpi/sctpmpi/cmd/internal/measure"
)

func TestNumberOfStepsFollowsFromTheTimeOfSome(t *testing.T) {
	assert.Equal(t, 200, measure.Steps(100, time.Second, 2*time.Second))
	assert.Equal(t, 1, measure.Steps(1, time.Hour, time.Second), "one at least")
	assert.Equal(t, measure.MaxSteps, measure.Steps(1000, 0, time.Hour), "and not without bound")
}

func TestWarmUpTakesMoreAndMoreSteps(t *testing.T) {
	var all []int
	n, err := measure.WarmUp(time.Second, func(n int) (time.Duration, error) {
		all = append(all, n)
		return time.Duration(n) * time.Millisecond, nil
	})
	assert.NoError(t, err)
	assert.Equal(t, 1000, n)
	assert.Equal(t, []int{1, 64, 666}, all)
	_, err = measure.WarmUp(time.Second, func(int) (time.Duration, error) { return 0, errors.New("broken") })
	assert.ErrorContains(t, err, "broken")
}
