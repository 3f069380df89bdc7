package kernel

import "context"

// announce wakes those who wait, if there are events.
func (e *endpoint) announce() {
	if !e.queue.empty() {
		e.waiters.Wake()
	}
}

// Wait waits until Receive has something to return.
func (e *endpoint) Wait(ctx context.Context) error {
	e.mu.Lock()
	if e.closed || e.err != nil || e.woken || !e.queue.empty() {
		defer e.mu.Unlock()
		return e.waited()
	}
	w := e.waiters.Add()
	e.mu.Unlock()
	select {
	case e.wanted <- struct{}{}:
	default:
	}
	select {
	case <-w.Woken:
		w.Done()
	case <-ctx.Done():
		e.mu.Lock()
		defer e.mu.Unlock()
		e.waiters.Remove(w)
		return ctx.Err()
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.waited()
}

// Wake makes those who Wait return, or the next who does.
func (e *endpoint) Wake() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.woken = true
	e.waiters.Wake()
}

// waited is what Wait returns when the wait is over: what is wrong with the socket
// beside being closed, Receive tells.
func (e *endpoint) waited() error {
	e.woken = false
	if e.closed {
		return e.state()
	}
	return nil
}

// watch reads the socket for those who wait.
func (e *endpoint) watch() {
	defer close(e.done)
	for {
		select {
		case <-e.wanted:
		case <-e.quit:
			return
		}
		for e.awaited() {
			if err := e.poller.wait(); err != nil {
				e.fail(err)
				return
			}
			if !e.awaited() {
				break
			}
			e.reading.Lock()
			e.read()
			e.reading.Unlock()
		}
	}
}

// awaited reports whether somebody waits.
func (e *endpoint) awaited() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return !e.waiters.Empty() && !e.closed
}
