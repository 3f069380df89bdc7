// Package looping makes a socket.Socket of a socket.Core. A goroutine drives the core with a plain
// loop, which waits for packets, timers and wakes in a system call. A program that cares for each
// microsecond drives the core itself.
package looping

import (
	"context"
	"sync"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Socket is a Core with a Loop.
type Socket struct {
	socket.Core
	*Loop
}

// New starts the loop of a core. If it cannot it closes the core.
func New(core socket.Core) (*Socket, error) {
	l, err := Start(core)
	return &Socket{core, l}, err
}

// Close implements socket.Socket.
func (s *Socket) Close() error {
	s.Stop()
	return s.Core.Close()
}

// Loop drives a core. Use Start.
type Loop struct {
	core    socket.Core
	sleeper sleeper
	done    chan struct{} // the goroutine has ended

	mu      sync.Mutex
	changed *sync.Cond
	// round counts the times that goroutines in Wait have been woken. waiting is how many there are
	// of them since, and conditional how many are in WaitUntil.
	round                uint64
	waiting, conditional int
	// woken: Wake has been called, and no Wait has returned for it.
	woken   bool
	stopped bool
}

// Start starts to drive a core. If it cannot it closes the core.
func Start(core socket.Core) (*Loop, error) {
	l := &Loop{core: core, done: make(chan struct{})}
	l.changed = sync.NewCond(&l.mu)
	if err := l.sleeper.open(core.Descriptor()); err != nil {
		core.Close()
		return nil, err
	}
	core.SetWake(l.sleeper.wake)
	go l.run()
	return l, nil
}

func (l *Loop) run() {
	defer close(l.done)
	for events, running := l.announce(); running; events, running = l.announce() {
		l.rest(events)
		if l.core.Poll() != nil {
			l.announce() // Receive tells why
			return
		}
	}
}

// announce wakes the goroutines that wait, if what they wait for has happened. It reports whether
// there are any that still wait for events, and whether the loop goes on.
func (l *Loop) announce() (events, running bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.waiting > 0 && l.core.Ready() {
		l.wakeAll()
	}
	if l.conditional > 0 {
		l.changed.Broadcast()
	}
	return l.waiting > 0, !l.stopped
}

// wakeAll ends all Waits. The lock is held.
func (l *Loop) wakeAll() {
	l.round++
	l.waiting = 0
	l.changed.Broadcast()
}

// rest waits until there is something to do.
func (l *Loop) rest(events bool) {
	if !events && !l.core.Embedded() {
		l.sleeper.sleepUntilWoken()
		return
	}
	if deadline, ready := l.core.Rest(events); !ready {
		l.sleeper.sleep(deadline)
	}
	l.core.Resume()
}

// Wait implements socket.Socket.
func (l *Loop) Wait(ctx context.Context) error {
	defer context.AfterFunc(ctx, l.Changed)()
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.stopped && !l.woken && !l.core.Ready() {
		l.waiting++
		l.sleeper.wake() // to rest until there are events
		round := l.round
		for round == l.round && ctx.Err() == nil {
			l.changed.Wait()
		}
		if round == l.round {
			l.waiting--
			return ctx.Err()
		}
	}
	l.woken = false
	if l.stopped {
		return socket.ErrClosed
	}
	return nil
}

// WaitUntil waits until a condition of the core holds, or fails.
func (l *Loop) WaitUntil(ctx context.Context, holds func() (bool, error)) error {
	defer context.AfterFunc(ctx, l.Changed)()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.conditional++
	defer func() { l.conditional-- }()
	for {
		switch done, err := holds(); {
		case l.stopped:
			return socket.ErrClosed
		case done || err != nil:
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		}
		l.changed.Wait()
	}
}

// Changed has the goroutines in WaitUntil look at their conditions again.
func (l *Loop) Changed() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.changed.Broadcast()
}

// Wake implements socket.Socket.
func (l *Loop) Wake() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.waiting == 0 {
		l.woken = true
	}
	l.wakeAll()
}

// Stop ends the loop, and all waits. The core may be closed when it returns.
func (l *Loop) Stop() {
	l.mu.Lock()
	first := !l.stopped
	l.stopped = true
	l.wakeAll()
	l.mu.Unlock()
	l.sleeper.wake()
	<-l.done
	if first {
		l.sleeper.close()
	}
}
