package driver

import (
	"sync"
	"time"
)

// rest is the rest of a network while a goroutine waits in the Poller. Another goroutine can borrow the network: it looks for messages
// itself then, and they do not wake the one that waits.
type rest struct {
	mu       sync.Mutex
	waits    bool      // a goroutine does
	messages bool      // for messages too
	deadline time.Time // until then, zero if it does not know one
	borrowed bool
}

// begin begins a wait: see Resting. If the network is borrowed it does not rest before it is returned.
func (r *rest) begin(n Resting, messages bool) (deadline time.Time, ready bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.borrowed {
		deadline, ready = n.Rest(messages)
	}
	r.waits, r.messages, r.deadline = true, messages, deadline
	return deadline, ready
}

func (r *rest) end(n Resting) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.waits = false
	if !r.borrowed {
		n.Resume()
	}
}

// Borrow ends the rest of the network, while the goroutine that waits for messages goes on waiting: for a Wake, or its deadline. It reports
// whether there is such a goroutine. The caller looks at the network, and then calls Return.
func (p *Poller) Borrow() bool {
	r := &p.rest
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.waits || !r.messages || r.borrowed {
		return false
	}
	r.borrowed = true
	p.place.pause()
	p.network.Resume()
	return true
}

// Return lets the network rest again, if a goroutine still waits, or another one does.
func (p *Poller) Return() {
	r := &p.rest
	r.mu.Lock()
	defer r.mu.Unlock()
	r.borrowed = false
	p.place.resume()
	if !r.waits {
		return
	}
	deadline, ready := p.network.Rest(r.messages)
	if ready || !deadline.IsZero() && (r.deadline.IsZero() || deadline.Before(r.deadline)) {
		p.place.wake() // it waits for something else than there is now
	}
}
