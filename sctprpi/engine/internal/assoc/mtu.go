package assoc

import (
	"fmt"
	"net/netip"
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/assoc/plpmtud"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/assoc/tx"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Sizes of headers in bytes.
const (
	ipv4Header = 20
	ipv6Header = 40
	udpHeader  = 8
)

// MTUs in bytes of IP packet: the least that every path must carry (RFC 1122, section
// 3.3.3, and RFC 8200, section 5), what discovery begins with (RFC 8899, section 5.1.2),
// and the largest IP packet.
const (
	leastMTUv4 = 576
	leastMTUv6 = 1280
	baseMTUv4  = 1200
	baseMTUv6  = leastMTUv6
	maxMTU     = 65_535
)

// leastMTU returns the smallest MTU of a path to an address that is supported.
func leastMTU(to netip.Addr) int {
	if to.Is4() {
		return leastMTUv4
	}
	return leastMTUv6
}

// leastProbeTimer is how long the answer to a probe is waited for at least (PROBE_TIMER of RFC
// 8899, section 5.1.1). A host with more work than processors can take longer to answer than
// the round trips before.
const leastProbeTimer = time.Second

// newSearch begins the discovery of the MTU of a path to an address. narrow says that this
// host's route is too narrow for the path to be used.
func (h *Host) newSearch(to netip.Addr) (search *plpmtud.Search, narrow bool) {
	least, base, route := leastMTU(to), baseMTUv4, min(h.RouteMTU(to), maxMTU)
	if to.Is6() {
		base = baseMTUv6
	}
	most := max(route, least)
	search, err := plpmtud.New(plpmtud.Config{Min: least, Base: min(base, most), Max: most})
	if err != nil {
		panic(err) // least ≤ base ≤ most: nothing to refuse
	}
	return search, route < least
}

// Passable returns an error if no packet of the size that every path must carry can leave
// for an address.
func (h *Host) Passable(to socket.Addr) error {
	if route := h.RouteMTU(to.IP); route < leastMTU(to.IP) {
		return fmt.Errorf("%w: the route to %v has an MTU of %d bytes, and must have at least %d",
			socket.ErrPathMTU, to, route, leastMTU(to.IP))
	}
	return nil
}

// SurePacket returns the length in bytes of the longest packet that every path to an address
// carries.
func (h *Host) SurePacket(to netip.Addr) int {
	return leastMTU(to) - ipHeader(to) - udpHeader - h.overhead()
}

// overhead returns how many bytes a guard makes of a packet's datagram.
func (h *Host) overhead() int {
	if h.Config.Guard == nil {
		return 0
	}
	before, behind := h.Config.Guard.Overhead()
	return before + behind
}

func ipHeader(to netip.Addr) int {
	if to.Is4() {
		return ipv4Header
	}
	return ipv6Header
}

// headers returns what an IP packet to an address has beside chunks, in bytes.
func (h *Host) headers(to netip.Addr) int {
	return ipHeader(to) + udpHeader + h.overhead() + wire.HeaderSize
}

// room returns how many bytes of chunks a packet to the path can carry.
func (p *path) room() int { return p.search.MTU() - p.headers }

// discovery is what the searches for the MTUs of an association's paths have in common.
type discovery struct {
	begun    bool // the MTUs are being looked for, or have been
	answered bool // the peer has answered a probe
}

// search begins to look for the MTUs of paths if bytes of messages that are not acknowledged do
// not fit a packet otherwise. As long as they do, a larger MTU would be of no use, and probes
// take as long to send and to receive as the largest packets.
func (a *Association) search(bytes int) {
	if a.calls(bytes) {
		a.discovery.begun = true
	}
}

// calls reports whether so many bytes make search begin.
func (a *Association) calls(bytes int) bool {
	return !a.discovery.begun && bytes > a.paths[a.primary].room()-wire.IDataHeaderSize
}

// resized notes that a path's MTU has changed.
func (a *Association) resized(i int) {
	if a.out != nil {
		a.out.SetMaxChunk(tx.PathID(i), a.paths[i].room())
	}
}

// TooBig notes that a packet to an address could not pass because it was larger
// than an MTU, in bytes of IP packet, as an ICMP message or the system says.
func (a *Association) TooBig(now time.Duration, remote netip.AddrPort, mtu int) {
	if i := a.PathOf(remote); i >= 0 && a.paths[i].search.TooBig(now, mtu) {
		a.resized(i)
	}
}

// widthTest finds out whether a path carries small packets while those of the least MTU are
// lost.
type widthTest struct {
	nonce uint64 // of the heartbeat under way, 0 if there is none
	sent  time.Duration
	// answers counts heartbeats answered since probes of the least MTU are lost, or since
	// data was last acknowledged for good.
	answers int
}

// narrowAnswers is how many heartbeats are answered, with a packet of the least MTU lost
// before each, until a path is held to be too narrow.
const narrowAnswers = 6

// searchTimeout handles the loss of a probe for a path's MTU. When not even the least MTU
// has passed, a heartbeat, which is far smaller, shows whether the path is down or narrow.
func (a *Association) searchTimeout(now time.Duration, i int) {
	p := &a.paths[i]
	before := p.search.Failures()
	if p.search.Expire(now) {
		a.resized(i)
	}
	switch p.search.Failures() {
	case before:
		return
	case 1:
		p.width.answers = 0
	}
	a.testWidth(now, i)
}

// testWidth sends a small heartbeat after a large packet was lost.
func (a *Association) testWidth(now time.Duration, i int) {
	w := &a.paths[i].width
	w.nonce, w.sent = a.host.Random.Uint64()|1, now
	a.sendInfo(i, w.nonce, purposeWidth)
}

// smallPassed notes that a heartbeat of a widthTest has been answered. Probes are filled with the
// PAD chunk of RFC 4820. A peer that has never answered one may not know that chunk: then only the
// loss of data shows that the path is too narrow.
func (a *Association) smallPassed(i int) {
	p := &a.paths[i]
	p.width.nonce = 0
	if _, outstanding := a.out.Buffered(); !a.discovery.answered && outstanding == 0 {
		p.width.answers = 0
	} else {
		p.width.answers++
	}
	if p.search.Failures() == 0 || p.width.answers < narrowAnswers {
		return
	}
	p.narrow = true
	a.notifyPath(socket.PathDown, i)
	a.checkWidth(i)
}

// carried notes that data which paths have carried has been acknowledged cumulatively.
func (a *Association) carried(paths tx.PathSet) {
	for i := range a.paths {
		if paths.Has(tx.PathID(i)) {
			a.paths[i].width.answers = 0
		}
	}
}

// checkWidth ends the association if all paths are too narrow. Path i, which is, goes into the error.
func (a *Association) checkWidth(i int) {
	for k := range a.paths {
		if p := &a.paths[k]; p.confirmed && !p.narrow {
			return
		}
	}
	least := leastMTU(a.paths[i].remote.Addr())
	err := fmt.Errorf("%w: IP packets of %d bytes do not pass to %v", socket.ErrPathMTU, least, a.addr(i))
	a.giveUp(err, fmt.Sprintf("IP packets of %d bytes do not pass to this host", least))
}
