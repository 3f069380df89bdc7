package driver

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// fake is a network without a descriptor, from which functions come, which Poll calls.
type fake struct {
	mu      sync.Mutex
	changed *sync.Cond
	driver  *Driver
	arrived []func()
	holding bool // messages wait for others, until Release
	deaf    bool // what arrives wakes no goroutine, as where Go's network poller is not asked
	closed  bool
	rests   int // goroutines that rest
}

// drive returns a fake network with its driver.
func drive(t testing.TB, cfg rpi.Config) (*fake, *Driver) {
	f := new(fake)
	f.changed = sync.NewCond(&f.mu)
	f.driver = newDriver(t, f, cfg)
	return f, f.driver
}

func newDriver(t testing.TB, n Network, cfg rpi.Config) *Driver {
	d, err := New(n, cfg)
	require.NoError(t, err)
	t.Cleanup(d.Close)
	return d
}

// send makes something arrive.
func (f *fake) send(what func()) {
	f.change(func() { f.arrived = append(f.arrived, what) })
	if !f.deaf {
		f.driver.Wake()
	}
}

func (f *fake) close() {
	f.change(func() { f.closed = true })
	f.driver.Close()
}

func (f *fake) change(how func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	how()
	f.changed.Broadcast()
}

var errClosed = errors.New("closed")

func (f *fake) Poll() (bool, error) {
	var arrived []func()
	var err error
	f.change(func() {
		arrived, f.arrived = f.arrived, nil
		if f.closed {
			err = errClosed
		}
	})
	for _, what := range arrived {
		what()
	}
	return len(arrived) > 0, err
}

func (f *fake) Release() { f.change(func() { f.holding = false }) }

func (f *fake) Descriptor() int { return -1 }

func (f *fake) Rest(bool) (deadline time.Time, ready bool) {
	f.change(func() {
		f.rests++
		ready = f.closed || !f.deaf && len(f.arrived) > 0
	})
	return deadline, ready
}

func (f *fake) Resume() { f.change(func() { f.rests-- }) }

// untilRests returns when a goroutine rests.
func (f *fake) untilRests() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for f.rests == 0 {
		f.changed.Wait()
	}
}

const (
	never   = -1
	forEver = time.Hour
)

// forEach runs a test in some modes, with waits that spin and that do not, of goroutines and of threads.
func forEach(t *testing.T, test func(t *testing.T, f *fake, d *Driver), modes ...rpi.Progress) {
	for _, mode := range modes {
		for name, spin := range map[string]time.Duration{"spinning": forEver, "blocking": never, "as measured": 0} {
			for _, threads := range []bool{false, true} {
				t.Run(fmt.Sprintf("%v, %s, threads %v", mode, name, threads), func(t *testing.T) {
					f, d := drive(t, rpi.Config{Progress: mode, Spin: spin, Threads: threads})
					var loop sync.WaitGroup
					if mode != rpi.Inline {
						loop.Go(func() { d.Loop(t.Context()) })
					}
					test(t, f, d)
					f.close()
					loop.Wait()
				})
			}
		}
	}
}

func TestAwaitReturnsWhenWhatItWaitsForArrives(t *testing.T) {
	forEach(t, func(t *testing.T, f *fake, d *Driver) {
		w := rpi.NewWaiter()
		for range 100 {
			go f.send(w.Signal)
			require.NoError(t, d.Await(t.Context(), w))
		}
	}, rpi.Hybrid, rpi.Event, rpi.Inline)
}

func TestAwaitRequestReturnsWhenItHasCompleted(t *testing.T) {
	forEach(t, func(t *testing.T, f *fake, d *Driver) {
		for range 100 {
			r := new(rpi.Request)
			go f.send(func() { r.Complete(nil) })
			require.NoError(t, d.AwaitRequest(t.Context(), r, nil))
			require.True(t, r.Completed())
		}
	}, rpi.Hybrid, rpi.Event, rpi.Inline)
}

// Several goroutines wait for requests. The token passes from one to another, and is there in the end.
func TestAllRequestsAreAwaited(t *testing.T) {
	forEach(t, func(t *testing.T, f *fake, d *Driver) {
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				for range 20 {
					r := new(rpi.Request)
					go f.send(func() { r.Complete(nil) })
					if err := d.AwaitRequest(t.Context(), r, nil); err != nil {
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
		require.Equal(t, d.mode != rpi.Event, d.token.free())
	}, rpi.Hybrid, rpi.Event, rpi.Inline)
}

func TestANudgeHasStopAskedAgain(t *testing.T) {
	forEach(t, func(t *testing.T, _ *fake, d *Driver) {
		r, reason := new(rpi.Request), errors.New("it cannot complete")
		asked := 0
		stop := func(*rpi.Request) error {
			if asked++; asked == 1 {
				go r.Nudge()
				return nil
			}
			return reason
		}
		go r.Nudge()
		require.Equal(t, reason, d.AwaitRequest(t.Context(), r, stop))
		r.Complete(nil)
		require.NoError(t, d.AwaitRequest(t.Context(), r, stop))
		require.Equal(t, d.mode != rpi.Event, d.token.free())
	}, rpi.Hybrid, rpi.Event, rpi.Inline)
}

// A function of the program that panics in a wait leaves the token to others.
func TestAPanicInAWaitLosesNothing(t *testing.T) {
	f, d := drive(t, rpi.Config{Progress: rpi.Inline, Spin: forEver})
	f.send(func() { panic("of the program") })
	require.PanicsWithValue(t, "of the program", func() { _ = d.AwaitRequest(t.Context(), new(rpi.Request), nil) })
	r := new(rpi.Request)
	f.send(func() { r.Complete(nil) })
	require.NoError(t, d.AwaitRequest(t.Context(), r, nil))
}

func TestTheContextEndsAWaitForARequest(t *testing.T) {
	forEach(t, func(t *testing.T, _ *fake, d *Driver) {
		ctx, cancel := context.WithCancelCause(t.Context())
		reason := errors.New("reason")
		go cancel(reason)
		require.ErrorIs(t, d.AwaitRequest(ctx, new(rpi.Request), nil), reason)
	}, rpi.Hybrid, rpi.Event, rpi.Inline)
}

func TestAllWaitersGetWhatTheyWaitFor(t *testing.T) {
	forEach(t, func(t *testing.T, f *fake, d *Driver) {
		const waiters = 8
		signals := make(chan *rpi.Waiter, waiters)
		var all sync.WaitGroup
		for range waiters {
			all.Go(func() {
				w := rpi.NewWaiter()
				for range 50 {
					signals <- w
					if d.Await(t.Context(), w) != nil {
						t.Error("Await failed")
					}
				}
			})
		}
		all.Go(func() {
			for range 50 * waiters {
				f.send((<-signals).Signal)
			}
		})
		all.Wait()
	}, rpi.Hybrid, rpi.Event, rpi.Inline)
}

// Not all that ends a wait comes from the network: another goroutine may cancel.
func TestASignalFromElsewhereEndsAWait(t *testing.T) {
	forEach(t, func(t *testing.T, f *fake, d *Driver) {
		w := rpi.NewWaiter()
		for range 100 {
			go w.Signal()
			require.NoError(t, d.Await(t.Context(), w))
		}
	}, rpi.Hybrid, rpi.Event, rpi.Inline)
}

// signals is something that may run only in calls of the program, after which w is signalled.
type signals struct{ w *rpi.Waiter }

func (s signals) Run(bool) { s.w.Signal() }

func TestAWaitRunsWhatMayRunOnlyInCalls(t *testing.T) {
	for _, mode := range []rpi.Progress{rpi.Hybrid, rpi.Event, rpi.Inline} {
		for _, threads := range []bool{false, true} {
			t.Run(fmt.Sprintf("%v, threads %v", mode, threads), func(t *testing.T) {
				then := rpi.NewContinuations()
				f, d := drive(t, rpi.Config{Progress: mode, Continuations: then, Threads: threads})
				for range 100 {
					w := rpi.NewWaiter()
					then.AddInCall(signals{w}) // it waits for the call
					require.NoError(t, d.Await(t.Context(), w))
					if mode != rpi.Event {
						go func() {
							f.untilRests()
							then.AddInCall(signals{w}) // the call has begun, and waits in the network
						}()
						require.NoError(t, d.Await(t.Context(), w))
					}
					go then.AddInCall(signals{w})
					require.NoError(t, d.Await(t.Context(), w))
					w.Release()
				}
			})
		}
	}
}

// A thread that sleeps wakes for what is to run in a call, though it does not drive.
func TestASleepingThreadRunsWhatMayRunOnlyInCalls(t *testing.T) {
	then := rpi.NewContinuations()
	_, d := drive(t, rpi.Config{Progress: rpi.Event, Continuations: then, Threads: true})
	for range 100 {
		w := rpi.NewWaiter()
		go func() {
			for d.sleepers.some.Load() == 0 {
				runtime.Gosched()
			}
			then.AddInCall(signals{w})
		}()
		require.NoError(t, d.Await(t.Context(), w))
		w.Release()
	}
}

func TestTheContextEndsAWait(t *testing.T) {
	forEach(t, func(t *testing.T, f *fake, d *Driver) {
		reason := errors.New("enough")
		ctx, cancel := context.WithCancelCause(t.Context())
		go cancel(reason)
		require.ErrorIs(t, d.Await(ctx, rpi.NewWaiter()), reason)
		w := rpi.NewWaiter()
		go f.send(w.Signal)
		require.NoError(t, d.Await(t.Context(), w), "the next is as before")
	}, rpi.Hybrid, rpi.Event, rpi.Inline)
}

// The goroutine that closes the network completes all requests.
func TestAWaitOutlivesTheNetwork(t *testing.T) {
	forEach(t, func(t *testing.T, f *fake, d *Driver) {
		w := rpi.NewWaiter()
		done := make(chan error)
		go func() { done <- d.Await(t.Context(), w) }()
		f.close()
		w.Signal()
		require.NoError(t, <-done)
	}, rpi.Hybrid, rpi.Event, rpi.Inline)
}

func TestProgressIsStrictUnlessInline(t *testing.T) {
	forEach(t, func(t *testing.T, f *fake, d *Driver) {
		w := rpi.NewWaiter()
		for range 3 {
			go f.send(w.Signal)
			require.NoError(t, d.Await(t.Context(), w))
			arrived := make(chan struct{})
			f.send(func() { close(arrived) })
			<-arrived // though no call waits
		}
	}, rpi.Hybrid, rpi.Event)
}

func TestInlineMovesMessagesInsideCallsOnly(t *testing.T) {
	f, d := drive(t, rpi.Config{Progress: rpi.Inline})
	moved := 0
	f.send(func() { moved++ })
	require.Zero(t, moved)
	d.Advance()
	require.Equal(t, 1, moved)

	stop := d.Serve() // as the closing of a transport does
	arrived := make(chan struct{})
	f.send(func() { close(arrived) })
	<-arrived
	stop()
	f.send(func() { moved++ })
	require.Equal(t, 1, moved)
}

// A goroutine that blocks does so where a packet wakes it.
func TestBlockingWaitsForTheNetwork(t *testing.T) {
	f, d := drive(t, rpi.Config{Progress: rpi.Inline, Spin: never})
	w := rpi.NewWaiter()
	done := make(chan error)
	go func() { done <- d.Await(t.Context(), w) }()
	f.untilRests()
	f.send(w.Signal)
	require.NoError(t, <-done)
}

// untilReleased returns when nothing waits any more.
func (f *fake) untilReleased() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for f.holding {
		f.changed.Wait()
	}
}

// A message that waits for others is sent soon, whichever goroutine waits for the network, or none.
func TestWhatIsHeldIsReleasedByAnyGoroutineThatWaits(t *testing.T) {
	for name, spin := range map[string]time.Duration{"spinning": forEver, "blocking": never} {
		for _, waits := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, %v", name, waits), func(t *testing.T) {
				f, d := drive(t, rpi.Config{Spin: spin})
				w := rpi.NewWaiter()
				var others sync.WaitGroup
				others.Go(func() { d.Loop(t.Context()) })
				if waits {
					others.Go(func() { _ = d.Await(t.Context(), w) })
				}
				for range 100 {
					f.change(func() { f.holding = true })
					d.hold()
					f.untilReleased()
				}
				w.Signal()
				f.close()
				others.Wait()
			})
		}
	}
}

func TestShortMessagesOneAfterTheOtherAreABurst(t *testing.T) {
	start := func(d *Driver, r *rpi.Request) bool {
		more := d.Begin(r)
		d.End(r, more)
		return more
	}
	short, long := &rpi.Request{Op: rpi.OpSend}, &rpi.Request{Op: rpi.OpSend, Buf: make([]byte, shortMessage+1)}

	_, d := drive(t, rpi.Config{})
	require.False(t, start(d, short), "the first")
	noTimePasses(d)
	require.True(t, start(d, short), "one soon after it")
	require.False(t, start(d, long))
	require.False(t, start(d, &rpi.Request{Op: rpi.OpRecv}))
	noTimePasses(d)
	require.True(t, start(d, short), "others between them do not end the burst")
	d.burst.last.Store(int64(time.Since(d.epoch) - burstGap))
	require.False(t, start(d, short), "one later")

	_, event := drive(t, rpi.Config{Progress: rpi.Event})
	require.False(t, start(event, short))
	noTimePasses(event)
	require.False(t, start(event, short), "callers do not look at the network themselves")
}

// noTimePasses until the next message is started, as far as bursts are concerned.
func noTimePasses(d *Driver) { d.burst.last.Store(math.MaxInt64) }

// A message without a request is not one that should share a packet with others.
func TestALoneMessageIsNotOfABurst(t *testing.T) {
	_, d := drive(t, rpi.Config{Size: 2})
	lone := func(m rpi.Short) bool {
		counted, lone := d.Lone(m)
		if counted {
			d.Left(m)
		}
		return lone
	}
	require.True(t, lone(rpi.Short{Peer: 1}))
	noTimePasses(d)
	require.False(t, lone(rpi.Short{Peer: 1}), "one soon after it")
	d.burst.last.Store(int64(time.Since(d.epoch) - burstGap))
	require.False(t, lone(rpi.Short{Peer: 1, Others: true}), "others may follow")
	require.True(t, lone(rpi.Short{Peer: 1, Others: true, Buf: make([]byte, shortMessage+1)}), "a long one shares none")
	d.SetImmediate(1)
	require.True(t, lone(rpi.Short{Peer: 1, Others: true}), "nothing is saved by sharing")
}

func TestSoManyMessagesOfABurstLeaveTogether(t *testing.T) {
	_, d := drive(t, rpi.Config{})
	r := &rpi.Request{Op: rpi.OpSend}
	for n := 1; n <= 3*batch; n++ {
		more := d.Begin(r)
		require.Equal(t, n > 1 && n%batch != 0, more, n)
		noTimePasses(d)
	}
}

// The first message of a burst waits for the others where there have been long ones only.
func TestAfterLongBurstsTheFirstMessageIsHeldToo(t *testing.T) {
	_, d := drive(t, rpi.Config{})
	r := &rpi.Request{Op: rpi.OpSend}
	first := func(messages uint32) bool {
		d.burst.last.Store(-int64(burstGap)) // a while has passed
		more := d.Begin(r)
		d.burst.length.Store(messages)
		return more
	}
	require.False(t, first(longBurst))
	for range habit - 1 {
		require.False(t, first(longBurst))
	}
	require.True(t, first(longBurst))
	require.True(t, first(longBurst-1))
	require.False(t, first(longBurst), "behind a short one")
}

// The event loop keeps away for long only from callers that mostly wait: a message that comes
// while a program computes shall not lie about.
func TestThePauseGrowsWhileThereAreDriversForMostOfTheTime(t *testing.T) {
	_, d := drive(t, rpi.Config{})
	d.since.Store(0) // a goroutine has been driving since the epoch
	pause := shortestPause
	for range 100 {
		next := d.nextPause(pause)
		require.GreaterOrEqual(t, next, pause)
		require.LessOrEqual(t, next, pause+pause/8)
		pause = next
	}
	require.Equal(t, longestPause, pause)
	d.expected.Add(1)
	require.Equal(t, shortestPause, d.nextPause(pause), "peers may need the process at any time")
	d.expected.Add(-1)
	require.Greater(t, d.nextPause(pause), shortestPause)
	d.since.Store(notDriving)
	require.Equal(t, shortestPause, d.nextPause(pause))
}

// fastPolling is a network that counts polls of both kinds.
type fastPolling struct {
	fake
	fast, polls int
}

func (g *fastPolling) PollFast(bool) (bool, error) { g.fast++; return g.fake.Poll() }
func (g *fastPolling) Poll() (bool, error)         { g.polls++; return g.fake.Poll() }

// A goroutine that looks just once looks everywhere, and so does one that looks again and again, after a while.
func TestOnlyAGoroutineThatLooksAgainAndAgainPollFasts(t *testing.T) {
	g := new(fastPolling)
	g.changed = sync.NewCond(&g.mu)
	g.driver = newDriver(t, g, rpi.Config{Progress: rpi.Inline, Spin: forEver})
	d := g.driver
	d.Advance()
	require.Equal(t, 1, g.polls)
	require.Zero(t, g.fast)
	w := rpi.NewWaiter()
	defer w.Release()
	g.send(w.Signal)
	require.NoError(t, d.Await(t.Context(), w))
	require.Equal(t, 1, g.polls)
	require.Equal(t, 1, g.fast)
	d.wholeAt = time.Since(d.epoch) + time.Hour // just now
	d.Advance()
	require.Equal(t, 1, g.polls)
	require.Equal(t, 2, g.fast)
	d.wholeAt = time.Since(d.epoch) - wholePause
	d.Advance()
	require.Equal(t, 2, g.polls)
	require.Equal(t, 2, g.fast)
}

// protocol is a network whose protocol runs in this process.
type protocol struct {
	fake
	tended int
}

func (p *protocol) Tend() error {
	var err error
	p.change(func() {
		p.tended++
		if p.closed {
			err = errClosed
		}
	})
	return err
}

// While the program computes its peers get acknowledgements, and it gets no messages.
func TestInlineTendsTheProtocolOutsideCalls(t *testing.T) {
	p := new(protocol)
	p.changed = sync.NewCond(&p.mu)
	p.driver = newDriver(t, p, rpi.Config{Progress: rpi.Inline})
	var loop sync.WaitGroup
	loop.Go(func() { p.driver.Loop(t.Context()) })
	delivered := false
	p.change(func() { p.arrived = append(p.arrived, func() { delivered = true }) })
	for n := range 3 {
		p.driver.Wake() // a packet
		p.mu.Lock()
		for p.tended <= n {
			p.changed.Wait()
		}
		p.mu.Unlock()
	}
	require.False(t, delivered)
	p.driver.Advance()
	require.True(t, delivered)

	stop := p.driver.Serve() // as the closing of a transport does
	arrived, taken := make(chan struct{}), false
	p.send(func() {
		close(arrived)
		runtime.Gosched()
		taken = true
	})
	<-arrived
	stop()
	require.True(t, taken, "nothing is taken in after stop")
	p.close()
	loop.Wait()
}
