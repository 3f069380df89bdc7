// Package heartbeat tells a process that lives from one that does not, for the
// TCP transports. TCP cannot: the kernel of a stopped process answers its probes,
// and a receiver that takes no data for a long time looks like a dead one to
// TCP_USER_TIMEOUT.
//
// Each process says something to each peer that it is connected with, at least
// every quarter of rpi.Config.PeerTimeout. A timer does it, so that a process
// that computes and makes no MPI call lives, in every mode of progress. A peer
// that has said nothing for four such intervals is dead. They are counted in
// beats of this process: while it was stopped itself it could hear nothing, and
// that is not the fault of its peers.
//
// What a peer says may lie behind data that this process does not take, because
// its program makes no MPI call. So nothing is concluded while there is
// something to read. The other direction does no harm: a peer that does not read
// what this process says draws no conclusion either.
//
// And it may be lost: after a loss, or while a window is closed, TCP sends again
// only after a time that doubles to two minutes. So a peer that has been silent
// for half of the timeout is asked on a connection of its own, which is closed
// when the answer is there: one for each such peer at a time.
package heartbeat

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"
)

// beats is how many intervals make the time after which a silent peer is dead.
const beats = 4

// Clock is the heartbeat of a process. Its methods may be called from several
// goroutines.
type Clock struct {
	interval time.Duration
	epoch    time.Time
	count    atomic.Uint64
	// last is when it beat, pause the last time that it came much too late, and
	// resumed when that was: nanoseconds since the epoch.
	last, pause, resumed atomic.Int64
}

// NewClock returns the clock of a process whose peers are dead after timeout.
func NewClock(timeout time.Duration) *Clock {
	return &Clock{interval: max(timeout/beats, time.Millisecond), epoch: time.Now()}
}

// Run calls beat at every interval, until ctx ends.
func (c *Clock) Run(ctx context.Context, beat func()) {
	ticker := time.NewTicker(c.interval)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			c.tick(time.Since(c.epoch))
			beat()
			c.count.Add(1)
		case <-ctx.Done():
			return
		}
	}
}

// tick takes note of a beat.
func (c *Clock) tick(now time.Duration) {
	if pause := now - time.Duration(c.last.Swap(int64(now))); pause >= 2*c.interval {
		c.pause.Store(int64(pause))
		c.resumed.Store(int64(now))
	}
}

// AskTime is how long it may take to ask a peer whether it lives.
func (c *Clock) AskTime() time.Duration { return beats / 2 * c.interval }

// Count returns how often the clock has beaten.
func (c *Clock) Count() uint64 { return c.count.Load() }

// Paused returns for how long this process did not run, if it was lately and for
// so long that its peers may have given up on it. Else it returns 0.
func (c *Clock) Paused() time.Duration { return c.paused(time.Since(c.epoch)) }

func (c *Clock) paused(now time.Duration) time.Duration {
	pause := now - time.Duration(c.last.Load()) // which a beat may be about to end
	if pause < 2*c.interval && now-time.Duration(c.resumed.Load()) <= beats*c.interval {
		pause = time.Duration(c.pause.Load())
	}
	if pause < (beats-1)*c.interval {
		return 0
	}
	return pause
}

// Explain adds to err, by which a connection has ended, that this process has not
// run, if it has not: then the peer may have given it up, and could not say so.
func (c *Clock) Explain(err error) error {
	if pause := c.Paused(); pause > 0 {
		return fmt.Errorf("%w; this rank did not run for %v, and may have been given up for that", err, pause.Round(time.Millisecond))
	}
	return err
}

// State is what a process thinks of a peer.
type State uint8

const (
	Living State = iota
	// Doubtful: nothing has been heard of it for half of the timeout. It is to be
	// asked on a connection of its own whether it lives, and Answered to be called.
	Doubtful
	Dead
)

// Peer is what passes between this process and one peer. It is guarded by the
// transport's lock.
type Peer struct {
	heard, spoke bool // since the last beat
	silent       int  // beats since the peer was heard
	asked        bool // it is being asked whether it lives
}

// Hear takes note that something has come from the peer, Heard reports whether
// something has since the last beat.
func (p *Peer) Hear() { p.heard = true }

// Heard is described at Hear.
func (p *Peer) Heard() bool { return p.heard }

// Spoke takes note that something has been sent to it.
func (p *Peer) Spoke() { p.spoke = true }

// Quiet reports, at a beat, whether nothing has been sent to the peer since the last.
func (p *Peer) Quiet() bool {
	quiet := !p.spoke
	p.spoke = false
	return quiet
}

// Judge says, at a beat, what to think of the peer. unread says whether there is
// something to read from it; it is asked only if nothing has been heard.
func (p *Peer) Judge(unread func() bool) State {
	if p.heard || unread() {
		p.heard, p.silent = false, 0
		return Living
	}
	p.silent++
	switch {
	case p.silent >= beats:
		return Dead
	case p.silent >= beats/2 && !p.asked:
		p.asked = true
		return Doubtful
	}
	return Living
}

// Answered takes note that the peer has said that it lives, or has not.
func (p *Peer) Answered(alive bool) {
	p.asked = false
	p.heard = p.heard || alive
}
