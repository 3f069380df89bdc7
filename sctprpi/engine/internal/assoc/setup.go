package assoc

import (
	"net/netip"
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/assoc/tx"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/cookie"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// setup is what this end needs to know while it sets the association up (RFC 9260,
// section 5.1).
type setup struct {
	// tries counts the INIT or COOKIE ECHO chunks sent; path is where to.
	tries, path int
	// deadline is that of T1-init or T1-cookie, which takes timeout.
	deadline, timeout time.Duration
	// due: the chunk is to be sent; sent is when the first was, for the round
	// trip.
	due  bool
	sent time.Duration
	// cookie is what the INIT ACK brought, and errors the causes to report
	// with it.
	cookie []byte
	errors wire.Causes
	// preserve asks for a longer life of the cookie, after one came too late.
	preserve time.Duration
	stale    int // cookies that came too late
	refusals int // times that a host has reported the port unreachable
	// denied is when this host has first refused to send to one of the addresses; 0: it has not.
	denied  time.Duration
	closing bool // Shutdown has been called
	// peer is what the INIT ACK said, until the association is established.
	peer cookie.State
}

// Connect begins an association to a peer at addresses, the primary first. No other association of
// the endpoint may have tag.
func Connect(h *Host, id socket.AssocID, now time.Duration, tag wire.VerificationTag, peerPort uint16, addrs []netip.AddrPort) *Association {
	a := newAssociation(h, id, peerPort)
	a.localTag, a.initialTSN = tag, wire.TSN(h.Random.Uint32())
	for _, addr := range addrs {
		// The user vouches for them (section 5.4).
		a.addPath(addr, netip.Addr{}, true)
	}
	a.state = CookieWait
	a.setup = &setup{timeout: h.Config.RTOInitial, due: true}
	a.armSetup(now)
	return a
}

// armSetup starts T1-init or T1-cookie.
func (a *Association) armSetup(now time.Duration) {
	a.setup.due = true
	if a.setup.tries == 0 {
		a.setup.sent = now
	}
	a.setup.tries++
	a.setup.deadline = now + a.setup.timeout
}

// setupTimeout handles the expiry of T1-init and T1-cookie: the chunk goes again, to
// another of the peer's addresses that the user has named if there is one. Those that
// only the INIT ACK has named are not to be trusted yet (section 5.4).
func (a *Association) setupTimeout(now time.Duration) {
	s := a.setup
	if s.tries > a.host.Config.InitRetransmissions {
		a.finish(socket.Event{Kind: socket.Lost, Err: socket.ErrUnreachable, Addr: a.addr(s.path)})
		return
	}
	s.timeout = min(2*s.timeout, a.host.Config.RTOMax)
	for s.path = (s.path + 1) % len(a.paths); !a.paths[s.path].confirmed; {
		s.path = (s.path + 1) % len(a.paths)
	}
	a.armSetup(now)
}

// Init returns the INIT chunk of this end. When both ends set up the association at the same
// time its INIT ACK chunk has the same contents (section 5.2.1).
func (a *Association) Init(peer netip.Addr) wire.Init {
	return a.host.initChunk(a.localTag, a.initialTSN, peer)
}

func (h *Host) initChunk(tag wire.VerificationTag, tsn wire.TSN, peer netip.Addr) wire.Init {
	return wire.Init{
		Tag: tag, TSN: tsn,
		Window:     uint32(h.Config.UnauthenticatedBuffer),
		OutStreams: uint16(h.Config.Streams), InStreams: uint16(h.Config.Streams),
		Params: h.AppendParams(nil, peer),
	}
}

// InitAckFor returns an INIT ACK chunk for a new association, without the cookie.
func (h *Host) InitAckFor(tag wire.VerificationTag, peer netip.Addr) wire.Init {
	return h.initChunk(tag, wire.TSN(h.Random.Uint32()), peer)
}

// initAck handles an INIT ACK chunk (section 5.1, C). In other states than
// COOKIE-WAIT it is dropped (section 5.2.3).
func (a *Association) initAck(now time.Duration, from int, c wire.Chunk) {
	if a.state != CookieWait {
		return
	}
	init, state, err := wire.ParseInitAck(c)
	if err == nil && len(state) > maxCookie {
		err = errLongCookie
	}
	if err != nil {
		// The tag, if there is one, is not trusted: section 5.1.2.
		a.peerTag = init.Tag
		a.fail(from, err)
		return
	}
	remote := a.paths[from].remote
	offer, param, err := a.host.ReadParams(init.Params, remote.Addr())
	a.peerTag = init.Tag
	if err != nil {
		a.failParam(from, param, err)
		return
	}
	s := a.setup
	s.peer = cookie.State{
		PeerTag: init.Tag, PeerTSN: init.TSN, PeerWindow: init.Window,
		Outbound: min(init.InStreams, uint16(a.host.Config.Streams)),
		Inbound:  min(init.OutStreams, uint16(a.host.Config.Streams)),
		Features: offer.Features, StreamLimit: offer.StreamLimit,
	}
	a.primary = from
	for _, addr := range offer.Addrs {
		a.addPath(netip.AddrPortFrom(addr, remote.Port()), netip.Addr{}, false)
	}
	var unrecognized wire.Params
	for _, p := range offer.Unrecognized {
		unrecognized = unrecognized.Append(p)
	}
	if len(unrecognized) > 0 {
		s.errors = wire.Causes(nil).AppendUnrecognizedParameters(unrecognized)
	}
	s.cookie = append([]byte(nil), state...)
	if s.tries == 1 {
		a.measured(from, now-s.sent)
	}
	a.state = CookieEchoed
	s.tries, s.path, s.timeout = 0, from, a.host.Config.RTOInitial
	a.armSetup(now)
}

// maxCookie bounds the state cookie that is kept and echoed, in bytes.
const maxCookie = 4096

var errLongCookie = &wire.Error{Cause: wire.CauseOutOfResource, Rule: "state cookie longer than 4,096 bytes"}

// measured keeps the round trip of the set-up until tx exists.
func (a *Association) measured(i int, rtt time.Duration) { a.paths[i].setupRTT = rtt }

// cookieAck handles a COOKIE ACK chunk: the association is established (section
// 5.1, E). In other states than COOKIE-ECHOED it is dropped.
func (a *Association) cookieAck(now time.Duration, from int) {
	if a.state != CookieEchoed {
		return
	}
	if a.setup.tries == 1 {
		a.measured(from, now-a.setup.sent)
	}
	a.establish(now, &a.setup.peer)
}

// Accept makes an association of a state cookie that a peer has echoed.
func Accept(h *Host, id socket.AssocID, now time.Duration, st *cookie.State) *Association {
	a := newAssociation(h, id, st.PeerPort)
	a.adopt(st)
	a.establish(now, st)
	a.acknowledgeCookie()
	return a
}

// adopt takes tags, TSN and paths from a cookie.
func (a *Association) adopt(st *cookie.State) {
	a.localTag, a.initialTSN = st.LocalTag, st.LocalTSN
	if i := a.addPath(st.Peer, st.Local, true); i >= 0 {
		// It has answered there: section 5.4.
		a.paths[i].confirmed = true
		a.primary = i
	}
	for _, addr := range st.PeerAddrs {
		a.addPath(netip.AddrPortFrom(addr, st.Peer.Port()), netip.Addr{}, false)
	}
}

func (a *Association) acknowledgeCookie() {
	a.control(a.primary, func(b []byte) []byte {
		// It must come first in its packet, and what is queued is of no use to
		// a peer that has not heard of the association yet.
		return wire.AppendCookieAck(b[:0])
	})
}

// establish makes the two halves and enters ESTABLISHED.
func (a *Association) establish(now time.Duration, st *cookie.State) {
	a.begin(now, st)
	closing := a.setup != nil && a.setup.closing
	a.state, a.setup = Established, nil
	if a.checkWidth(a.primary); a.state == Closed {
		return
	}
	a.notifyPath(socket.Up, a.primary)
	a.sendEarly(now)
	if closing && a.state == Established {
		a.Shutdown(now)
	}
}

// begin makes the two halves of what was agreed on.
func (a *Association) begin(now time.Duration, st *cookie.State) {
	a.peerTag, a.terms = st.PeerTag, termsOf(st)
	a.out, a.tracker, a.in = a.halves(st)
	buffer := a.host.Config.UnauthenticatedBuffer
	a.rwnd = receiveWindow{advertised: uint32(buffer), most: buffer}
	a.ackPath = a.primary
	a.ecn = notification{}
	a.life.alive(now)
	a.discovery.answered = false
	for i := range a.paths {
		p := &a.paths[i]
		if p.confirmed {
			p.search.Start(now)
		}
		if _, err := a.out.AddPath(p.room()); err != nil {
			panic(err) // a base MTU has room enough
		}
		if a.setup != nil && p.setupRTT > 0 {
			a.out.Sample(tx.PathID(i), p.setupRTT)
		}
		p.beat, p.probe, p.width, p.rebinding = heartbeat{deadline: never}, probe{}, widthTest{}, rebinding{}
		p.errors, p.timeouts, p.down, p.control = 0, 0, false, nil
		a.watch(now, i)
	}
}
