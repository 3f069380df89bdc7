package driver

import (
	"sync/atomic"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// waits counts how long calls have waited, in nanoseconds. Goroutines that wait beside the driver count at the same time as that.
type waits [len(rpi.Histogram{})]atomic.Uint64

// waitedFor counts a wait that has ended well.
func (d *Driver) waitedFor(t time.Duration) {
	if d.waits != nil {
		d.waits[rpi.Place(uint64(max(t, 0)))].Add(1)
	}
}

// WaitTimes implements rpi.Timed.
func (d *Driver) WaitTimes() *rpi.Histogram {
	if d.waits == nil {
		return nil
	}
	h := new(rpi.Histogram)
	for i := range h {
		h[i] = d.waits[i].Load()
	}
	return h
}
