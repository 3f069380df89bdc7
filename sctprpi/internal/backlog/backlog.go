// Package backlog bounds the associations of a socket that peers have begun and whose
// peers its user does not know yet: see socket.Config.MaxUnauthenticated.
package backlog

import (
	"net/netip"
	"slices"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Backlog is a list of associations. Use New. It is not for concurrent use.
type Backlog struct {
	most    int
	waiting []waiting // the oldest first
	// sources and hosts count the associations that are waiting.
	sources map[netip.AddrPort]int
	hosts   map[netip.Addr]int
}

type waiting struct {
	id     socket.AssocID
	source netip.AddrPort
}

// New returns an empty list for so many associations, at least one.
func New(most int) *Backlog {
	return &Backlog{most: most, sources: make(map[netip.AddrPort]int), hosts: make(map[netip.Addr]int)}
}

// sourceOf returns the process that sends from an address, by its UDP port. A process has a UDP
// port to itself, or else an SCTP port. Behind one UDP port it can have as many SCTP ports as it
// likes.
func sourceOf(a socket.Addr) netip.AddrPort {
	if a.UDP != 0 {
		return netip.AddrPortFrom(a.IP, a.UDP)
	}
	return netip.AddrPortFrom(a.IP, a.Port)
}

// Add enters an association with a peer at an address. If there is no room it returns the association that has to go, otherwise 0. Its time
// grows with the number of associations that wait.
//
// The victim is found in three steps: the IP address with most associations, the port of it with most, and its oldest association. So
// a flood from one socket, or from one host, displaces itself, and a peer that has one association does not notice.
func (b *Backlog) Add(id socket.AssocID, peer socket.Addr) (victim socket.AssocID) {
	w := waiting{id, sourceOf(peer)}
	b.waiting = append(b.waiting, w)
	b.sources[w.source]++
	b.hosts[w.source.Addr()]++
	if len(b.waiting) <= b.most {
		return 0
	}
	worst := 0
	for i := range b.waiting {
		if b.moreOf(i, worst) {
			worst = i
		}
	}
	victim = b.waiting[worst].id
	b.remove(worst)
	return victim
}

// moreOf reports whether there are more associations with the peer of the association i
// than with that of j.
func (b *Backlog) moreOf(i, j int) bool {
	x, y := b.waiting[i].source, b.waiting[j].source
	if b.sources[x] != b.sources[y] {
		return b.sources[x] > b.sources[y]
	}
	return b.hosts[x.Addr()] > b.hosts[y.Addr()]
}

// Remove takes an association out, and does nothing if it is not there.
func (b *Backlog) Remove(id socket.AssocID) {
	if i := slices.IndexFunc(b.waiting, func(w waiting) bool { return w.id == id }); i >= 0 {
		b.remove(i)
	}
}

func (b *Backlog) remove(i int) {
	source := b.waiting[i].source
	b.waiting = slices.Delete(b.waiting, i, i+1)
	if b.sources[source]--; b.sources[source] == 0 {
		delete(b.sources, source)
	}
	if b.hosts[source.Addr()]--; b.hosts[source.Addr()] == 0 {
		delete(b.hosts, source.Addr())
	}
}

// Len returns how many there are.
func (b *Backlog) Len() int { return len(b.waiting) }
