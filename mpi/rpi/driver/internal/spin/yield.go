package spin

import (
	"runtime"
	"time"
)

// After so many turns a goroutine that spins lets other processes have the processor, as the peer
// may wait for that, and other goroutines of this process. Where ranks share processors the peer
// surely waits for it, and to switch to the peer costs less than to wake it. Where memory is shared
// it is known whether a peer is on the same processor: see keeps.
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

// wanted is what a wait knows of who wants its processor.
type wanted uint8

const (
	unasked  wanted = iota
	byOthers        // at most: no peer that sends lately has it
	byPeer          // perhaps
)

// patience is for how long a wait keeps its processor though no peer is known to want it. One may have been moved to it since it has
// said where it is.
const patience = 20 * time.Microsecond

// keeps reports whether the wait that spins keeps its processor: to yield takes as long as a short message in shared memory.
func (p *Policy) keeps() bool {
	if p.Beside == nil || p.oversubscribed || !p.shares.Load() {
		return false
	}
	if p.wants == unasked {
		beside, known := p.Beside()
		if known {
			p.crowding.learn(p.now(), beside)
		}
		if p.wants = byOthers; beside || !known {
			p.wants = byPeer
		}
	}
	return p.wants == byOthers && p.now()-p.arrived < patience
}

// yield lets another process have the processor. Where ranks share processors it learns from how long that takes.
func (p *Policy) yield() {
	if !p.oversubscribed {
		p.YieldProcessor()
		return
	}
	before := p.seen // a look or two ago
	p.YieldProcessor()
	p.seen = p.now()
	if p.lost = p.seen-before >= slice; p.lost && p.slices.lose() {
		p.contention.backOff(p.seen)
	}
}

// Where ranks share processors, after so many probes that have found nothing other processes may have the processor: one of them
// may be the rank that is to send. So many take some 5 to 10 µs, and a switch 2 µs.
const yieldProbes = 64

// FoundNothing counts a probe that does not wait and has found nothing. Programs that call it again and again do so to wait: HPL, with
// four ranks on two processors, took four times as long when they kept the processor. Programs that test requests compute between
// their calls more often, and lost as much when those yielded: HPC Challenge's RandomAccess.
func (p *Policy) FoundNothing() {
	if p.oversubscribed && p.probes.Add(1)%yieldProbes == 0 {
		p.YieldProcessor()
	}
}

// NothingCame counts a call that has looked once, and for which nothing had come. Every few calls it lets other goroutines run.
func (p *Policy) NothingCame() { p.LetOthersRun(int(p.looks.Add(1))) }

// LetOthersRun lets other goroutines run, if it is time for that after look number turn, and reports whether it is.
func (p *Policy) LetOthersRun(turn int) bool {
	if turn%p.goschedEvery != 0 {
		return false
	}
	p.gosched()
	return true
}

// gosched lets other goroutines run. One that is locked to a thread would leave its processor to another thread, and have
// to be given it back: where there are others it does without.
func (p *Policy) gosched() {
	if !p.threads || p.goschedEvery == goYieldAlone {
		runtime.Gosched()
	}
}
