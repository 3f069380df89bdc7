// Package progress decides which goroutine of a process takes messages from the network,
// and how long one that waits keeps its processor before it lets another have it.
//
// A goroutine that waits for an operation asks for the token. Whoever has it drives: it
// looks at the network itself, first again and again (see budget), then it blocks in the
// network's own wait, so that a packet wakes it and nobody between. When nobody drives,
// the event loop does, unless the mode is rpi.Inline.
package progress

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Network is where messages come from: a transport from its inner side.
type Network interface {
	// Poll takes in what has arrived, completes what is complete by it, and reports
	// whether there was anything. It does not wait. It fails when the network is closed.
	Poll() (some bool, err error)
	// Wait waits until Poll has something to take in, for the event loop; Block does for
	// a caller, which may keep its thread. They may return early, and fail when the
	// network is closed. When ctx ends Wake is called: Wait, if it begins after that, has
	// to see for itself, for a Block may have returned for the Wake.
	Wait(ctx context.Context) error
	Block() error
	// Release sends what waits for other messages: see Begin.
	Release()
	// Wake has one Wait or Block return early: one that is under way, or the next.
	Wake()
}

// Glancer is a Network that need not look everywhere each time.
type Glancer interface {
	// Glance is Poll for one who is going to look again, until something comes or he
	// waits: it may look only where something is likely to come from, mostly.
	Glance() (some bool, err error)
}

// Rouser is a Network in which a goroutine that waits learns of a Wake from Go's network poller.
type Rouser interface {
	// Rouse has a Wait or Block that has been woken return though Go does not ask its
	// network poller, as all its processors are busy.
	Rouse()
}

// Driver shares the work between those who wait and an event loop. Use New.
type Driver struct {
	network Network
	mode    rpi.Progress
	wake    func() // network.Wake
	glance  func() (some bool, err error)
	rouse   func()
	epoch   time.Time

	token chan struct{} // has a value when nobody drives
	// budgets are those of receives and of sends, arrivals is that of one who waits for
	// more of what has begun to arrive, and arrived is when something last did, or the wait
	// began. They are the token's.
	budgets  [2]budget
	arrivals budget
	arrived  time.Duration
	rivals   rivals
	// yieldEvery, goschedEvery: after so many looks one who spins lets other processes have
	// the processor, and other goroutines.
	yieldEvery, goschedEvery int

	// turns counts what drivers have done, blocked says that one waits in the network:
	// both times the event loop keeps away. asleep: it has stopped to look at them, and
	// is to be told by handover. parked: the driver is in the network's Block right now.
	turns    atomic.Uint64
	blocked  atomic.Bool
	parked   atomic.Bool
	asleep   atomic.Bool
	handover chan struct{}

	// driven is for how long there have been drivers, since is when the one of now began.
	// The event loop has seen so much of it at a time.
	driven, since      atomic.Int64 // nanoseconds, the second since the epoch
	seenDriven, seenAt time.Duration

	// looks counts calls of Advance that found nothing. standing: one of them is looking at
	// the network for a goroutine that waits there.
	looks    atomic.Uint32
	standing atomic.Bool

	burst burst
	// held: messages wait for others. waiting: the event loop is in the network. lazy: it
	// keeps away for long, which hurry cuts short.
	held, waiting, lazy atomic.Bool
	hurry               chan struct{}
}

// New returns a Driver of a network, with the Progress, Spin and Crowded of cfg.
func New(network Network, cfg rpi.Config) *Driver {
	d := &Driver{
		network: network, mode: cfg.Progress, wake: network.Wake, epoch: time.Now(), yieldEvery: osYield, goschedEvery: goYield,
		token: make(chan struct{}, 1), handover: make(chan struct{}, 1), hurry: make(chan struct{}, 1),
	}
	d.glance, d.rouse = network.Poll, func() {}
	if r, ok := network.(Rouser); ok {
		d.rouse = r.Rouse
	}
	if g, ok := network.(Glancer); ok {
		d.glance = g.Glance
	}
	b := budget{fixed: cfg.Spin, longest: longest}
	if cfg.Spin == 0 && !cfg.Crowded && cfg.Progress != rpi.Event {
		d.rivals.pressure = systemPressure()
	}
	if cfg.Crowded {
		d.yieldEvery, b.longest = 1, longestInCrowd
	}
	if runtime.GOMAXPROCS(0) == 1 {
		d.goschedEvery = goYieldAlone
	}
	d.budgets, d.arrivals = [2]budget{b, b}, b
	d.since.Store(notDriving)
	d.burst.last.Store(-int64(burstGap))
	d.token <- struct{}{}
	return d
}

// Loop is the event loop. It returns when ctx ends or the network is closed.
func (d *Driver) Loop(ctx context.Context) {
	timer := time.NewTimer(shortestPause)
	defer timer.Stop()
	defer context.AfterFunc(ctx, d.wake)()
	var seen uint64
	pause := shortestPause
	for ctx.Err() == nil {
		if turns := d.turns.Load(); turns != seen || d.blocked.Load() {
			seen = turns
			pause = d.nextPause(pause)
			d.keepAway(ctx, timer, pause)
			if d.held.Load() {
				pause = shortestPause
				d.release()
			}
			continue
		}
		pause = shortestPause
		some, err := d.network.Poll()
		if err == nil && !some {
			d.waiting.Store(true)
			d.release()
			err = d.network.Wait(ctx)
			d.waiting.Store(false)
			if d.blocked.Load() {
				d.network.Wake() // it may have been meant for the driver
			}
		}
		if err != nil {
			return
		}
	}
}

// The event loop keeps away from drivers for a while before it sees whether there still are
// any: so long a message may lie about that comes after the last call. Each look costs a
// driver that spins its processor, for some 10 µs. So while there are drivers for most of
// the time the pause grows, to a ninth of that time and within these limits.
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
	if share < mostly {
		return shortestPause
	}
	return min(pause+pause/8, longestPause)
}

const (
	mostly     = 0.5
	notDriving = -1
)

// keepAway lets drivers go on. While one is blocked it waits until that one has done.
func (d *Driver) keepAway(ctx context.Context, timer *time.Timer, pause time.Duration) {
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

// Serve does what the event loop does, where there is none, until stop is called: for
// what has to wait for the network otherwise than by Await.
func (d *Driver) Serve() (stop func()) {
	if d.mode != rpi.Inline {
		return func() {}
	}
	ctx, cancel := context.WithCancel(context.Background())
	var loop sync.WaitGroup
	loop.Go(func() { d.Loop(ctx) })
	return func() {
		cancel()
		loop.Wait()
	}
}

// Await waits until w is signalled or ctx ends, and returns the cause.
func (d *Driver) Await(ctx context.Context, w *rpi.Waiter) error {
	var token chan struct{}
	if d.mode != rpi.Event {
		token = d.token
	}
	select {
	case <-w.C:
		return nil
	default:
	}
	select { // which costs a third of the other
	case <-token:
	default:
		w.Blocks(ctx)
		select {
		case <-w.C:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-token:
		}
	}
	err := d.drive(ctx, w)
	d.token <- struct{}{}
	return err
}

// drive takes messages from the network until w is signalled or ctx ends.
func (d *Driver) drive(ctx context.Context, w *rpi.Waiter) error {
	b := &d.budgets[w.Kind()]
	begun := time.Since(d.epoch)
	d.since.Store(int64(begun))
	defer d.since.Store(notDriving)
	d.arrived = begun
	done, err := d.look(ctx, w, d.spin(b, begun)) // at least once: to block takes several times as long
	if err == nil && !done {
		err = d.block(ctx, w)
	}
	wait := time.Since(d.epoch) - begun
	d.driven.Add(int64(wait))
	switch {
	case err == nil:
		b.learn(wait)
		d.rivals.learn(begun+wait, wait)
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	}
	// The network is closed, and whoever has closed it completes all operations.
	select {
	case <-w.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// After so many turns one who spins lets other processes have the processor, which may be
// what the peer is waiting for, and other goroutines of this one. In a crowd it surely is
// what the peer is waiting for, and being switched to costs the peer less than being woken.
//
// Where Go has a processor to spare its other goroutines have that one, and yielding to them
// wakes a thread that looks for work in vain, on the peer's processor: so not within the time
// that a short message takes. But whoever never does is interrupted by the scheduler.
const (
	osYield      = 4
	goYield      = 32
	goYieldAlone = 16
	// clockEvery is after how many turns the time is looked at, which takes a tenth of one.
	clockEvery = 4
)

// look looks at the network until w is signalled, or nothing has arrived for limit. Once
// something has, the limit is what is learnt from arrivals: where more follows soon, as in a
// long message, to be woken for each piece would take longer than the piece.
func (d *Driver) look(ctx context.Context, w *rpi.Waiter, limit time.Duration) (done bool, err error) {
	for turn := 1; ; turn++ {
		d.turns.Add(1)
		d.release()
		some, err := d.glance()
		if err != nil {
			return false, err
		}
		select {
		case <-w.C:
			return true, nil
		default:
		}
		switch {
		case some && !d.arrivals.never():
			now := time.Since(d.epoch)
			d.arrivals.learn(now - d.arrived)
			d.arrived, limit = now, d.spin(&d.arrivals, now)
		case some:
		case limit <= 0:
			return false, nil
		}
		if limit > 0 && turn%clockEvery == 0 && time.Since(d.epoch)-d.arrived >= limit {
			return false, nil
		}
		if limit > 0 && !some && turn%d.yieldEvery == 0 {
			yield()
		}
		if turn%d.goschedEvery == 0 {
			if ctx.Err() != nil {
				return false, ctx.Err()
			}
			runtime.Gosched()
		}
	}
}

// spin returns how long to spin: not at all while others want the processors.
func (d *Driver) spin(b *budget, now time.Duration) time.Duration {
	if d.rivals.truceAt(now) {
		return 0
	}
	return b.spin()
}

// block waits in the network until w is signalled or ctx ends.
func (d *Driver) block(ctx context.Context, w *rpi.Waiter) error {
	w.Blocks(ctx)
	d.blocked.Store(true)
	defer func() {
		d.turns.Add(1)
		d.blocked.Store(false)
		if d.asleep.Swap(false) {
			select {
			case d.handover <- struct{}{}:
			default:
			}
		}
	}()
	if ctx.Done() != nil {
		defer context.AfterFunc(ctx, w.Signal)()
	}
	for {
		if err := d.waitUnlessSignalled(w); err != nil {
			return err
		}
		if done, err := d.look(ctx, w, 0); done || err != nil {
			return errors.Join(err, ctx.Err())
		}
	}
}

// waitUnlessSignalled waits in the network until there is something to take in, unless w
// has been signalled: what others do must end the wait too.
func (d *Driver) waitUnlessSignalled(w *rpi.Waiter) error {
	w.Interrupt(&d.wake)
	defer w.Interrupt(nil)
	if len(w.C) > 0 {
		return nil
	}
	d.release()
	d.parked.Store(true)
	defer d.parked.Store(false)
	return d.network.Block()
}
