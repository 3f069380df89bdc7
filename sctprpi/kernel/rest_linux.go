package kernel

import "time"

// SetWake implements socket.Core.
func (e *endpoint) SetWake(wake func()) { e.wake = wake }

// Descriptor implements socket.Core.
func (e *endpoint) Descriptor() int { return e.fd }

// Embedded implements socket.Core.
func (e *endpoint) Embedded() bool { return false }

// Ready implements socket.Core.
func (e *endpoint) Ready() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.ready()
}

// ready reports whether Receive has something to return, an error perhaps.
func (e *endpoint) ready() bool { return e.closed || e.err != nil || !e.queue.empty() }

// Rest implements socket.Core. The kernel has the timers of the protocol.
func (e *endpoint) Rest(events bool) (deadline time.Time, ready bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if events && e.ready() {
		return deadline, true
	}
	e.resting = events
	return deadline, false
}

// Resume implements socket.Core.
func (e *endpoint) Resume() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.resting = false
}

// announce wakes the driver, if it waits for events and there are some.
func (e *endpoint) announce() {
	if e.resting && e.ready() {
		e.resting = false
		e.wake()
	}
}
