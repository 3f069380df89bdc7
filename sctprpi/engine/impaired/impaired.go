// Package impaired is a bad network in front of the engine's UDP socket, for tests of what
// is built on it: it loses, reorders and duplicates packets, in real time and without any
// privilege. (Package simnet does that and much more in virtual time, to the protocol
// alone.)
package impaired

import (
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/packet"
)

// Conditions are the probabilities, per packet sent, that it is lost, is overtaken by up
// to overtakers others, or comes twice.
type Conditions struct{ Loss, Reorder, Duplicate float64 }

// overtakers is how many packets may overtake one.
const overtakers = 8

// Link returns what engine.Config.Network is to be. Its randomness follows from seed; what
// happens to a packet depends on when others are sent too.
func Link(c Conditions, seed uint64) func(engine.Network) engine.Network {
	return func(n engine.Network) engine.Network {
		return &link{Network: n, conditions: c, random: rand.New(rand.NewPCG(seed, 0))}
	}
}

type link struct {
	engine.Network
	conditions Conditions

	mu     sync.Mutex
	random *rand.Rand
	out    packet.Batch
	kept   []kept
}

// kept is a packet that waits for others to overtake it. When none come it is lost, as it
// would be in a network that forgets it.
type kept struct {
	packet packet.Packet
	bytes  []byte
	others int
}

// Send implements engine.Network.
func (l *link) Send(b *packet.Batch) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	defer l.out.Reset()
	for i := range b.Packets() {
		p := &b.Packets()[i]
		l.pass(*p, slices.Concat(b.Parts(p)...))
	}
	return l.Network.Send(&l.out)
}

func (l *link) pass(p packet.Packet, bytes []byte) {
	c := l.conditions
	switch chance := l.random.Float64(); {
	case chance < c.Loss:
	case chance < c.Loss+c.Reorder:
		l.kept = append(l.kept, kept{p, bytes, 1 + l.random.IntN(overtakers)})
	case chance < c.Loss+c.Reorder+c.Duplicate:
		l.add(p, bytes)
		l.add(p, bytes)
	default:
		l.add(p, bytes)
	}
	waiting := l.kept[:0]
	for _, k := range l.kept {
		if k.others--; k.others > 0 {
			waiting = append(waiting, k)
		} else {
			l.add(k.packet, k.bytes)
		}
	}
	l.kept = waiting
}

// add has a packet sent as it is, with the checksum that it has.
func (l *link) add(p packet.Packet, bytes []byte) {
	l.out.Begin(p)
	l.out.Head = append(l.out.Head, bytes...)
	l.out.End()
}
