package pertrc

import "time"

// inside is the transport as its driver sees it.
type inside struct{ *Transport }

// Rest implements driver.Network.
func (t inside) Rest(bool) (deadline time.Time, ready bool) { return deadline, t.hasTurns.Load() }

// Resume implements driver.Network.
func (t inside) Resume() {}

// Descriptor implements driver.Network.
func (t inside) Descriptor() int { return t.watcher.Descriptor() }

// Release implements driver.Network: no message waits for others.
func (t inside) Release() {}

// Poll implements driver.Network: it finishes what others could not at once.
func (t inside) Poll() (bool, error) {
	t.life.Progress.Lock()
	defer t.life.Progress.Unlock()
	events, err := t.watcher.Poll()
	if err != nil {
		return false, err // closed
	}
	turns := t.takeTurns()
	for _, c := range turns {
		t.lock.Lock()
		c.turn = false
		t.pump(c)
		t.lock.Unlock()
	}
	for _, e := range events {
		t.lock.Lock()
		if owner := t.sockets.find(e.Token); owner != nil {
			owner.event(t.Transport, e)
		}
		t.lock.Unlock()
	}
	return len(events)+len(turns) > 0, nil
}

// takeTurns returns the connections that others have had a turn after, in which there is more to read.
func (t *Transport) takeTurns() []*incoming {
	if !t.hasTurns.Load() {
		return nil
	}
	t.lock.Lock()
	defer t.lock.Unlock()
	turns := t.turns
	t.turns = nil
	t.hasTurns.Store(false)
	return turns
}
