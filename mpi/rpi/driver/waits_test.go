package driver

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
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

// TestBlockedIsThePartOfAWaitWithoutAProcessor: a call that spins has none.
func TestBlockedIsThePartOfAWaitWithoutAProcessor(t *testing.T) {
	for _, spin := range []time.Duration{time.Hour, -1} {
		f, d := drive(t, rpi.Config{Spin: spin, Progress: rpi.Inline})
		ended := make(chan error)
		w := rpi.NewWaiter()
		go func() { ended <- d.Await(t.Context(), w) }()
		if spin < 0 {
			f.untilRests()
		}
		f.send(w.Signal)
		require.NoError(t, <-ended)
		if spin < 0 {
			assert.Positive(t, d.Blocked())
			assert.LessOrEqual(t, d.Blocked(), d.Waited())
		} else {
			assert.Zero(t, d.Blocked())
		}
		w.Release()
	}
}

// BenchmarkWaitedFor is what counting a wait takes, which has taken microseconds itself.
func BenchmarkWaitedFor(b *testing.B) {
	d := &Driver{waits: new(waits)}
	for b.Loop() {
		d.waitedFor(1000)
	}
}
