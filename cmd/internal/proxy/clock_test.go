package proxy

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// A host whose clock is ahead by a minute has looked at it within the time that its answer has taken.
func TestClockOfAHost(t *testing.T) {
	asked := time.Unix(1000, 0)
	there := asked.Add(time.Minute + 300*time.Microsecond)
	c := clockOf(asked, 400*time.Microsecond, there.UnixNano())
	assert.Equal(t, Clock{Ahead: time.Minute + 100*time.Microsecond, Within: 200 * time.Microsecond}, c)
}
