package driver

import (
	"context"
	"sync"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Loop is the event loop. It returns when ctx ends or the network is closed, and in rpi.Inline at
// once unless the network is a Protocol.
func (d *Driver) Loop(ctx context.Context) {
	if d.mode != rpi.Inline || d.protocol != nil {
		d.loop(ctx)
	}
}

// loop looks at the network and waits for it, while there are no drivers.
func (d *Driver) loop(ctx context.Context) {
	timer := time.NewTimer(shortestPause)
	defer timer.Stop()
	defer context.AfterFunc(ctx, d.wake)()
	var seen uint64
	pause := shortestPause
	for ctx.Err() == nil {
		if turns := d.turns.Load(); turns != seen || d.blocked.Load() {
			seen = turns
			pause = d.nextPause(pause)
			d.letDriversGoOn(ctx, timer, pause)
			if d.held.Load() {
				pause = shortestPause
				d.release()
			}
			continue
		}
		pause = shortestPause
		d.then.Enter()
		messages, some, err := d.pollOrTend()
		d.then.Leave(false)
		if err == nil && !some {
			d.waiting.Store(true)
			d.release()
			err = d.poller.Wait(ctx, messages, false)
			d.waiting.Store(false)
			if d.blocked.Load() {
				d.poller.Wake() // it may have been meant for the driver
			}
		}
		if err != nil {
			return
		}
	}
}

// pollOrTend takes messages in, or else just keeps the protocol going.
func (d *Driver) pollOrTend() (messages, some bool, err error) {
	if d.protocol != nil {
		d.serve.Lock()
		defer d.serve.Unlock()
		if d.serving == 0 {
			return false, false, d.protocol.Tend()
		}
	}
	some, err = d.network.Poll()
	return true, some, err
}

// The event loop keeps away from drivers for a while before it sees whether there still are
// any: so long a message may lie about that comes after the last call. Each look costs a
// driver that spins its processor, for some 10 µs. So while there are drivers for most of
// the time the pause grows, to a ninth of that time and within these limits. It does not grow while
// peers may need this process at any time: when a call ends after a long wait, and the program
// computes, what comes would lie about for two of the longest pauses.
const (
	shortestPause = time.Millisecond
	longestPause  = 5 * time.Millisecond
)

// nextPause returns how long to keep away after a pause: the event loop's.
func (d *Driver) nextPause(pause time.Duration) time.Duration {
	now, driven := time.Since(d.epoch), time.Duration(d.driven.Load())
	if since := time.Duration(d.since.Load()); since != notDriving {
		driven += now - since
	}
	share := float64(driven-d.seenDriven) / float64(now-d.seenAt)
	d.seenAt, d.seenDriven = now, driven
	if share < mostly || d.expected.Load() > 0 {
		return shortestPause
	}
	return min(pause+pause/8, longestPause)
}

const (
	mostly     = 0.5
	notDriving = -1
)

// letDriversGoOn lets drivers go on. While one is blocked it waits until that one has done.
func (d *Driver) letDriversGoOn(ctx context.Context, timer *time.Timer, pause time.Duration) {
	d.lazy.Store(pause >= 2*shortestPause)
	if d.held.Load() {
		pause = shortestPause
	}
	timer.Reset(pause)
	select {
	case <-timer.C:
	case <-d.hurry:
		timer.Reset(shortestPause)
		select {
		case <-timer.C:
		case <-ctx.Done():
			return
		}
	case <-ctx.Done():
		return
	}
	d.lazy.Store(false)
	if !d.blocked.Load() {
		return
	}
	d.asleep.Store(true)
	if !d.blocked.Load() { // else the driver sees that the loop is asleep
		d.asleep.Store(false)
		return
	}
	select {
	case <-d.handover:
	case <-ctx.Done():
	}
}

// Serve has the event loop take messages in until stop is called, in rpi.Inline too: for what has to
// wait for the network otherwise than by Await. Stop waits for a look at the network that is under way.
func (d *Driver) Serve() (stop func()) {
	switch {
	case d.mode != rpi.Inline:
		return func() {}
	case d.protocol != nil:
		d.serveMore(1)
		d.poller.Wake()
		return func() { d.serveMore(-1) }
	}
	ctx, cancel := context.WithCancel(context.Background())
	var loop sync.WaitGroup
	loop.Go(func() { d.loop(ctx) })
	return func() {
		cancel()
		loop.Wait()
	}
}

// serveMore changes the number of Serves under way.
func (d *Driver) serveMore(by int) {
	d.serve.Lock()
	defer d.serve.Unlock()
	d.serving += by
}
