package endpoint

import (
	"errors"
	"math/rand/v2"
	"net/netip"
	"slices"
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/admission"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/assoc"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/cookie"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/list"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/packet"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/backlog"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Config is what an Endpoint is made with.
type Config struct {
	socket.Config
	// Port is the SCTP port, Addrs the local addresses that peers are told
	// when there are more than one.
	Port  uint16
	Addrs []netip.Addr
	// Seed determines all random choices. It must not be predictable.
	Seed [32]byte
	// Pool lends memory for what has to be copied.
	Pool *packet.Pool
	// RouteMTU returns the largest IP packet that can be sent to an address,
	// in bytes.
	RouteMTU func(netip.Addr) int
	// Trusted: see assoc.Host.
	Trusted bool
}

// Endpoint is the protocol half of a socket. Use New. After each call that takes a
// time, call Next until it has no packet; then Deadline says when to call Expire.
type Endpoint struct {
	host   assoc.Host
	random *rand.ChaCha8
	signer *cookie.Signer
	signed time.Duration // when the signer's secret was last changed
	state  cookie.State  // of the cookie at hand
	ids    socket.AssocID
	byID   map[socket.AssocID]*entry
	byTag  map[wire.VerificationTag]*entry
	byPeer map[peer]*entry
	// bySender are the associations with each sender that a guard knows, without those that have ended: one, or two while one takes the
	// place of the other.
	bySender map[uint64][]*entry
	// backlog are the associations whose peers are not known, as long as they last,
	// nil if that makes no difference. unauthenticated counts them until they are removed.
	backlog         *backlog.Backlog
	unauthenticated int
	// gate knows the addresses of all other associations, and those that are expected.
	gate *admission.Gate

	replies replies
	timers  timers
	// sending may have packets, ready events, releasing messages to give back, fresh events to settle.
	sending, ready, releasing, fresh list.List[entry]
	stats                            Stats
}

// peer is a transport address of a peer.
type peer struct {
	addr netip.AddrPort // with the UDP port
	port uint16
}

// entry is an association with its places in the Endpoint.
type entry struct {
	*assoc.Association
	// tag and peers are what it is indexed by.
	tag      wire.VerificationTag
	peers    []peer
	deadline time.Duration
	slot     int  // in timers, -1 if in none
	known    bool // to the gate
	// sender is the peer's, 0 as long as it is not known: see socket.Sender.
	sender uint64
	// The places in the lists of the Endpoint that have the same names.
	sending, ready, releasing, fresh list.Link[entry]
	// unauthenticated: the peer has begun it, and the user has not said that it is known.
	// seen: the user has polled an event of it, or named its ID.
	unauthenticated, seen bool
}

// New returns an Endpoint without associations.
func New(c Config) (*Endpoint, error) {
	resolved, err := assoc.Resolve(c.Config)
	if err != nil {
		return nil, err
	}
	if c.Port == 0 {
		return nil, errors.New("sctp: port 0 cannot be used")
	}
	source := rand.NewChaCha8(c.Seed)
	signer, err := cookie.NewSigner(source)
	if err != nil {
		return nil, err
	}
	e := &Endpoint{
		host: assoc.Host{
			Config: resolved, Port: c.Port, Addrs: c.Addrs,
			Random: rand.New(source), Pool: c.Pool, RouteMTU: c.RouteMTU, Trusted: c.Trusted,
		},
		random: source, signer: signer,
		byID:   make(map[socket.AssocID]*entry),
		byTag:  make(map[wire.VerificationTag]*entry),
		byPeer: make(map[peer]*entry), bySender: make(map[uint64][]*entry),
		gate: admission.New(resolved.MaxAssociations),
	}
	e.replies.host = &e.host
	if n := resolved.MaxUnauthenticated; n > 0 {
		e.backlog = backlog.New(n)
	}
	return e, nil
}

// newTag draws a tag that no association has.
func (e *Endpoint) newTag() wire.VerificationTag {
	for {
		if tag := e.host.NewTag(); e.byTag[tag] == nil {
			return tag
		}
	}
}

// newID returns an ID that has not been used, or not for 2³² associations.
func (e *Endpoint) newID() socket.AssocID {
	for {
		e.ids++
		if e.ids != 0 && e.byID[e.ids] == nil {
			return e.ids
		}
	}
}

// add handles a new association.
func (e *Endpoint) add(now time.Duration, a *assoc.Association) *entry {
	en := &entry{Association: a, slot: -1, deadline: never}
	e.byID[a.ID()] = en
	e.index(en)
	e.touch(en)
	return en
}

// index lets an association be found by its tag and its addresses, and by no others. If several
// associations have an address, it finds the one that has verified it.
func (e *Endpoint) index(en *entry) {
	e.unindex(en)
	en.tag = en.LocalTag()
	e.byTag[en.tag] = en
	for remote := range en.Remote {
		p := peer{remote, en.PeerPort()}
		if other := e.byPeer[p]; other != nil {
			if other.Confirmed(remote) || !en.Confirmed(remote) {
				continue
			}
			other.peers = slices.DeleteFunc(other.peers, func(q peer) bool { return q == p })
			if other.known {
				e.gate.Forget(p.addr)
			}
		}
		e.byPeer[p] = en
		en.peers = append(en.peers, p)
	}
	if en.known = !en.unauthenticated; en.known {
		for _, p := range en.peers {
			e.gate.Know(p.addr)
		}
	}
}

// owner returns the association that owns an address. An association that has merely listed the
// address does not own it. Otherwise its peer could impersonate the owner, whose INIT chunk would
// look like a restart of that peer (RFC 5062, section 2). While an association is being set up
// there was no time to verify addresses, and the chunk may be the peer's own, of a collision.
func (e *Endpoint) owner(p peer) *entry {
	en := e.byPeer[p]
	if en != nil && en.State().Connected() && !en.Confirmed(p.addr) {
		return nil
	}
	return en
}

// attribute notes whose association it is, as a guard says, 0 for nobody's any more.
func (e *Endpoint) attribute(en *entry, sender uint64) {
	if en.sender == sender {
		return
	}
	if en.sender != 0 {
		rest := slices.DeleteFunc(e.bySender[en.sender], func(other *entry) bool { return other == en })
		if e.bySender[en.sender] = rest; len(rest) == 0 {
			delete(e.bySender, en.sender)
		}
	}
	if en.sender = sender; sender != 0 {
		e.bySender[sender] = append(e.bySender[sender], en)
	}
}

func (e *Endpoint) unindex(en *entry) {
	if en.tag != 0 {
		delete(e.byTag, en.tag)
	}
	for _, p := range en.peers {
		delete(e.byPeer, p)
		if en.known {
			e.gate.Forget(p.addr)
		}
	}
	en.tag, en.peers = 0, en.peers[:0]
}

// touch notes that something has happened to an association.
func (e *Endpoint) touch(en *entry) {
	if en.State() == assoc.Closed {
		e.ended(en)
	}
	e.sending.Push(en, &en.sending)
	e.releasing.Push(en, &en.releasing)
	e.wake(en)
}

// wake enters an association among those that are ready if it has events, and else takes it out.
func (e *Endpoint) wake(en *entry) {
	if en.Ready() {
		e.ready.Push(en, &en.ready)
	} else {
		e.ready.Remove(&en.ready)
	}
}

// Collect gives back messages that are done with. It must not be called while a batch
// that Next has filled is being sent.
func (e *Endpoint) Collect() {
	for !e.releasing.Empty() {
		en := e.releasing.Pop()
		en.Collect()
		e.wake(en)
	}
}

// Ready reports whether Poll has an event, or something to settle.
func (e *Endpoint) Ready() bool { return !e.ready.Empty() || !e.fresh.Empty() }

// Close gives up all associations, after having put ABORT chunks for the peers into
// the batch.
func (e *Endpoint) Close(now time.Duration, b *packet.Batch) {
	for _, en := range e.byID {
		if en.State() != assoc.Closed {
			en.Abort("socket closed")
		}
		for en.Next(now, b) {
		}
	}
}

// Discard forgets everything. Nothing that Next has put into a batch must still be
// being sent.
func (e *Endpoint) Discard() {
	for _, en := range e.byID {
		en.Discard()
	}
	clear(e.byID)
	clear(e.byTag)
	clear(e.byPeer)
	clear(e.bySender)
	none := list.List[entry]{}
	e.sending, e.ready, e.releasing, e.fresh, e.timers = none, none, none, none, nil
}
