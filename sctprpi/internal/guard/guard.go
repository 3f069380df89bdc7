package guard

import (
	"errors"
	"net/netip"
	"sync"
	"time"

	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/budget"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Guard is the guard of one socket. Use New.
type Guard struct {
	secret *seal.Secret
	own    seal.Identity
	counts counters
	// refused is told that peers ought to be looked up: see OnRefusal.
	refused func()

	// mu guards what follows. Datagrams are sealed and opened without it, but for the first of a session. Other methods that are not
	// exported, and those of session, are called with it.
	mu        sync.Mutex
	marker    *seal.Marker
	sessions  map[seal.ID]*session
	routes    map[netip.AddrPort]route
	strangers budget.Budget
	outgoing  []datagram
}

var _ socket.Guard = (*Guard)(nil)

// route is where an address leads. published: the session's peer says so.
type route struct {
	session   *session
	published bool
}

// datagram is one that the guard itself sends.
type datagram struct {
	bytes []byte
	to    netip.AddrPort
}

// How many datagrams are tried whose keys are yet to be derived, which takes some microseconds each, and how many a second. IDs that
// no process of the job has drawn are not. Those of unknown IDs have a budget together. Each peer that is known and has not been heard has one of its own, so that
// strangers do not use it up.
const (
	strangerRate  = 4096
	strangerSpare = 256 // beside the first datagrams of all peers at once
	peerRate      = 64
	peerMost      = 16
)

// maxOutgoing bounds them. What comes beyond is dropped: it will be sent again.
const maxOutgoing = 1024

// New returns the guard of a socket with an identity, whose ID is marked by the secret of the job, of so many peers at most.
func New(secret *seal.Secret, own seal.Identity, peers int) *Guard {
	return &Guard{
		secret: secret, own: own, refused: func() {}, marker: secret.Marker(), strangers: budget.New(2*peers+strangerSpare, strangerRate),
		sessions: make(map[seal.ID]*session), routes: make(map[netip.AddrPort]route),
	}
}

// OnRefusal has f called again and again while datagrams of unknown IDs are not tried because there are too many, and while those
// of a peer that has not been looked up come from several addresses, of which the guard cannot say which is the peer's. f must return
// soon, and must not call the Guard. Call OnRefusal before Open.
func (g *Guard) OnRefusal(f func()) { g.refused = f }

// Errors of Know.
var errSelf = errors.New("it has published the identity of this process")

// Know tells of a peer, and the addresses that it has published.
func (g *Guard) Know(peer seal.Identity, addrs []netip.AddrPort) error {
	if err := g.own.Policy.Agree(peer.Policy); err != nil {
		return err
	}
	if peer.ID == g.own.ID {
		return errSelf
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	s := g.session(peer.ID, g.own.Policy.Mode(), seal.SuiteFor(g.own, peer))
	for _, a := range addrs {
		g.routes[a] = route{s, true}
	}
	if len(addrs) > 0 {
		s.home = addrs[0]
	}
	return nil
}

// Overhead implements socket.Guard.
func (g *Guard) Overhead() (before, behind int) { return headerSize, seal.TagSize }

// Seal implements socket.Guard.
func (g *Guard) Seal(now time.Duration, b []byte, to netip.AddrPort) ([]byte, bool) {
	g.mu.Lock()
	r := g.routes[to]
	s := r.session
	if s == nil {
		g.mu.Unlock()
		g.counts.unknown.Add(1)
		return nil, false
	}
	if !r.published {
		s.answers(to)
	}
	s.records++
	g.tend(now, s, to)
	k := s.sending
	g.mu.Unlock()
	return g.seal(s, k, false, b)
}

// seal seals a datagram with the key of an epoch.
func (g *Guard) seal(s *session, k outgoing, control bool, b []byte) ([]byte, bool) {
	h := header{control: control, mode: s.send.Mode, suite: s.send.Suite, epoch: k.epoch, from: g.own.ID}
	h.put(b)
	sealed, err := k.sealer.Seal(b, headerSize)
	return sealed, err == nil
}

// Open implements socket.Guard.
func (g *Guard) Open(now time.Duration, b []byte, from netip.AddrPort) ([]byte, socket.Sender, bool) {
	h, ok := parse(b)
	if !ok || h.from == g.own.ID {
		g.counts.strangers.Add(1)
		return nil, socket.Sender{}, false
	}
	g.mu.Lock()
	s := g.sessions[h.from]
	if s == nil || s.current.opener == nil {
		defer g.mu.Unlock()
		packet, s := g.introduce(now, s, &h, b)
		if s == nil {
			g.counts.strangers.Add(1)
			return nil, socket.Sender{}, false
		}
		g.opened(now, s, &h, packet, from)
		return packet, s.sender(from, g.routes[from]), !h.control
	}
	s.records++
	opener := s.opener(now, &h)
	r := g.routes[from]
	settled := !h.control && h.epoch == s.current.epoch && r.session == s
	sender := s.sender(from, r)
	g.mu.Unlock()
	if opener == nil {
		g.counts.stale.Add(1)
		return nil, sender, false
	}
	packet, err := opener.Open(b, headerSize)
	if err != nil {
		g.counts.refused(err)
		if errors.Is(err, seal.ErrReplayed) && r.session != s && sender.At == from {
			g.refused() // perhaps a copy was faster, which has come from where the peer is not
		}
		return nil, sender, false
	}
	if !settled {
		g.mu.Lock()
		g.opened(now, s, &h, packet, from)
		g.mu.Unlock()
	}
	return packet, sender, !h.control
}

// introduce opens the first datagram of a peer, and returns its packet and the peer's session, nil if it does not open.
func (g *Guard) introduce(now time.Duration, s *session, h *header, b []byte) ([]byte, *session) {
	terms := seal.Terms{From: h.from, To: g.own.ID, Mode: h.mode, Suite: h.suite}
	tries := &g.strangers
	if s != nil {
		tries = &s.tries
	}
	switch {
	case h.epoch != 0, !g.own.Policy.Allows(h.mode), s != nil && s.send.Suite != h.suite,
		h.suite == seal.AES128GCM && !g.own.AES, s == nil && !g.marker.Marked(h.from):
		return nil, nil
	case !tries.Take(now):
		if s == nil {
			g.refused()
		}
		return nil, nil
	}
	opener := g.secret.Opener(terms)
	packet, err := opener.Open(b, headerSize)
	if err != nil {
		return nil, nil
	}
	if s == nil {
		s = g.session(h.from, h.mode, h.suite) // the peer knows where this end is: it has looked it up
	}
	s.receive, s.current = terms, incoming{0, opener}
	return packet, s
}

// opened takes in that a datagram was genuine.
func (g *Guard) opened(now time.Duration, s *session, h *header, packet []byte, from netip.AddrPort) {
	if r := g.routes[from]; r.session != s && !r.published {
		if s.moves > 0 && !s.home.IsValid() {
			g.refused()
		}
		g.routes[from] = route{session: s}
		if old := s.came(from); g.routes[old] == (route{session: s}) {
			delete(g.routes, old)
		}
	}
	if s.next.opener != nil && h.epoch == s.next.epoch {
		s.advance(now)
		g.counts.rekeyed.Add(1)
	}
	if h.control {
		g.handle(s, packet)
	}
}

// Owner implements socket.Guard.
func (g *Guard) Owner(at netip.AddrPort) (id uint64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if r := g.routes[at]; r.published {
		id = r.session.number
	}
	return id
}

// Next implements socket.Guard.
func (g *Guard) Next() (bytes []byte, to netip.AddrPort, ok bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.outgoing) == 0 {
		return nil, to, false
	}
	d := g.outgoing[0]
	g.outgoing = g.outgoing[1:]
	if len(g.outgoing) == 0 {
		g.outgoing = nil
	}
	return d.bytes, d.to, true
}

// Quotes implements socket.Guard. An ICMP message quotes the header at least.
func (g *Guard) Quotes(quoted []byte, to netip.AddrPort) bool {
	h, ok := parse(quoted)
	if !ok || h.from != g.own.ID {
		return false
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	s := g.routes[to].session
	return s != nil && (h.epoch < s.sending.epoch || h.epoch == s.sending.epoch && h.counter < s.sending.sealer.Sealed())
}
