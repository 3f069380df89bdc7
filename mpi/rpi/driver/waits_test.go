package driver

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestWaitsAreCountedByTheirTime(t *testing.T) {
	d := &Driver{}
	d.waitedFor(time.Second)
	assert.Nil(t, d.WaitTimes(), "unless they are wanted")
	d.waits = new(waits)
	for _, wait := range []time.Duration{0, 1, 1000, 1023, 1024, -1} {
		d.waitedFor(wait)
	}
	h := d.WaitTimes()
	assert.EqualValues(t, 2, h[0], "none, and one that the clock has lost")
	assert.EqualValues(t, 1, h[1])
	assert.EqualValues(t, 2, h[10])
	assert.EqualValues(t, 1, h[11])
}

// BenchmarkWaitedFor is what counting a wait takes, which has taken microseconds itself.
func BenchmarkWaitedFor(b *testing.B) {
	d := &Driver{waits: new(waits)}
	for b.Loop() {
		d.waitedFor(1000)
	}
}
