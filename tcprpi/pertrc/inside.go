package pertrc

import "context"

// inside is the transport as those see it who move its messages.
type inside struct{ *Transport }

// Wait implements progress.Network.
func (t inside) Wait(ctx context.Context) error {
	return t.poller.Wait(ctx)
}

// Block implements progress.Network.
func (t inside) Block() error {
	return t.poller.Block()
}

// Release implements progress.Network: no message waits for others.
func (t inside) Release() {}

// Wake implements progress.Network.
func (t inside) Wake() { t.poller.Wake() }

// Rouse implements progress.Rouser.
func (t inside) Rouse() { t.poller.Rouse() }

// Poll implements progress.Network: it finishes what others could not at once.
func (t inside) Poll() (bool, error) {
	t.progress.Lock()
	defer t.progress.Unlock()
	events, err := t.poller.Poll()
	if err != nil {
		return false, err // closed
	}
	for _, e := range events {
		t.mu.Lock()
		if owner := t.sockets.find(e.Token); owner != nil {
			owner.event(t.Transport, e)
		}
		t.unlock()
	}
	return len(events) > 0, nil
}
