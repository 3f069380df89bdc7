package rpi

import (
	"sync"
	"sync/atomic"
)

// Follower is what follows when a request has completed, without a goroutine that waits for it.
type Follower interface {
	// Completed is called when the request has completed, with locks of the transport held, perhaps. So it
	// must not call the transport, nor wait: it has Continuations run what follows.
	Completed(r *Request)
}

// Continuation is the Follower of a request that is part of an operation: the next steps of a collective one.
type Continuation interface {
	Follower
	// Whole returns the request that stands for the operation that r is part of: goroutines wait for that one. Nil: no
	// goroutine ever does, as r is not part of what the program has called, and a Snapshot leaves r out.
	Whole() *Request
}

// Runner is something that Continuations runs. In a call: a goroutine of the program runs it, within a call that moves
// messages, and so it may call functions of the program.
type Runner interface{ Run(inCall bool) }

// Continuations runs what follows the completion of requests. A goroutine that completes requests does
// that between Enter and Leave, and Leave runs what follows, with no lock held. Nothing is run by two
// goroutines at the same time unless it was added twice. The methods of nil do nothing. Use NewContinuations.
type Continuations struct {
	inside atomic.Int32 // goroutines between Enter and Leave
	ready  atomic.Int32 // how many queue has
	calls  atomic.Int32 // the length of inCall
	mu     sync.Mutex
	queue  []Runner // from first on
	first  int
	inCall []Runner // that may run only in a call of the program
	wanted chan struct{}
	wake   func()
}

// NewContinuations returns Continuations with nothing to run.
func NewContinuations() *Continuations { return &Continuations{wanted: make(chan struct{}, 1)} }

// Wake has f called when something waits for a call of the program. A goroutine of the program may be in one already, and
// wait: f wakes one that waits otherwise than for Wanted. Call it before use.
func (c *Continuations) Wake(f func()) {
	if c != nil {
		c.wake = f
	}
}

// Wanted has a value when something has been added that waits for a call of the program: of whatever call, as
// functions of a program must be called while it waits for something else, or other ranks wait for ever.
func (c *Continuations) Wanted() <-chan struct{} {
	if c == nil {
		return nil
	}
	return c.wanted
}

// Add has r run soon: when the caller, or another goroutine, leaves. If there is none a new goroutine runs it: then a
// request was completed otherwise than by a message, as its peer cannot be reached.
func (c *Continuations) Add(r Runner) {
	c.mu.Lock()
	c.queue = append(c.queue, r)
	c.mu.Unlock()
	c.ready.Add(1)
	if c.inside.Load() == 0 {
		go func() {
			c.Enter()
			c.Leave(false)
		}()
	}
}

// AddInCall has r run in a call of the program that moves messages: one under way, or the next.
func (c *Continuations) AddInCall(r Runner) {
	c.mu.Lock()
	c.inCall = append(c.inCall, r)
	c.calls.Add(1)
	c.mu.Unlock()
	select {
	case c.wanted <- struct{}{}:
	default:
	}
	if c.wake != nil {
		c.wake()
	}
}

// Enter begins what may complete requests. It does not wait.
func (c *Continuations) Enter() {
	if c != nil {
		c.inside.Add(1)
	}
}

// Leave ends what Enter began, and runs what is to follow.
func (c *Continuations) Leave(inCall bool) {
	if c == nil {
		return
	}
	for {
		c.Run(inCall)
		c.inside.Add(-1)
		// What was added just before had this goroutine run it.
		if c.ready.Load() == 0 {
			return
		}
		c.inside.Add(1)
	}
}

// Run runs what is to follow, between Enter and Leave.
func (c *Continuations) Run(inCall bool) {
	if c == nil {
		return
	}
	for c.ready.Load() > 0 || inCall && c.calls.Load() > 0 {
		if r := c.next(inCall); r != nil {
			r.Run(inCall)
		}
	}
}

// next takes the next one that may run.
func (c *Continuations) next(inCall bool) Runner {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.first < len(c.queue) {
		r := c.queue[c.first]
		c.queue[c.first] = nil
		c.first++
		if 2*c.first >= len(c.queue) { // what is left moves to the beginning, so seldom that it costs little
			left := copy(c.queue, c.queue[c.first:])
			clear(c.queue[left:])
			c.queue, c.first = c.queue[:left], 0
		}
		c.ready.Add(-1)
		return r
	}
	if n := len(c.inCall); inCall && n > 0 {
		r := c.inCall[n-1]
		c.inCall[n-1] = nil
		c.inCall = c.inCall[:n-1]
		c.calls.Add(-1)
		return r
	}
	return nil
}
