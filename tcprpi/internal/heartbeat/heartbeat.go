// Package heartbeat detects dead peers for the TCP transports. TCP cannot: the kernel of a stopped
// process answers its probes, and a receiver that takes no data for a long time looks dead to
// TCP_USER_TIMEOUT.
//
// Each process sends something to each peer that it is connected with, at least every quarter of
// rpi.Config.PeerTimeout. A timer does it, so that a process that computes and makes no MPI call
// counts as alive, in every mode of progress. A peer that has sent nothing for four such intervals
// is dead. The intervals are counted in ticks of this process: while it was stopped itself it could
// receive nothing, and its peers are not to blame.
//
// What a peer sends may be queued behind data that this process does not read, because its program
// makes no MPI call. So no peer is dead while there is something to read from it. The other
// direction does no harm: a peer that does not read what this process sends does not count this
// process as dead either.
//
// A heartbeat may also be lost. After a loss, or while a window is closed, TCP sends again only
// after a time that doubles to two minutes. So a peer that has been silent for half of the timeout
// is asked on a separate connection, which is closed after the answer. There is one such connection
// for each peer at a time.
package heartbeat

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"
)

// beats is the number of intervals after which a silent peer is dead.
const beats = 4

// Clock is the heartbeat of a process. Its methods may be called from several
// goroutines.
type Clock struct {
	interval time.Duration
	epoch    time.Time
	count    atomic.Uint64
	// last is the time of the last tick. pause is the length of the last pause, after which a tick
	// came much too late, and resumed its end. All are nanoseconds since the epoch.
	last, pause, resumed atomic.Int64
}

// NewClock returns the clock of a process whose peers are dead after timeout.
func NewClock(timeout time.Duration) *Clock {
	return &Clock{interval: max(timeout/beats, time.Millisecond), epoch: time.Now()}
}

// Run calls beat once in every interval until ctx ends.
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

// tick notes that an interval is over.
func (c *Clock) tick(now time.Duration) {
	if pause := now - time.Duration(c.last.Swap(int64(now))); pause >= 2*c.interval {
		c.pause.Store(int64(pause))
		c.resumed.Store(int64(now))
	}
}

// AskTime bounds the time to ask a peer whether it lives.
func (c *Clock) AskTime() time.Duration { return beats / 2 * c.interval }

// Count returns the number of intervals so far.
func (c *Clock) Count() uint64 { return c.count.Load() }

// Paused returns for how long this process did not run, if it was lately and so long that its peers
// may have given up on it. Otherwise it returns 0.
func (c *Clock) Paused() time.Duration { return c.paused(time.Since(c.epoch)) }

func (c *Clock) paused(now time.Duration) time.Duration {
	pause := now - time.Duration(c.last.Load()) // a tick may be about to end it
	if pause < 2*c.interval && now-time.Duration(c.resumed.Load()) <= beats*c.interval {
		pause = time.Duration(c.pause.Load())
	}
	if pause < (beats-1)*c.interval {
		return 0
	}
	return pause
}

// Explain adds to err, the error of a connection, that this process did not run for a time, if so:
// then the peer may have given it up without being able to tell it.
func (c *Clock) Explain(err error) error {
	if pause := c.Paused(); pause > 0 {
		return fmt.Errorf("%w; this rank did not run for %v, and may have been given up for that", err, pause.Round(time.Millisecond))
	}
	return err
}

// State is the state of a peer as seen by this process.
type State uint8

const (
	Living State = iota
	// Doubtful: nothing has been received from the peer for half of the timeout. Ask it on a
	// separate connection whether it lives, and call Answered.
	Doubtful
	Dead
)

// Peer counts the traffic with one peer. It is guarded by the transport's lock.
type Peer struct {
	heard, spoke bool // since the last tick
	silent       int  // intervals since something was received
	asked        bool // it is being asked whether it lives
}

// Hear notes that something has been received from the peer. Heard reports whether something has
// since the last tick.
func (p *Peer) Hear() { p.heard = true }

// Heard is described at Hear.
func (p *Peer) Heard() bool { return p.heard }

// Spoke notes that something has been sent to the peer.
func (p *Peer) Spoke() { p.spoke = true }

// Quiet reports, at a tick, whether nothing has been sent to the peer since the last one.
func (p *Peer) Quiet() bool {
	quiet := !p.spoke
	p.spoke = false
	return quiet
}

// Check returns, at a tick, the state of the peer. unread reports whether there is something to
// read from it; it is called only if nothing has been received.
func (p *Peer) Check(unread func() bool) State {
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

// Suspected reports whether nothing had been received from the peer for half of the timeout at the last tick, and nothing has
// come since: see rpi.Watchful. unread is that of Check.
func (p *Peer) Suspected(unread func() bool) bool {
	return p.silent >= beats/2 && !p.heard && !unread()
}

// Answered notes whether the peer has answered that it lives.
func (p *Peer) Answered(alive bool) {
	p.asked = false
	p.heard = p.heard || alive
}
