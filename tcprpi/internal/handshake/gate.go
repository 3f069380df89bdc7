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
	// HelloTime is how long the hello may take, ProofTime how long the proof may
	// that follows.
	HelloTime = 5 * time.Second
	ProofTime = 10 * time.Second
	// grace is how long a connection has in any case. A member of the job needs a few
	// round trips, and more where a host has many more ranks than processors.
	grace = time.Second
	// most is how many such connections there may be, if there are descriptors for
	// them.
	most = 256
)

// Gate bounds the incoming connections that are in their handshake. When all places
// are taken the one goes that has been there for the longest, after its grace,
// unless it has proven that it belongs to the job. So strangers that say nothing
// keep members out for a second at most, not for the time that they may take.
type Gate struct {
	places chan struct{}

	mu     sync.Mutex
	guests []*Guest // without proof, the oldest first
}

// Guest is a connection in its handshake.
type Guest struct {
	gate  *Gate
	conn  net.Conn
	since time.Time
}

// NewGate returns the gate of a process that may have limit descriptors: a
// sixteenth of them are for connections in their handshake, at least 2 and at
// most 256.
func NewGate(limit int) *Gate {
	return &Gate{places: make(chan struct{}, min(max(2, limit/16), most))}
}

// Enter waits for a place for a connection. It returns nil if ctx has ended; then
// the connection is closed.
func (g *Gate) Enter(ctx context.Context, conn net.Conn) *Guest {
	if !g.place(ctx) {
		conn.Close()
		return nil
	}
	guest := &Guest{g, conn, time.Now()}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.guests = append(g.guests, guest)
	return guest
}

// place takes a place. It reports false if ctx has ended.
func (g *Gate) place(ctx context.Context) bool {
	select {
	case g.places <- struct{}{}:
		return true
	default:
	}
	timer := time.NewTimer(g.patience())
	defer timer.Stop()
	for {
		select {
		case g.places <- struct{}{}:
			return true
		case <-timer.C:
			if !g.Evict() { // else its place is about to be free
				timer.Reset(g.patience())
			}
		case <-ctx.Done():
			return false
		}
	}
}

// patience is how long the grace of the oldest guest still lasts.
func (g *Gate) patience() time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.guests) == 0 {
		return grace // all have proven what they are, and are about to leave
	}
	return time.Until(g.guests[0].since.Add(grace))
}

// Evict closes the connection that has gone without proof for the longest, if its
// grace is over, and reports whether there was one.
func (g *Gate) Evict() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.guests) == 0 || time.Since(g.guests[0].since) < grace {
		return false
	}
	g.guests[0].conn.Close()
	g.guests = slices.Delete(g.guests, 0, 1)
	return true
}

// Admit takes note that a connection belongs to the job. It reports false if that
// comes too late: the connection is closed.
func (guest *Guest) Admit() bool {
	g := guest.gate
	g.mu.Lock()
	defer g.mu.Unlock()
	i := slices.Index(g.guests, guest)
	if i >= 0 {
		g.guests = slices.Delete(g.guests, i, i+1)
	}
	return i >= 0
}

// Leave gives a connection's place to another.
func (guest *Guest) Leave() {
	guest.Admit()
	<-guest.gate.places
}

// allow gives a connection so much time for what it does next, unless ctx has
// ended, which socket.InterruptAtEnd may have noticed before.
func allow(ctx context.Context, conn net.Conn, d time.Duration) {
	conn.SetDeadline(time.Now().Add(d))
	if ctx.Err() != nil {
		socket.Interrupt(conn)
	}
}
