package tunnel

import (
	"net"
	"net/netip"
	"slices"
	"sync"
)

// places bounds the connections that have not proven the secret, at a time.
const places = 256

// waiting are the connections that have not proven the secret. A new one never waits for a place: if all are taken, the oldest
// connection of the source that has most of them is closed. So connections that prove nothing keep no mpirun out, however many they
// are, and those of one host do not crowd out those of another.
type waiting struct {
	mu      sync.Mutex
	taken   []place // the oldest first
	sources map[netip.Prefix]int
}

type place struct {
	conn   net.Conn
	source netip.Prefix
}

func newWaiting() *waiting { return &waiting{sources: make(map[netip.Prefix]int)} }

// enter gives a connection a place.
func (w *waiting) enter(conn net.Conn) {
	w.mu.Lock()
	defer w.mu.Unlock()
	p := place{conn, source(conn.RemoteAddr())}
	w.taken = append(w.taken, p)
	w.sources[p.source]++
	if len(w.taken) > places {
		w.evict()
	}
}

// evict closes the oldest connection of the source that has most. The lock is held.
func (w *waiting) evict() {
	crowd := 0
	for _, n := range w.sources {
		crowd = max(crowd, n)
	}
	i := slices.IndexFunc(w.taken, func(p place) bool { return w.sources[p.source] == crowd })
	_ = w.taken[i].conn.Close()
	w.remove(i)
}

// leave takes the place of a connection back. It reports whether the connection had one until now: else it is closed.
func (w *waiting) leave(conn net.Conn) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	i := slices.IndexFunc(w.taken, func(p place) bool { return p.conn == conn })
	if i < 0 {
		return false
	}
	w.remove(i)
	return true
}

// remove is called with the lock held.
func (w *waiting) remove(i int) {
	p := w.taken[i]
	w.taken = slices.Delete(w.taken, i, i+1)
	if w.sources[p.source]--; w.sources[p.source] == 0 {
		delete(w.sources, p.source)
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
