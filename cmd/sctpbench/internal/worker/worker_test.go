package worker

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestPercentilesAreValuesOfTheNearestRank(t *testing.T) {
	hundred := make([]time.Duration, 100)
	for i := range hundred {
		hundred[i] = time.Duration(100 - i)
	}
	for _, c := range []struct {
		values   []time.Duration
		p50, p99 time.Duration
	}{
		{hundred, 50, 99}, {[]time.Duration{7}, 7, 7}, {[]time.Duration{9, 7, 8}, 8, 9}, {[]time.Duration{3, 4}, 3, 4},
	} {
		p50, p99 := percentiles(c.values)
		assert.Equal(t, c.p50, p50)
		assert.Equal(t, c.p99, p99)
	}
}
