package pertrc

import "time"

// inside is the transport as its driver sees it.
type inside struct{ *Transport }

// Rest implements driver.Network.
func (t inside) Rest(bool) (deadline time.Time, ready bool) { return deadline, false }

// Resume implements driver.Network.
func (t inside) Resume() {}

// Descriptor implements driver.Network.
func (t inside) Descriptor() int { return t.watcher.Descriptor() }

// Release implements driver.Network: no message waits for others.
func (t inside) Release() {}

// Poll implements driver.Network: it finishes what others could not at once.
func (t inside) Poll() (bool, error) {
	t.progress.Lock()
	defer t.progress.Unlock()
	events, err := t.watcher.Poll()
	if err != nil {
		return false, err // closed
	}
	for _, e := range events {
		t.mu.Lock()
		if owner := t.sockets.find(e.Token); owner != nil {
			owner.event(t.Transport, e)
		}
		t.work()
		t.mu.Unlock()
	}
	return len(events) > 0, nil
}
