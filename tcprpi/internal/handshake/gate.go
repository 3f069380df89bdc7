package handshake

import (
	"context"
	"net"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi/rpi/driver"
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

// Gate bounds the incoming connections that are in their handshake. Those without a proof have places, and a
// new connection never waits for one: if all are taken, the oldest connection of the source that has most of them
// is closed. So connections of other processes that send nothing keep no rank of the job out, however many they
// are, and those of one host do not crowd out those of another. Connections that have proven that they belong to
// the job are never closed, and do not count among the others.
type Gate struct {
	limit int

	mu       sync.Mutex
	pending  []*Pending // without proof, the oldest first
	sources  map[netip.Prefix]int
	admitted int // with proof, still in their handshake
	left     sync.Cond
}

// Pending is a connection in its handshake.
type Pending struct {
	gate     *Gate
	conn     net.Conn
	source   netip.Prefix
	admitted bool
}

// NewGate returns the gate of a process with limit descriptors. A sixteenth of them are for
// connections without a proof, at least 2 and at most 256.
func NewGate(limit int) *Gate {
	g := &Gate{limit: min(max(2, limit/16), most), sources: make(map[netip.Prefix]int)}
	g.left.L = &g.mu
	return g
}

// Enter gives a connection a place. It waits only while as many connections of ranks of the job are in their handshake as
// there are places. If ctx ends it closes the connection and returns nil.
func (g *Gate) Enter(ctx context.Context, conn net.Conn) *Pending {
	defer driver.WakeAtEnd(ctx, &g.left)()
	g.mu.Lock()
	defer g.mu.Unlock()
	for g.admitted >= g.limit && ctx.Err() == nil {
		g.left.Wait()
	}
	if ctx.Err() != nil {
		conn.Close()
		return nil
	}
	p := &Pending{gate: g, conn: conn, source: source(conn.RemoteAddr())}
	g.pending = append(g.pending, p)
	g.sources[p.source]++
	if len(g.pending) > g.limit {
		g.evict()
	}
	return p
}

// Evict closes a connection without a proof, if there is one, to get its descriptor.
func (g *Gate) Evict() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.pending) > 0 {
		g.evict()
	}
}

// evict closes the oldest connection of the source that has most of those without a proof. The lock is held.
func (g *Gate) evict() {
	crowd := 0
	for _, n := range g.sources {
		crowd = max(crowd, n)
	}
	i := slices.IndexFunc(g.pending, func(p *Pending) bool { return g.sources[p.source] == crowd })
	g.pending[i].conn.Close()
	g.remove(i)
}

// remove takes a connection off those without a proof. The lock is held.
func (g *Gate) remove(i int) {
	p := g.pending[i]
	g.pending = slices.Delete(g.pending, i, i+1)
	if g.sources[p.source]--; g.sources[p.source] == 0 {
		delete(g.sources, p.source)
	}
}

// Admit notes that a connection has proven that it belongs to the job. It returns false if that
// comes too late, because the connection has been closed.
func (p *Pending) Admit() bool {
	g := p.gate
	g.mu.Lock()
	defer g.mu.Unlock()
	i := slices.Index(g.pending, p)
	if i < 0 {
		return false
	}
	g.remove(i)
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

// Leave notes that the handshake is over, however it ended.
func (p *Pending) Leave() {
	g := p.gate
	g.mu.Lock()
	defer g.mu.Unlock()
	if i := slices.Index(g.pending, p); i >= 0 {
		g.remove(i)
	}
	if p.admitted {
		g.admitted--
		g.left.Broadcast()
	}
}

// source is where a connection comes from, as far as one owner goes: an IPv4 address, the 64 bits of an IPv6
// address that a network has, or this host.
func source(address net.Addr) netip.Prefix {
	tcp, ok := address.(*net.TCPAddr)
	if !ok {
		return netip.Prefix{}
	}
	ip, bits := tcp.AddrPort().Addr().Unmap().WithZone(""), 64
	switch {
	case ip.IsLoopback():
		return netip.Prefix{}
	case ip.Is4():
		bits = 32
	}
	from, _ := ip.Prefix(bits) // which fits the address
	return from
}

// allow sets the deadline of a connection to d from now. If ctx has ended the connection is
// interrupted instead: socket.InterruptAtEnd may have done so before the deadline was set.
func allow(ctx context.Context, conn net.Conn, d time.Duration) {
	conn.SetDeadline(time.Now().Add(d))
	if ctx.Err() != nil {
		socket.Interrupt(conn)
	}
}
