// Package admission keeps a flood of strangers' packets from taking the time of an engine's socket. It decides by a packet's
// source and its first chunk, before the checksum and before any lock of the engine.
//
// A source is an address with its UDP port. Peers are the sources that the engine knows: those of its associations that the
// user has begun or authenticated. Their packets are admitted, except for those that set up an association: these are
// answered or verified with an HMAC, whatever is in them, and so each peer has a budget. Strangers have one for packets of any
// kind, each source its own, and one together. So a member of a job that is not known yet is heard although a
// stranger of the same host floods the socket; if very many sources do, it is heard as soon as it is known.
package admission

import (
	"hash/maphash"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/packet"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/budget"
)

// Budgets, in packets. To set up an association takes a peer two, and to be authenticated some more. A host whose kernel has
// SCTP sends from one source, whatever the number of its sockets.
const (
	sourceMost   = 256
	sourceRate   = 256
	strangerRate = 8192
	// strangersMost is for sockets with very many associations, strangersSpare for those with few.
	strangersMost    = 16 << 10
	strangersSpare   = 256
	packetsToBeKnown = 8
)

// places is how many budgets strangers' sources share, by a hash that they cannot know.
const places = 256

// Gate decides for one socket. Use New.
type Gate struct {
	// One goroutine at a time admits, and uses these.
	seed      maphash.Seed
	sources   [places]budget.Budget
	strangers budget.Budget
	refused   atomic.Uint64

	// mu guards peers, and is held for short times only.
	mu    sync.Mutex
	peers map[netip.AddrPort]*peer
}

// peer is a source that is known, as often as Know was called.
type peer struct {
	times int
	setUp budget.Budget
}

// New returns the Gate of a socket with so many associations at most.
func New(associations int) *Gate {
	most := strangersMost
	if associations < strangersMost/packetsToBeKnown {
		most = strangersSpare + packetsToBeKnown*associations
	}
	g := &Gate{seed: maphash.MakeSeed(), strangers: budget.New(most, strangerRate), peers: make(map[netip.AddrPort]*peer)}
	for i := range g.sources {
		g.sources[i] = budget.New(sourceMost, sourceRate)
	}
	return g
}

// Know makes a source a peer. Any goroutine may call it.
func (g *Gate) Know(source netip.AddrPort) {
	g.mu.Lock()
	defer g.mu.Unlock()
	p := g.peers[source]
	if p == nil {
		p = &peer{setUp: budget.New(sourceMost, sourceRate)}
		g.peers[source] = p
	}
	p.times++
}

// Forget takes one Know back.
func (g *Gate) Forget(source netip.AddrPort) {
	g.mu.Lock()
	defer g.mu.Unlock()
	p := g.peers[source]
	if p.times--; p.times == 0 {
		delete(g.peers, source)
	}
}

// Admit decides for each packet of a batch. Packets that come together are mostly from one source.
func (g *Gate) Admit(now time.Duration, batch []packet.Datagram, admitted []bool) {
	var refused uint64
	var from netip.AddrPort
	var p *peer
	var own *budget.Budget
	g.mu.Lock()
	defer g.mu.Unlock()
	for i := range batch {
		d := &batch[i]
		if own == nil || d.From != from {
			from = d.From
			if p = g.peers[from]; p != nil {
				own = &p.setUp
			} else {
				own = &g.sources[maphash.Comparable(g.seed, from)%places]
			}
		}
		if p != nil {
			admitted[i] = !wire.SetsUp(d.Bytes) || own.Take(now)
		} else {
			admitted[i] = own.Take(now) && g.strangers.Take(now)
		}
		if !admitted[i] {
			refused++
		}
	}
	if refused > 0 {
		g.refused.Add(refused)
	}
}

// Refused returns how many packets were not admitted.
func (g *Gate) Refused() uint64 { return g.refused.Load() }
