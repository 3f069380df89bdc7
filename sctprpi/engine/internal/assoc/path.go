package assoc

import (
	"net/netip"
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/assoc/plpmtud"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/assoc/tx"
)

// path is a way to the peer: one of its addresses. Its number is also tx's.
type path struct {
	remote netip.AddrPort
	// local is what to send from, the zero Addr for the system's choice.
	local netip.Addr
	// confirmed: the address has proved to be the peer's (RFC 9260, section
	// 5.4). down: it does not answer (section 8.2).
	confirmed, down bool
	// errors counts timeouts since the path was last heard. timeouts counts those of T3-rtx since data, or a packet
	// as large as data may be, has passed: it may mean that large packets vanish, while answers to heartbeats,
	// which are small, still come.
	errors, timeouts int
	// denial is why this host does not send to the address, while the association is set up.
	denial error
	// refused: the host has reported the port unreachable.
	refused bool

	search *plpmtud.Search
	// headers is what an IP packet to the path has beside chunks, in bytes.
	headers int
	// narrow: the path does not carry even the smallest packets that are supported.
	// It is never used again.
	narrow bool
	width  widthTest
	beat   heartbeat
	probe  probe
	// rebinding tests another UDP port.
	rebinding rebinding
	// setupRTT is the round trip of the set-up, until tx exists.
	setupRTT time.Duration
	// control are chunks to be sent there, in a packet that is not markable if plain is set.
	control []byte
	plain   bool
}

// addPath adds an address of the peer and returns its number, that of the path
// that is there already, or -1 if there are too many.
func (a *Association) addPath(remote netip.AddrPort, local netip.Addr, confirmed bool) int {
	if i := a.PathOf(remote); i >= 0 {
		return i
	}
	if len(a.paths) == tx.MaxPaths {
		return -1
	}
	search, narrow := a.host.newSearch(remote.Addr())
	a.paths = append(a.paths, path{
		remote: remote, local: local, confirmed: confirmed, search: search, narrow: narrow, headers: a.host.headers(remote.Addr()),
		beat: heartbeat{deadline: never},
	})
	return len(a.paths) - 1
}

// PathOf returns the number of the path to an address, -1 if there is none. It
// knows a path by its IP address and UDP port.
func (a *Association) PathOf(remote netip.AddrPort) int {
	for i := range a.paths {
		if a.paths[i].remote == remote {
			return i
		}
	}
	return -1
}

// Primary returns the number of the primary path.
func (a *Association) Primary() int { return a.primary }

// up reports whether the path is one to send data on.
func (p *path) up() bool { return p.confirmed && !p.down && !p.narrow }

// stop ends all that is going on.
func (p *path) stop() {
	p.control = nil
	p.rest()
}

// rest ends the tests of the path.
func (p *path) rest() {
	p.beat.deadline, p.beat.underWay = never, false
	p.probe.due, p.rebinding.due = false, false
}

// dataPath returns where new data goes: the primary path unless another is better. One
// that has timed out since it was last heard is left at once while there is another, and
// not only when it is down (RFC 7829, with a PFMR of 0).
func (a *Association) dataPath() int {
	best := a.primary
	for i := range a.paths {
		if a.paths[i].better(&a.paths[best]) {
			best = i
		}
	}
	return best
}

// better reports whether p is rather to be used than q.
func (p *path) better(q *path) bool {
	switch {
	case p.confirmed != q.confirmed:
		return p.confirmed
	case p.narrow != q.narrow:
		return !p.narrow
	case p.down != q.down:
		return !p.down
	}
	return p.errors < q.errors
}

// multipath reports whether data may go on several paths at the same time.
func (a *Association) multipath() bool {
	return len(a.paths) > 1 && a.terms.features.Has(featureMultipath)
}

// openPaths returns the paths that data may go on at the same time: those that have not timed out since they were last heard.
func (a *Association) openPaths() (open tx.PathSet) {
	for i := range a.paths {
		if p := &a.paths[i]; p.up() && p.errors == 0 {
			open |= 1 << i
		}
	}
	return open
}

// answerPath returns the path for the answer to a packet that came from a path. It is the same
// path, unless its address has not been verified yet. To such an address only HEARTBEAT and
// HEARTBEAT ACK chunks are sent (RFC 9260, section 5.4). Otherwise a peer could list a third host's
// address and have packets sent there.
func (a *Association) answerPath(from int) int {
	if a.paths[from].confirmed {
		return from
	}
	return a.dataPath()
}

// resendPath returns where a chunk goes that is to be retransmitted and was last
// sent on a path: elsewhere if that path has timed out since it was last heard
// (RFC 9260, section 6.4.1).
func (a *Association) resendPath(last int) int {
	if p := &a.paths[last]; p.up() && p.errors == 0 {
		return last
	}
	best := -1
	for i := range a.paths {
		if p := &a.paths[i]; i != last && p.up() && (best < 0 || p.errors < a.paths[best].errors) {
			best = i
		}
	}
	if best < 0 {
		return last
	}
	return best
}
