// Package driver decides which goroutine of a process takes messages from the network. It is for
// transports, not for programs. It has the only place where goroutines wait for the network, the
// Poller. How long they look before they wait there is what package spin decides.
//
// A goroutine that waits for an operation asks for the token. The one that has it drives: it looks
// at the network itself, first again and again, then it waits in the Poller. So a
// packet wakes the goroutine that needs it. When none drives the event loop does, unless the mode
// is rpi.Inline. Then the event loop only keeps the protocol going, see Protocol.
package driver

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/driver/internal/spin"
)

// Network is where messages come from: a transport from its inner side. It has no goroutine that
// takes messages in, and does not wait: see Resting.
type Network interface {
	Resting
	// Poll takes in what has arrived, completes what is complete by it, and reports
	// whether there was anything. It fails when the network is closed.
	Poll() (some bool, err error)
	// Release sends what waits for other messages: see Begin.
	Release()
}

// FastPoller is a Network that has a faster Poll.
type FastPoller interface {
	// PollFast is Poll for a goroutine that polls again and again: most times it may look only where something is likely to
	// come from. One that spins does nothing else, and can look there several times.
	PollFast(spins bool) (some bool, err error)
}

// Neighbours is a Network by which this process shares memory with peers.
type Neighbours interface {
	// Beside reports whether one of the peers that send lately has the processor of the caller, by what it has said last, and can go on
	// only when the caller gives that up. known: the system says which processor that is.
	Beside() (beside, known bool)
}

// Protocol is a Network whose protocol runs in this process. It has to go on while the program
// computes: without acknowledgements and heartbeats the peers would take the process for dead.
type Protocol interface {
	// Tend does what the protocol has to do now: it takes in packets, and timers that have run out.
	// It matches and delivers no message. It fails when the network is closed.
	Tend() error
}

// Driver shares the work between the goroutines that wait and an event loop. Use New.
type Driver struct {
	network Network
	poller  *Poller
	mode    rpi.Progress
	then    *rpi.Continuations
	// protocol is the network in rpi.Inline, if it is one: the event loop only tends it, unless
	// serving, the number of Serves under way, is not 0.
	protocol Protocol
	serve    sync.Mutex // held while the event loop looks at such a network
	serving  int
	wake     func() // poller.Wake
	pollFast func(spins bool) (some bool, err error)
	epoch    time.Time

	token token
	// threads: goroutines that wait are locked to threads, and sleepers are those that do not drive.
	threads  bool
	sleepers sleepers
	// looking is held by the goroutine that looks at the network again and again: the one that has the token, unless it waits in
	// the Poller, or else another one (see beside.go). It is only tried, and guards what spins says about that one.
	looking sync.Mutex
	spins   spin.Policy

	// others counts waits that have found the token taken: those of other goroutines than the driver.
	others atomic.Uint64

	// A goroutine that has the token is a driver. turns counts what drivers have done, blocked says
	// that one has stopped to spin: in both cases the event loop keeps away. asleep: the event loop
	// does not look at them any more, and handover tells it that there is no driver. parked: the
	// driver is in the Poller right now.
	turns    atomic.Uint64
	blocked  atomic.Bool
	parked   atomic.Bool
	asleep   atomic.Bool
	handover chan struct{}

	// driven is for how long there have been drivers, and since is when the present one began.
	// seenDriven is what the event loop knew of that at seenAt.
	driven, since atomic.Int64 // nanoseconds, the second since the epoch
	// looked is for how long calls have looked beside a driver, beside for how long they have blocked there, and slept is for how
	// long drivers have, in nanoseconds: see Waited and Blocked.
	looked, beside, slept atomic.Int64
	// waits is nil unless it is counted.
	waits              *waits
	seenDriven, seenAt time.Duration
	// expected: peers may need this process at any time, see rpi.Transport.Expect.
	expected atomic.Int32

	// pollsForWaiter: a call of Advance polls for a goroutine that waits.
	pollsForWaiter atomic.Bool
	// wholeAt is when one looked at the whole network: that of the token's owner.
	wholeAt time.Duration

	burst burst
	// immediate says for each rank whether messages to it do not wait for others.
	immediate []atomic.Bool
	// held: messages wait for others. waiting: the event loop is in the Poller. lazy: it keeps away
	// for long, which hurry ends.
	held, waiting, lazy atomic.Bool
	hurry               chan struct{}
}

// New returns a Driver of a network, with the Progress, Spin and Oversubscribed of cfg.
func New(network Network, cfg rpi.Config) (*Driver, error) {
	poller, err := NewPoller(network)
	if err != nil {
		return nil, err
	}
	epoch := time.Now()
	d := &Driver{
		network: network, poller: poller, wake: poller.Wake, mode: cfg.Progress, then: cfg.Continuations, epoch: epoch,
		spins: spin.New(cfg, epoch), immediate: make([]atomic.Bool, cfg.Size),
		token: newToken(), handover: make(chan struct{}, 1), hurry: make(chan struct{}, 1),
	}
	if p, ok := network.(Protocol); ok && cfg.Progress == rpi.Inline {
		d.protocol = p
	}
	cfg.Continuations.Wake(d.wakeBlocked)
	if f, ok := network.(FastPoller); ok {
		d.pollFast = f.PollFast
	} else {
		d.pollFast = func(bool) (bool, error) { return network.Poll() }
	}
	if n, ok := network.(Neighbours); ok {
		d.spins.Beside = n.Beside
	}
	if cfg.Statistics {
		d.waits = new(waits)
	}
	if d.threads = cfg.Threads; d.threads {
		poller.threads = true
	}
	d.since.Store(notDriving)
	d.wholeAt = -wholePause
	d.burst.last.Store(-int64(burstGap))
	if d.mode == rpi.Event {
		d.token.try() // the event loop has it, for ever
	}
	return d, nil
}

// Wake has the goroutine return that waits for the network, or the next that does: the network calls
// it, see Resting.
func (d *Driver) Wake() { d.poller.Wake() }

// Doorbell is by what a process of this host wakes this one: see Poller.Doorbell.
func (d *Driver) Doorbell() int { return d.poller.Doorbell() }

// Waited is how long calls have waited, and looked for what they wait for: the sum over the goroutines that did. It does not
// have the waits that go on, nor those that found at once what they wanted.
func (d *Driver) Waited() time.Duration {
	return time.Duration(d.driven.Load() + d.looked.Load() + d.beside.Load())
}

// Blocked is for how long calls that waited had given up their processor, until they had one again. In the rest of Waited they
// looked, or were about to.
func (d *Driver) Blocked() time.Duration { return time.Duration(d.slept.Load() + d.beside.Load()) }

// waitedSince adds the time since then, when a goroutine blocked beside the driver.
func (d *Driver) waitedSince(then time.Time) { d.beside.Add(int64(time.Since(then))) }

// SystemCalls is how many system calls goroutines have made to wait.
func (d *Driver) SystemCalls() uint64 { return d.poller.SystemCalls() }

// Close ends all waits for the network, for ever. When it returns no goroutine uses the network's
// descriptor.
func (d *Driver) Close() { d.poller.Close() }

// Await waits until w is signalled or ctx ends, and returns the cause. Meanwhile it runs what may run only in calls of the
// program, whether or not this goroutine drives.
func (d *Driver) Await(ctx context.Context, w *rpi.Waiter) error {
	for {
		select {
		case <-w.C:
			return nil
		default:
		}
		if d.token.try() {
			return d.drive(ctx, w, 0)
		}
		d.others.Add(1)
		if d.threads {
			return d.awaitOnThread(ctx, w)
		}
		if d.lookBeside(ctx, w) {
			return nil
		}
		w.Blocks(ctx)
		if done, err := d.awaitBeside(ctx, w); done {
			return err
		}
	}
}

// awaitBeside is Await for a goroutine that has found the token taken. It is not done if it has run what is to run in a call.
func (d *Driver) awaitBeside(ctx context.Context, w *rpi.Waiter) (done bool, err error) {
	handed, drives := d.token.wait()
	if drives {
		return true, d.drive(ctx, w, 0)
	}
	begun := time.Now()
	select {
	case <-w.C:
		d.token.done()
		d.blockedBeside(w, begun)
		return true, nil
	case <-ctx.Done():
		d.token.done()
		d.waitedSince(begun)
		return true, context.Cause(ctx)
	case <-handed:
		d.token.done()
		d.waitedSince(begun)
		return true, d.drive(ctx, w, 0)
	case <-d.then.Wanted():
		d.token.done()
		d.waitedSince(begun)
		d.then.Enter()
		d.then.Leave(true)
		return false, nil
	}
}

// wakeBlocked wakes the driver that waits in the network, or a thread that sleeps, if there is one: it runs what may run only in
// calls. Goroutines that wait hear of it by themselves.
func (d *Driver) wakeBlocked() {
	if d.blocked.Load() {
		d.poller.Wake()
	}
	d.sleepers.wakeOne()
}
