package handshake

import (
	"context"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/sctpmpi/sctpmpi/tcprpi/internal/socket"
)

// Limits of incoming connections that have not proven that they belong to the job.
const (
	// HelloTime bounds the time until the hello has arrived, ProofTime the time from then until the
	// proof.
	HelloTime = 5 * time.Second
	ProofTime = 10 * time.Second
	// grace is how long a connection is kept in any case. A rank of the job needs a few round
	// trips, and more on a host with many more ranks than processors.
	grace = time.Second
	// most is the greatest number of such connections, if there are enough descriptors.
	most = 256
)

// Gate bounds the incoming connections that are in their handshake. When all places are taken, the
// oldest one without a proof is closed, but not before its grace is over. So connections of other
// processes that send nothing keep ranks of the job out for a second at most, and not for
// HelloTime.
type Gate struct {
	places chan struct{}

	mu      sync.Mutex
	pending []*Pending // without proof, the oldest first
}

// Pending is a connection in its handshake.
type Pending struct {
	gate  *Gate
	conn  net.Conn
	since time.Time
}

// NewGate returns the gate of a process with limit descriptors. A sixteenth of them are for
// connections in their handshake, at least 2 and at most 256.
func NewGate(limit int) *Gate {
	return &Gate{places: make(chan struct{}, min(max(2, limit/16), most))}
}

// Enter waits for a place for a connection. If ctx ends it closes the connection and returns nil.
func (g *Gate) Enter(ctx context.Context, conn net.Conn) *Pending {
	if !g.place(ctx) {
		conn.Close()
		return nil
	}
	p := &Pending{g, conn, time.Now()}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.pending = append(g.pending, p)
	return p
}

// place takes a place. It returns false if ctx has ended.
func (g *Gate) place(ctx context.Context) bool {
	select {
	case g.places <- struct{}{}:
		return true
	default:
	}
	timer := time.NewTimer(g.graceLeft())
	defer timer.Stop()
	for {
		select {
		case g.places <- struct{}{}:
			return true
		case <-timer.C:
			if !g.Evict() { // otherwise a place is about to be free
				timer.Reset(g.graceLeft())
			}
		case <-ctx.Done():
			return false
		}
	}
}

// graceLeft is how long the oldest connection without a proof is still kept.
func (g *Gate) graceLeft() time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.pending) == 0 {
		return grace // all have sent their proof, and are about to leave
	}
	return time.Until(g.pending[0].since.Add(grace))
}

// Evict closes the oldest connection without a proof, if its grace is over, and reports whether
// there was one.
func (g *Gate) Evict() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.pending) == 0 || time.Since(g.pending[0].since) < grace {
		return false
	}
	g.pending[0].conn.Close()
	g.pending = slices.Delete(g.pending, 0, 1)
	return true
}

// Admit notes that a connection has proven that it belongs to the job. It returns false if that
// comes too late, because the connection has been closed.
func (p *Pending) Admit() bool {
	g := p.gate
	g.mu.Lock()
	defer g.mu.Unlock()
	i := slices.Index(g.pending, p)
	if i >= 0 {
		g.pending = slices.Delete(g.pending, i, i+1)
	}
	return i >= 0
}

// Leave frees the connection's place.
func (p *Pending) Leave() {
	p.Admit()
	<-p.gate.places
}

// allow sets the deadline of a connection to d from now. If ctx has ended the connection is
// interrupted instead: socket.InterruptAtEnd may have done so before the deadline was set.
func allow(ctx context.Context, conn net.Conn, d time.Duration) {
	conn.SetDeadline(time.Now().Add(d))
	if ctx.Err() != nil {
		socket.Interrupt(conn)
	}
}
