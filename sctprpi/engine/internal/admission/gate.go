// Package admission keeps a flood of strangers' packets from taking the time of an engine's socket. It decides by a packet's
// source and its first chunk, before the checksum and before any lock of the engine.
//
// A source is an address with its UDP port. Peers are the sources that the engine knows: those of its associations that the
// user has begun or authenticated. Their packets are admitted, except for those that set up an association: these are
// answered or verified with an HMAC, whatever is in them, and so each peer has a budget. Strangers have one for packets of any
// kind, each source its own, and one together. So a member of a job that is not known yet is heard although a
// stranger of the same host floods the socket. If very many sources do, it is heard once the user has said that it is expected:
// an expected source has a budget for packets of any kind, which it shares with no other. Its address may be forged, and that
// concerns no other source.
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

	// mu guards known, and is held for short times only.
	mu    sync.Mutex
	known map[netip.AddrPort]*source
}

// source is one that is known: a peer, as often as Know was called, or expected, or both.
type source struct {
	times    int
	expected bool
	own      budget.Budget
}

// New returns the Gate of a socket with so many associations at most.
func New(associations int) *Gate {
	most := strangersMost
	if associations < strangersMost/packetsToBeKnown {
		most = strangersSpare + packetsToBeKnown*associations
	}
	g := &Gate{seed: maphash.MakeSeed(), strangers: budget.New(most, strangerRate), known: make(map[netip.AddrPort]*source)}
	for i := range g.sources {
		g.sources[i] = budget.New(sourceMost, sourceRate)
	}
	return g
}

// Know makes a source a peer. Any goroutine may call it.
func (g *Gate) Know(from netip.AddrPort) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.source(from).times++
}

// Forget takes one Know back.
func (g *Gate) Forget(from netip.AddrPort) {
	g.mu.Lock()
	defer g.mu.Unlock()
	s := g.known[from]
	if s.times--; s.times == 0 && !s.expected {
		delete(g.known, from)
	}
}

// Expect makes a source expected, for ever. Any goroutine may call it.
func (g *Gate) Expect(from netip.AddrPort) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.source(from).expected = true
}

// source returns a source, which is known from now on. The lock is held.
func (g *Gate) source(from netip.AddrPort) *source {
	s := g.known[from]
	if s == nil {
		s = &source{own: budget.New(sourceMost, sourceRate)}
		g.known[from] = s
	}
	return s
}

// Admit decides for each packet of a batch, and reports whether one of a stranger was refused. Packets that come together are
// mostly from one source.
func (g *Gate) Admit(now time.Duration, batch []packet.Datagram, admitted []bool) (refusedStranger bool) {
	var refused uint64
	var from netip.AddrPort
	var s *source
	var own *budget.Budget
	g.mu.Lock()
	defer g.mu.Unlock()
	for i := range batch {
		d := &batch[i]
		if own == nil || d.From != from {
			from = d.From
			if s = g.known[from]; s != nil {
				own = &s.own
			} else {
				own = &g.sources[maphash.Comparable(g.seed, from)%places]
			}
		}
		switch {
		case s == nil:
			admitted[i] = own.Take(now) && g.strangers.Take(now)
			refusedStranger = refusedStranger || !admitted[i]
		case s.times > 0 && !wire.SetsUp(d.Bytes):
			admitted[i] = true
		default:
			admitted[i] = own.Take(now)
		}
		if !admitted[i] {
			refused++
		}
	}
	if refused > 0 {
		g.refused.Add(refused)
	}
	return refusedStranger
}

// Refused returns how many packets were not admitted.
func (g *Gate) Refused() uint64 { return g.refused.Load() }
