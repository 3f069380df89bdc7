package handshake

import (
	"context"
	"net"
	"sync"
	"time"

	"github.com/sctpmpi/sctpmpi/internal/unproven"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/monitor"
	"github.com/sctpmpi/sctpmpi/tcprpi/internal/socket"
)

// Limits of incoming connections that have not proven that they belong to the job.
const (
	// HelloTime bounds the time until the hello has arrived, ProofTime the time from then until the
	// proof. A rank of the job that needs longer, because its host is busy, tries again.
	HelloTime = 2 * time.Second
	ProofTime = 10 * time.Second
	// most is the greatest number of such connections, if there are enough descriptors.
	most = 256
)

// Gate bounds the incoming connections that are in their handshake. Those without a proof have places of their own: see package
// strangers. Connections that have proven that they belong to the job are never closed, and do not count among the others.
type Gate struct {
	limit    int
	unproven *unproven.Places

	mu       sync.Mutex
	admitted int // with proof, still in their handshake
	left     sync.Cond
}

// Pending is a connection in its handshake.
type Pending struct {
	gate     *Gate
	conn     net.Conn
	admitted bool
}

// NewGate returns the gate of a process with limit descriptors. A sixteenth of them are for
// connections without a proof, at least 2 and at most 256.
func NewGate(limit int) *Gate {
	places := min(max(2, limit/16), most)
	g := &Gate{limit: places, unproven: unproven.New(places)}
	g.left.L = &g.mu
	return g
}

// Enter gives a connection a place. It waits only while as many connections of ranks of the job are in their handshake as
// there are places. If ctx ends it closes the connection and returns nil.
func (g *Gate) Enter(ctx context.Context, conn net.Conn) *Pending {
	defer monitor.WakeAtEnd(ctx, &g.left)()
	g.mu.Lock()
	defer g.mu.Unlock()
	for g.admitted >= g.limit && ctx.Err() == nil {
		g.left.Wait()
	}
	if ctx.Err() != nil {
		conn.Close()
		return nil
	}
	g.unproven.Enter(conn)
	return &Pending{gate: g, conn: conn}
}

// Evict closes a connection without a proof, if there is one, to get its descriptor.
func (g *Gate) Evict() { g.unproven.Evict() }

// Admit notes that a connection has proven that it belongs to the job. It returns false if that
// comes too late, because the connection has been closed.
func (p *Pending) Admit() bool {
	g := p.gate
	if !g.unproven.Leave(p.conn) {
		return false
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.admitted++
	p.admitted = true
	return true
}

// Crowded reports whether half of the places are taken by connections that have proven that they belong to the job. Then a
// handshake is not to last: as many more, and no rank gets in.
func (p *Pending) Crowded() bool {
	p.gate.mu.Lock()
	defer p.gate.mu.Unlock()
	return 2*p.gate.admitted > p.gate.limit
}

// Leave notes that the handshake is over, however it ended. It may be called again.
func (p *Pending) Leave() {
	g := p.gate
	g.unproven.Leave(p.conn)
	g.mu.Lock()
	defer g.mu.Unlock()
	if p.admitted {
		p.admitted = false
		g.admitted--
		g.left.Broadcast()
	}
}

// allow sets the deadline of a connection to d from now. If ctx has ended the connection is
// interrupted instead: socket.InterruptAtEnd may have done so before the deadline was set.
func allow(ctx context.Context, conn net.Conn, d time.Duration) {
	conn.SetDeadline(time.Now().Add(d))
	if ctx.Err() != nil {
		socket.Interrupt(conn)
	}
}
