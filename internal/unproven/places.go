// Package unproven bounds the incoming connections of a process that have not proven where they belong. It is for
// transports and for mpirun, not for programs.
package unproven

import (
	"net"
	"net/netip"
	"slices"
	"sync"
)

// Places are those of such connections. A new one never waits for a place: if all are taken, the oldest connection of the source that has
// most of them is closed. So connections that prove nothing keep no other out, however many they are, and those of one host do not crowd
// out those of another. Use New. Any goroutine may call the methods.
type Places struct {
	number int

	mu      sync.Mutex // held in calls of evict and remove
	taken   []place    // the oldest first
	sources map[netip.Prefix]int
}

type place struct {
	conn   net.Conn
	source netip.Prefix
}

// New returns so many places.
func New(number int) *Places { return &Places{number: number, sources: make(map[netip.Prefix]int)} }

// Enter gives a connection a place.
func (p *Places) Enter(conn net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	from := source(conn.RemoteAddr())
	p.taken = append(p.taken, place{conn, from})
	p.sources[from]++
	if len(p.taken) > p.number {
		p.evict()
	}
}

// Leave takes the place of a connection back. It reports whether the connection had one until now: else it is closed.
func (p *Places) Leave(conn net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	i := slices.IndexFunc(p.taken, func(t place) bool { return t.conn == conn })
	if i < 0 {
		return false
	}
	p.remove(i)
	return true
}

// Evict closes a connection, if there is one, to get its descriptor.
func (p *Places) Evict() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.taken) > 0 {
		p.evict()
	}
}

// Taken is how many places are.
func (p *Places) Taken() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.taken)
}

// evict closes the oldest connection of the source that has most.
func (p *Places) evict() {
	crowd := 0
	for _, n := range p.sources {
		crowd = max(crowd, n)
	}
	i := slices.IndexFunc(p.taken, func(t place) bool { return p.sources[t.source] == crowd })
	_ = p.taken[i].conn.Close()
	p.remove(i)
}

// remove takes a place back.
func (p *Places) remove(i int) {
	from := p.taken[i].source
	p.taken = slices.Delete(p.taken, i, i+1)
	if p.sources[from]--; p.sources[from] == 0 {
		delete(p.sources, from)
	}
}

// source is where a connection comes from, as far as one owner goes: an IPv4 address, the 64 bits of an IPv6 address that a network
// has, or this host.
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
