package driver

import (
	"sync/atomic"
	"time"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

const (
	// shortMessage is the longest message, in bytes, that may wait for others to share a
	// packet, or a system call, with.
	shortMessage = 2 << 10
	// burstGap is how soon after another has been started a message must be for more of
	// them to be likely. The first, and a lone one, is not delayed, unless so many bursts
	// in a row were long that another one is most likely.
	burstGap  = 2 * time.Microsecond
	longBurst = 16 // messages
	habit     = 16 // long bursts
	// batch is how many messages of a burst leave together.
	batch = 32
	// A goroutine that sends and never waits looks at the network after lookEvery short messages,
	// where each lookBytes of a message count as one more.
	lookEvery = 256
	lookBytes = 256
)

// burst is what is known of the short messages that a process sends.
type burst struct {
	last     atomic.Int64  // when one was last started, in nanoseconds since the epoch
	length   atomic.Uint32 // of the burst, in messages
	long     atomic.Uint32 // bursts in a row before it
	unlooked atomic.Uint32 // messages since a goroutine that sends has looked at the network
}

// Begin is called when a request is about to be started, and reports whether it sends one
// of several short messages, one after the other. They may wait for each other, until the
// caller waits: in the mode rpi.Event, in which callers do not look at the network
// themselves, that would be too long.
func (d *Driver) Begin(r *rpi.Request) (more bool) {
	if !d.short(r) {
		return false
	}
	b, now := &d.burst, int64(time.Since(d.epoch))
	switch {
	case now-b.last.Load() < int64(burstGap):
		more = b.length.Add(1)%batch != 0
	case b.length.Swap(1) >= longBurst:
		more = b.long.Add(1) >= habit
	default:
		b.long.Store(0)
	}
	b.last.Store(now)
	return more
}

// End is called when the request has been started, with what Begin has returned. If that was
// true no time has passed.
func (d *Driver) End(r *rpi.Request, more bool) {
	if !d.short(r) {
		return
	}
	if more {
		d.hold()
	}
	looked := r.Then == nil && d.lookSometimes(len(r.Buf))
	if more && !looked {
		return
	}
	d.burst.last.Store(int64(time.Since(d.epoch)))
}

// lookSometimes looks at the network after many short messages, of which this one has n bytes, and reports whether it has.
func (d *Driver) lookSometimes(n int) bool {
	if d.burst.unlooked.Add(uint32(1+n/lookBytes)) < lookEvery {
		return false
	}
	d.burst.unlooked.Store(0)
	d.Advance() // acknowledgements above all
	return true
}

func (d *Driver) short(r *rpi.Request) bool {
	return r.Op == rpi.OpSend && d.mayWait(r.Peer, len(r.Buf))
}

// mayWait reports whether a message of n bytes to a peer may wait for others.
func (d *Driver) mayWait(peer matching.Rank, n int) bool {
	return n <= shortMessage && d.mode != rpi.Event && !(int(peer) < len(d.immediate) && d.immediate[peer].Load())
}

// Lone is Begin of a message that has no request (rpi.ShortWay), unless it is one of several: then it reports false, and nothing has
// happened. counted: Left is to be called when the message has left.
func (d *Driver) Lone(m rpi.Short) (counted, lone bool) {
	if !d.mayWait(m.Peer, len(m.Buf)) {
		return false, true
	}
	if m.Others {
		return false, false
	}
	b, now := &d.burst, int64(time.Since(d.epoch))
	if now-b.last.Load() < int64(burstGap) || b.length.Load() >= longBurst {
		return false, false
	}
	b.length.Store(1)
	b.long.Store(0)
	b.last.Store(now)
	return true, true
}

// Left is End of a message that has no request.
func (d *Driver) Left(m rpi.Short) {
	d.lookSometimes(len(m.Buf))
	d.burst.last.Store(int64(time.Since(d.epoch)))
}

// SetImmediate says that a message to a peer does not wait for others: nothing is saved if they leave together, as memory is
// shared with it.
func (d *Driver) SetImmediate(peer matching.Rank) {
	d.immediate[peer].Store(true)
	d.spins.Share()
}

// hold notes that a message waits for others, and makes sure that it does not wait for long.
func (d *Driver) hold() {
	if d.held.Load() || d.held.Swap(true) {
		return
	}
	switch {
	case d.blocked.Load() || d.waiting.Load():
		d.poller.Wake()
	case d.lazy.Swap(false):
		select {
		case d.hurry <- struct{}{}:
		default:
		}
	}
}

// release sends the messages that wait for others, if there are any.
func (d *Driver) release() {
	if d.held.Load() {
		d.held.Store(false)
		d.network.Release()
	}
}
