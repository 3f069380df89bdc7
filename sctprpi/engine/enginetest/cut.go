package enginetest

import (
	"math/rand/v2"
	"net/netip"
	"slices"
	"sync"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/packet"
)

// Cuts say how links are cut and heal: of the packets to one address up to Up, at random, arrive, up to Down are lost, and so
// on. They count packets rather than time, so that a busy machine changes nothing. A peer is not dead as long as
// Down is less than the retransmissions that prove it.
type Cuts struct{ Up, Down int }

// Cut returns an engine.Config.Network: one in front of the engine's UDP socket whose links are cut and heal, each in one
// direction. Its randomness follows from seed.
func Cut(c Cuts, seed uint64) func(engine.Network) engine.Network {
	return func(n engine.Network) engine.Network {
		return &cut{Network: n, cuts: c, random: rand.New(rand.NewPCG(seed, 1)), links: map[netip.AddrPort]*link{}}
	}
}

type cut struct {
	engine.Network
	cuts Cuts

	mu     sync.Mutex
	random *rand.Rand
	links  map[netip.AddrPort]*link
	out    packet.Batch
}

// link is the way to an address: so many packets more arrive, or are lost if it is down.
type link struct {
	down bool
	left int
}

// Send implements engine.Network.
func (l *cut) Send(b *packet.Batch) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	defer l.out.Reset()
	for i := range b.Packets() {
		if p := &b.Packets()[i]; l.arrives(p.To) {
			add(&l.out, *p, slices.Concat(b.Parts(p)...))
		}
	}
	return l.Network.Send(&l.out)
}

// arrives reports whether the next packet to an address does.
func (l *cut) arrives(to netip.AddrPort) bool {
	k := l.links[to]
	if k == nil {
		k = &link{left: 1 + l.random.IntN(l.cuts.Up)}
		l.links[to] = k
	}
	if k.left == 0 {
		k.down = !k.down
		k.left = 1 + l.random.IntN(map[bool]int{false: l.cuts.Up, true: l.cuts.Down}[k.down])
	}
	k.left--
	return !k.down
}
