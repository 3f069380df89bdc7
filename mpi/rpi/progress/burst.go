package progress

import (
	"sync/atomic"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

const (
	// shortMessage is the longest message, in bytes, that may wait for others to share a
	// packet, or a system call, with.
	shortMessage = 2 << 10
	// burstGap is how soon after another has been started a message must be for more of
	// them to be likely. The first, and a lone one, is not delayed.
	burstGap = 2 * time.Microsecond
	// heedEvery is after how many short messages one who sends and never waits looks at
	// the network.
	heedEvery = 64
)

// burst is what is known of the short messages that a process sends.
type burst struct {
	last  atomic.Int64  // when one was last started, in nanoseconds since the epoch
	count atomic.Uint32 // of messages
}

// Begin is called when a request is about to be started, and reports whether it sends one
// of several short messages, one after the other. They may wait for each other, until the
// caller waits: in the mode rpi.Event, in which callers do not look at the network
// themselves, that would be too long.
func (d *Driver) Begin(r *rpi.Request) (more bool) {
	return d.short(r) && time.Since(d.epoch)-time.Duration(d.burst.last.Load()) < burstGap
}

// End is called when the request has been started.
func (d *Driver) End(r *rpi.Request) {
	if !d.short(r) {
		return
	}
	if d.burst.count.Add(1)%heedEvery == 0 {
		d.Advance() // acknowledgements above all
	}
	d.burst.last.Store(int64(time.Since(d.epoch)))
}

func (d *Driver) short(r *rpi.Request) bool {
	return r.Op == rpi.OpSend && len(r.Buf) <= shortMessage && d.mode != rpi.Event
}

// Held is called by a network when a message waits for others. It sees to it that Poll is
// called soon. Until then Wait and Block must not wait.
func (d *Driver) Held() {
	d.held.Store(true)
	switch {
	case d.blocked.Load() || d.waiting.Load():
		d.network.Wake()
	case d.lazy.Swap(false):
		select {
		case d.hurry <- struct{}{}:
		default:
		}
	}
}
