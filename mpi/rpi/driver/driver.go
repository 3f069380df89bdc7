// Package driver decides which goroutine of a process takes messages from the network. It is for
// transports, not for programs. It also decides how long a goroutine that waits keeps its processor
// before it lets another have it. It has the only place where goroutines wait for the network, the
// Poller.
//
// A goroutine that waits for an operation asks for the token. The one that has it drives: it looks
// at the network itself, first again and again (see budget), then it waits in the Poller. So a
// packet wakes the goroutine that needs it. When none drives the event loop does, unless the mode
// is rpi.Inline. Then the event loop only keeps the protocol going, see Protocol.
package driver

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
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

	token chan struct{} // has a value while no goroutine drives
	// threads: goroutines that wait are locked to threads, and sleepers are those that do not drive.
	threads  bool
	sleepers sleepers
	// looking is held by the goroutine that looks at the network again and again: the one that has the token, unless it waits in
	// the Poller, or else another one (see beside.go). It is only tried, and guards what follows, up to crowding: budgets are those of
	// receives and of sends, and arrivals is the one of a wait for more of what has begun to arrive. arrived is when something last
	// arrived, or when the wait began.
	looking    sync.Mutex
	budgets    [2]budget
	arrivals   budget
	arrived    time.Duration
	contention contention
	crowding   crowding
	// After yieldEvery looks a goroutine that spins lets other processes have the processor, and
	// after goschedEvery other goroutines.
	yieldEvery, goschedEvery int
	oversubscribed           bool // ranks share processors

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
	// beside is for how long calls have waited beside a driver, in nanoseconds: see Waited.
	beside             atomic.Int64
	seenDriven, seenAt time.Duration
	// expected: peers may need this process at any time, see rpi.Transport.Expect.
	expected atomic.Int32

	// looks counts calls of Advance that found nothing. pollsForWaiter: one of them polls for a
	// goroutine that waits.
	looks          atomic.Uint32
	probes         atomic.Uint32 // that have found nothing, if oversubscribed
	afterProbes    func()        // yield, but in tests
	pollsForWaiter atomic.Bool
	// wholeAt is when one looked at the whole network: that of the token's owner.
	wholeAt time.Duration

	burst burst
	// immediate says for each rank whether messages to it do not wait for others.
	immediate []atomic.Bool
	// shares: there is such a peer, which has a processor of this host.
	shares atomic.Bool
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
	d := &Driver{
		network: network, poller: poller, wake: poller.Wake, mode: cfg.Progress, then: cfg.Continuations, epoch: time.Now(),
		immediate:  make([]atomic.Bool, cfg.Size),
		yieldEvery: osYield, goschedEvery: goYield, oversubscribed: cfg.Oversubscribed, afterProbes: yield,
		token: make(chan struct{}, 1), handover: make(chan struct{}, 1), hurry: make(chan struct{}, 1),
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
	b := budget{fixed: cfg.Spin, longest: longest}
	if cfg.Spin == 0 && !cfg.Oversubscribed && cfg.Progress != rpi.Event {
		d.contention.pressure = systemPressure()
	}
	if !cfg.Oversubscribed {
		d.crowding.move, d.crowding.switches = move, switches
	}
	if cfg.Oversubscribed {
		d.yieldEvery, b.longest = 1, longestOversubscribed
	}
	if runtime.GOMAXPROCS(0) == 1 {
		d.goschedEvery = goYieldAlone
	}
	if d.threads = cfg.Threads; d.threads {
		poller.threads = true
	}
	d.budgets, d.arrivals = [2]budget{b, b}, b
	d.since.Store(notDriving)
	d.wholeAt = -wholePause
	d.burst.last.Store(-int64(burstGap))
	d.token <- struct{}{}
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
	return time.Duration(d.driven.Load() + d.beside.Load())
}

// waitedSince adds the time since then, when a goroutine began to wait beside the driver.
func (d *Driver) waitedSince(then time.Time) { d.beside.Add(int64(time.Since(then))) }

// SystemCalls is how many system calls goroutines have made to wait.
func (d *Driver) SystemCalls() uint64 { return d.poller.SystemCalls() }

// Close ends all waits for the network, for ever. When it returns no goroutine uses the network's
// descriptor.
func (d *Driver) Close() { d.poller.Close() }

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

// Await waits until w is signalled or ctx ends, and returns the cause. Meanwhile it runs what may run only in calls of the
// program, whether or not this goroutine drives.
func (d *Driver) Await(ctx context.Context, w *rpi.Waiter) error {
	var token chan struct{}
	if d.mode != rpi.Event {
		token = d.token
	}
	for {
		select {
		case <-w.C:
			return nil
		default:
		}
		select { // which costs a third of the other
		case <-token:
			return d.drive(ctx, w)
		default:
		}
		d.others.Add(1)
		if d.threads {
			return d.awaitOnThread(ctx, w, token)
		}
		if d.lookBeside(ctx, w) {
			return nil
		}
		w.Blocks(ctx)
		begun := time.Now()
		select {
		case <-w.C:
			d.blockedBeside(w, begun)
			return nil
		case <-ctx.Done():
			d.waitedSince(begun)
			return context.Cause(ctx)
		case <-token:
			d.waitedSince(begun)
			return d.drive(ctx, w)
		case <-d.then.Wanted():
			d.waitedSince(begun)
			d.then.Enter()
			d.then.Leave(true)
		}
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

// drive takes messages from the network until w is signalled or ctx ends. It gives the token back.
func (d *Driver) drive(ctx context.Context, w *rpi.Waiter) error {
	defer d.giveToken()
	d.then.Enter()
	defer d.then.Leave(true)
	d.turns.Add(1)
	looks := d.looking.TryLock()
	if looks && d.lookOnce(w) {
		d.looking.Unlock()
		return nil
	}
	begun := time.Since(d.epoch)
	d.since.Store(int64(begun))
	defer d.since.Store(notDriving)
	var done bool
	var err error
	if looks {
		d.arrived = begun
		done, err = d.look(ctx, w, d.spin(&d.budgets[w.Kind()], begun)) // at least once: to block takes several times as long
		d.looking.Unlock()
	}
	if err == nil && !done {
		err = d.block(ctx, w)
	}
	wait := time.Since(d.epoch) - begun
	d.driven.Add(int64(wait))
	switch {
	case err == nil:
		d.learnFrom(w, begun, wait)
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	}
	// The network is closed, and all operations are completed by the goroutine that has closed it. That one, or a new one, runs
	// what follows.
	d.then.Leave(true)
	defer d.then.Enter()
	select {
	case <-w.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// lookOnce takes in what is there, or comes at once, without a look at the clock, and reports whether w is signalled by that.
func (d *Driver) lookOnce(w *rpi.Waiter) bool {
	d.release()
	_, err := d.pollFast(true)
	d.then.Run(true)
	if err != nil || len(w.C) == 0 {
		return false
	}
	<-w.C
	return true
}

// learnFrom learns from how long a wait took that has ended well.
func (d *Driver) learnFrom(w *rpi.Waiter, begun, wait time.Duration) {
	if d.looking.TryLock() {
		d.budgets[w.Kind()].learn(wait)
		d.contention.learn(begun+wait, wait)
		d.looking.Unlock()
	}
}

// After so many turns a goroutine that spins lets other processes have the processor, as the peer
// may wait for that, and other goroutines of this process. Where ranks share processors the peer
// surely waits for it, and to switch to the peer costs less than to wake it.
//
// Where Go has a processor to spare other goroutines have that one. To yield to them would wake a
// thread that looks for work in vain, on the peer's processor. So a goroutine does not yield to
// others within the time that a short message takes. But Go's scheduler interrupts one that never
// does.
const (
	osYield      = 4
	goYield      = 32
	goYieldAlone = 16
	// clockEvery is after how many turns the time is looked at, which takes a tenth of one.
	clockEvery = 4
)

// look looks at the network until w is signalled, or nothing has arrived for limit. Once
// something has, the limit is what is learnt from arrivals: where more follows soon, as in a
// long message, to be woken for each piece would take longer than the piece. What arrives after
// another goroutine has begun to wait is taken for that one's: it makes this one look no longer.
func (d *Driver) look(ctx context.Context, w *rpi.Waiter, limit time.Duration) (done bool, err error) {
	var yielded time.Duration // by the last turn
	others := d.others.Load()
	for turn := 1; ; turn++ {
		d.turns.Add(1)
		d.release()
		some, err := d.pollFast(true)
		d.then.Run(true)
		if err != nil {
			return false, err
		}
		if yielded > 0 {
			d.crowding.learn(time.Since(d.epoch), yielded, some)
			yielded = 0
		}
		select {
		case <-w.C:
			return true, nil
		default:
		}
		before := others
		if some {
			others = d.others.Load()
		}
		switch {
		case some && !d.arrivals.never() && others == before:
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
			yielded = d.yield()
		}
		if turn%d.goschedEvery == 0 {
			if ctx.Err() != nil {
				return false, ctx.Err()
			}
			d.letOthersRun()
		}
	}
}

// letOthersRun lets other goroutines run. One that is locked to a thread would leave its processor to another thread, and have
// to be given it back: where there are others it does without.
func (d *Driver) letOthersRun() {
	if !d.threads || d.goschedEvery == goYieldAlone {
		runtime.Gosched()
	}
}

// spin returns how long to spin: not at all while others want the processors.
func (d *Driver) spin(b *budget, now time.Duration) time.Duration {
	if d.contention.backsOff(now) {
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
		if done, err := d.lookAgain(ctx, w); done || err != nil {
			return errors.Join(err, ctx.Err())
		}
	}
}

// lookAgain looks at the network once more, and longer if something arrives. If another goroutine looks already, that one takes in what
// has come.
func (d *Driver) lookAgain(ctx context.Context, w *rpi.Waiter) (done bool, err error) {
	if d.looking.TryLock() {
		defer d.looking.Unlock()
		return d.look(ctx, w, 0)
	}
	select {
	case <-w.C:
		return true, nil
	default:
		return false, nil
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
	d.then.Leave(true)
	defer d.then.Enter()
	if len(w.C) > 0 {
		return nil
	}
	d.release()
	d.parked.Store(true)
	defer d.parked.Store(false)
	return d.poller.Wait(context.Background(), true, true)
}
