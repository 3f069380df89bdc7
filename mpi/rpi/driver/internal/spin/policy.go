// Package spin decides how long a goroutine that waits for messages keeps its processor before it blocks, and how often it lets
// others have the processor meanwhile. It looks at no network and wakes nobody: the driver asks it before and after each look.
//
// A wait spins for as long as waits of its kind have been worth it lately: budget. Three observations correct that. Other programs want
// the processors: contention, or lostSlices where ranks share processors. The peer has the same processor, though there are others: crowding.
package spin

import (
	"runtime"
	"sync/atomic"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Policy is what a process has learnt of its waits, and the wait that spins now. Share, FoundNothing, NothingCame and
// LetOthersRun may be called at any time, other methods by one goroutine at a time. Use New. Times are since the epoch.
//
// A wait that spins goes so:
//
//	p.Begin(now, p.Limit(kind, now))
//	for turn := 1; ; turn++ {
//		// Look at the network.
//		// Return if the wait is over.
//		if !p.Again(turn, some, ours) {
//			break // and block
//		}
//	}
type Policy struct {
	epoch time.Time
	// budgets are those of the kinds of waits, and arrivals is the one of a wait for more of what has begun to arrive.
	budgets  [2]budget
	arrivals budget

	contention contention
	slices     lostSlices
	crowding   crowding

	// The wait that spins: for how long, after arrived. That is when something last arrived for it, or when it began.
	// seen is when the clock was looked at last, where ranks share processors.
	limit, arrived, seen time.Duration
	lost                 bool   // a time slice, by the last yield
	wants                wanted // the processor

	// YieldProcessor is Yield, but in tests.
	YieldProcessor func()
	// Beside reports whether a peer has the processor of the caller: see driver.Neighbours. Nil: no memory is shared.
	Beside func() (beside, known bool)
	// After yieldEvery looks a goroutine that spins lets other processes have the processor, and
	// after goschedEvery other goroutines.
	yieldEvery, goschedEvery int
	threads                  bool // goroutines that wait are locked to threads
	oversubscribed           bool // ranks share processors
	// shares: a peer has a processor of this host, and shares memory with this process.
	shares atomic.Bool
	probes atomic.Uint32 // that have found nothing, if oversubscribed
	looks  atomic.Uint32 // for nothing: see NothingCame
}

// New returns a Policy with the Spin, Oversubscribed and Threads of cfg. No other program is looked for if callers do not spin anyway, in
// the mode rpi.Event.
func New(cfg rpi.Config, epoch time.Time) Policy {
	b := budget{fixed: cfg.Spin, longest: Longest}
	yieldEvery, goschedEvery := osYield, goYield
	var c contention
	var together crowding
	if cfg.Spin == 0 && !cfg.Oversubscribed && cfg.Progress != rpi.Event {
		c.pressure = systemPressure()
	}
	if cfg.Oversubscribed {
		yieldEvery, b.longest = 1, longestOversubscribed
	} else {
		together.move = move
	}
	if runtime.GOMAXPROCS(0) == 1 {
		goschedEvery = goYieldAlone
	}
	return Policy{
		epoch: epoch, budgets: [2]budget{b, b}, arrivals: b, contention: c, crowding: together,
		YieldProcessor: Yield, yieldEvery: yieldEvery, goschedEvery: goschedEvery, threads: cfg.Threads, oversubscribed: cfg.Oversubscribed,
	}
}

// Share says that memory is shared with a peer, which has a processor of this host.
func (p *Policy) Share() { p.shares.Store(true) }

func (p *Policy) now() time.Duration { return time.Since(p.epoch) }

// Limit returns how long a wait that begins now may spin. If that is not more than 0 it looks just once.
func (p *Policy) Limit(kind rpi.WaitKind, now time.Duration) time.Duration {
	return p.spin(&p.budgets[kind], now)
}

// spin returns how long to spin: not at all while others want the processors, unless a time was asked for.
func (p *Policy) spin(b *budget, now time.Duration) time.Duration {
	if b.fixed == 0 && p.contention.backsOff(now) {
		return 0
	}
	return b.spin()
}

// Begin begins a wait that spins for limit.
func (p *Policy) Begin(now, limit time.Duration) {
	p.arrived, p.seen, p.limit, p.lost, p.wants = now, now, limit, false, unasked
	if limit > 0 {
		p.slices.wait()
	}
}

// Resume lets a wait that has blocked look again: once, unless something arrives.
func (p *Policy) Resume() { p.limit, p.lost = 0, false }

// Again reports whether the wait looks once more after its look number turn, which has found something or not. If it does it may have
// let other processes have the processor before.
//
// Once something has arrived the limit is what is learnt from arrivals: where more follows soon, as in a long message, to be woken for
// each piece would take longer than the piece. What is not ours, but may be another goroutine's, makes the wait no longer.
func (p *Policy) Again(turn int, some, ours bool) bool {
	switch {
	case some && ours && !p.arrivals.never():
		now := p.now()
		p.arrivals.learn(now - p.arrived)
		p.arrived, p.seen, p.limit = now, now, p.spin(&p.arrivals, now)
	case some:
	case p.limit <= 0:
		return false
	}
	if p.limit <= 0 {
		return true
	}
	if (p.lost || turn%clockEvery == 0) && p.now()-p.arrived >= p.limit {
		return false
	}
	if !some && turn%p.yieldEvery == 0 && !p.keeps() {
		p.yield()
	}
	return true
}

// Learn learns from how long a wait took that has ended well now. Part of it may have been blocked.
func (p *Policy) Learn(kind rpi.WaitKind, now, wait time.Duration) {
	p.budgets[kind].learn(wait)
	p.contention.learn(now, wait)
}

// LearnSpun learns from a wait that did nothing but spin.
func (p *Policy) LearnSpun(kind rpi.WaitKind, wait time.Duration) { p.budgets[kind].learn(wait) }
