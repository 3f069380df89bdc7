package assoc

import (
	"net/netip"
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/assoc/plpmtud"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/assoc/tx"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// path is a way to the peer: one of its addresses. Its number is also tx's.
type path struct {
	remote netip.AddrPort
	// local is what to send from, the zero Addr for the system's choice.
	local netip.Addr
	// confirmed: the address has proved to be the peer's (RFC 9260, section
	// 5.4). down: it does not answer (section 8.2).
	confirmed, down bool
	// errors counts timeouts since the path was last heard; timeouts those of
	// T3-rtx alone, which may mean that large packets vanish.
	errors, timeouts int

	search *plpmtud.Search
	beat   heartbeat
	probe  probe
	// control are chunks to be sent there.
	control []byte
}

// Sizes of headers in bytes.
const (
	ipv4Header = 20
	ipv6Header = 40
	udpHeader  = 8
)

// MTUs that discovery begins with: RFC 8899, section 5.1.2, and the least of IPv6.
const (
	baseMTUv4 = 1200
	baseMTUv6 = 1280
)

// maxMTU is the largest IP packet.
const maxMTU = 65_535

// addPath adds an address of the peer and returns its number, that of the path
// that is there already, or -1 if there are too many.
func (a *Association) addPath(remote netip.AddrPort, local netip.Addr, confirmed bool) int {
	if i := a.PathOf(remote); i >= 0 {
		return i
	}
	if len(a.paths) == tx.MaxPaths {
		return -1
	}
	base := baseMTUv4
	if remote.Addr().Is6() {
		base = baseMTUv6
	}
	most := max(min(a.host.RouteMTU(remote.Addr()), maxMTU), base)
	search, err := plpmtud.New(plpmtud.Config{Base: base, Max: most})
	if err != nil {
		panic(err) // base ≤ most: nothing to refuse
	}
	a.paths = append(a.paths, path{
		remote: remote, local: local, confirmed: confirmed, search: search,
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

// Moved takes in that the peer sends from another UDP port now, as it does behind
// an address translator that has forgotten it, and returns the path's number, -1 if
// the IP address is not the peer's (RFC 6951, section 5.4). The packet must have
// carried the right tag.
func (a *Association) Moved(remote netip.AddrPort) int {
	for i := range a.paths {
		if a.paths[i].remote.Addr() == remote.Addr() {
			a.paths[i].remote = remote
			return i
		}
	}
	return -1
}

// headers returns what is in a packet to the path before its chunks, in bytes.
func (p *path) headers() int {
	if p.remote.Addr().Is4() {
		return ipv4Header + udpHeader + wire.HeaderSize
	}
	return ipv6Header + udpHeader + wire.HeaderSize
}

// room returns how many bytes of chunks a packet to the path can carry.
func (p *path) room() int { return p.search.MTU() - p.headers() }

// up reports whether the path is one to send data on.
func (p *path) up() bool { return p.confirmed && !p.down }

// stop ends all that is going on.
func (p *path) stop() {
	p.control = nil
	p.rest()
}

// rest ends the tests of the path.
func (p *path) rest() {
	p.beat.deadline, p.beat.underWay = never, false
	p.probe.due = false
}

// heard takes in that the peer has answered on a path.
func (a *Association) heard(i int) {
	p := &a.paths[i]
	p.errors, p.timeouts = 0, 0
	a.errors = 0
	if p.down {
		p.down = false
		a.notifyPath(socket.PathUp, i)
	}
}

// missed takes in a timeout on a path (RFC 9260, sections 8.1 and 8.2) and reports
// whether the association has survived it.
func (a *Association) missed(i int) bool {
	p := &a.paths[i]
	if p.confirmed { // section 5.4: others do not count for the association
		a.errors++
	}
	if a.errors > a.host.Config.AssocRetransmissions {
		a.finish(socket.Event{Kind: socket.Lost, Err: socket.ErrUnreachable, Addr: a.addr(i)})
		return false
	}
	p.errors++
	if p.errors > a.host.Config.PathRetransmissions && !p.down {
		p.down = true
		if p.confirmed {
			a.notifyPath(socket.PathDown, i)
		}
	}
	return true
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
	case p.down != q.down:
		return !p.down
	}
	return p.errors < q.errors
}

// answerPath returns where the answer to a packet goes that came from a path: there,
// unless its address has yet to prove to be the peer's. To such a one nothing is sent
// but HEARTBEAT and HEARTBEAT ACK chunks (RFC 9260, section 5.4), or a peer could list
// the address of somebody else and have packets sent there.
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

// resized takes in that a path's MTU has changed.
func (a *Association) resized(i int) {
	if a.out != nil {
		a.out.SetMaxChunk(tx.PathID(i), a.paths[i].room())
	}
}

// TooBig takes in that a packet to an address could not pass because it was larger
// than an MTU, in bytes of IP packet, as an ICMP message or the system says.
func (a *Association) TooBig(now time.Duration, remote netip.AddrPort, mtu int) {
	if i := a.PathOf(remote); i >= 0 && a.paths[i].search.TooBig(now, mtu) {
		a.resized(i)
	}
}

// unreachablePause is how long a host that says that nobody has the peer's port is left
// alone at least before it is asked again: the peer may be about to be restarted. It is
// twice the round trip if that is longer, in which the peer can answer after all.
const unreachablePause = 50 * time.Millisecond

// setupRefusals is how many times, for each address, the peer's host may say that nobody
// has the port before the set-up is given up.
const setupRefusals = 2

// Unreachable takes in that a packet of the association has come to an address whose
// host says that nobody has the port (ICMP). It must not be believed unless what it quotes
// is known to nobody who has not seen a packet. Even then it ends nothing, but has the
// peer tried again soon, and each attempt that is answered so counts as unanswered at
// once: a peer that was killed is noticed in the time of as many pauses as
// retransmissions are allowed.
func (a *Association) Unreachable(now time.Duration, remote netip.AddrPort) {
	i := a.PathOf(remote)
	if i < 0 || !a.paths[i].confirmed {
		return
	}
	again := now + unreachablePause
	if s := a.setup; s != nil {
		if s.refusals++; s.refusals > setupRefusals*len(a.paths) {
			a.finish(socket.Event{Kind: socket.Lost, Err: socket.ErrUnreachable, Addr: a.addr(i)})
		}
		a.t1 = min(a.t1, again)
		return
	}
	if !a.state.Connected() {
		return
	}
	again = max(again, now+2*a.out.Path(tx.PathID(i)).SRTT)
	p := &a.paths[i]
	switch {
	case !a.state.testsPaths():
		a.t2 = min(a.t2, again)
	case p.down && a.dataPath() != i:
		// There are others.
	case p.beat.underWay:
		p.beat.deadline = min(p.beat.deadline, again)
	default:
		a.sendBeat(now, i)
	}
}
