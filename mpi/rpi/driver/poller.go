package driver

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi/rpi/driver/internal/spin"
)

// Resting is what a Poller waits for.
type Resting interface {
	// Rest is called before a wait. ready says that there is something to do, and the Poller does
	// not wait. Otherwise it waits until the descriptor is readable, until the deadline (the zero
	// Time is none), or for Poller.Wake. The network calls that until Resume in two cases: when the
	// deadline becomes an earlier one, and, if messages is true, when there is a message that the
	// descriptor does not tell of.
	Rest(messages bool) (deadline time.Time, ready bool)
	// Resume ends the rest.
	Resume()
	// Descriptor is the file descriptor that is readable when something has arrived, the same at
	// each call. If it is -1 Wake is called for that too.
	Descriptor() int
}

// Poller is where goroutines of a process wait for its network: for a descriptor, a deadline, or a
// Wake. If there is a descriptor it waits in epoll (place_linux.go), else for a channel
// (place_channel.go). Use NewPoller.
type Poller struct {
	network Resting
	// turn has a value while a goroutine waits. The next one waits for its turn.
	turn  chan struct{}
	place place
	calls atomic.Uint64 // system calls
	rest  rest
	// threads: a goroutine that keeps its thread is locked to it.
	threads bool
}

// place is where one goroutine at a time waits. Methods but wait may be called at any time.
type place interface {
	// begin begins a wait. over: it is over, for a Wake that had come before, or it has failed as
	// the Poller is closed.
	begin() (over bool, err error)
	// wait waits, on the caller's thread if asked to.
	wait(deadline time.Time, on thread) error
	// end ends a wait, which takes in all Wakes so far.
	end() error
	wake()
	rouse()
	// pause has the wait go on though the descriptor becomes readable, this one and the next, until resume.
	pause()
	resume()
	// doorbell is the descriptor by which another process ends a wait, -1 if there is none.
	doorbell() int
	// shut makes begin fail, and ends the wait under way. close is called when there is none.
	shut()
	close()
}

// NewPoller makes a Poller.
func NewPoller(network Resting) (*Poller, error) {
	p := &Poller{network: network, turn: make(chan struct{}, 1)}
	var err error
	p.place, err = newPlace(network.Descriptor(), &p.calls)
	return p, err
}

// Wait waits until the network's rest is over, or for a Wake. It does not begin to wait when ctx
// has ended, which does not end a wait. keepThread says that the caller wants to go on as soon as
// possible: it may keep its thread for a while. Wait may return early. It fails with rpi.ErrClosed
// when the Poller is closed.
func (p *Poller) Wait(ctx context.Context, messages, keepThread bool) error {
	select {
	case p.turn <- struct{}{}:
	default:
		if keepThread {
			p.place.wake() // the goroutine that waits may wait for less
		}
		p.takeTurn(keepThread)
	}
	defer func() { <-p.turn }()
	if over, err := p.place.begin(); over {
		return err
	}
	deadline, ready := p.rest.begin(p.network, messages)
	var err error
	if !ready && ctx.Err() == nil {
		err = p.place.wait(deadline, p.threadOf(keepThread))
	}
	p.rest.end(p.network)
	if closed := p.place.end(); closed != nil {
		return closed
	}
	return err
}

// thread says whether a wait is on the caller's thread.
type thread uint8

const (
	anyThread thread = iota
	forAWhile        // and then on any
	ownThread
)

func (p *Poller) threadOf(keep bool) thread {
	switch {
	case !keep:
		return anyThread
	case p.threads:
		return ownThread
	}
	return forAWhile
}

// takeTurn waits for the turn. The goroutine that has it has been woken, and gives it back soon: a thread looks again and again,
// as to park its goroutine takes longer.
func (p *Poller) takeTurn(keepThread bool) {
	for tries := 0; p.threadOf(keepThread) == ownThread && tries < turnTries; tries++ {
		select {
		case p.turn <- struct{}{}:
			return
		default:
			spin.Yield()
		}
	}
	p.turn <- struct{}{}
}

const turnTries = 100

// Wake ends a Wait: the one under way, or the next.
func (p *Poller) Wake() { p.place.wake() }

// Rouse has a Wait that has been woken return though Go's network poller is not asked, because all
// processors are busy. Where that is asked, a Wake alone is faster: it lets the calling goroutine
// keep its processor.
func (p *Poller) Rouse() { p.place.rouse() }

// Doorbell is an eventfd by which another process ends a Wait, as by Wake, -1 if there is none. It is the Poller's, until Close.
func (p *Poller) Doorbell() int { return p.place.doorbell() }

// SystemCalls is how many system calls it has made.
func (p *Poller) SystemCalls() uint64 { return p.calls.Load() }

// Close ends Wait, for ever. When it returns the network's descriptor is not in use.
func (p *Poller) Close() {
	p.place.shut()
	p.turn <- struct{}{}
	p.place.close()
	<-p.turn
}
