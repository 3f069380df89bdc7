package enginetest

import (
	"math/rand/v2"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/packet"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Impairments are the probabilities, for each packet that is sent, that it is lost, is overtaken
// by up to overtakers others, arrives twice, or with a bit changed.
type Impairments struct{ Loss, Reorder, Duplicate, Damage float64 }

// overtakers is how many packets may overtake one.
const overtakers = 8

// Impair returns an engine.Config.Network: a bad network in front of the engine's UDP socket, in
// real time. Its randomness follows from seed, but what happens to a packet also depends on
// when others are sent.
func Impair(i Impairments, seed uint64) func(engine.Network) engine.Network {
	return func(n engine.Network) engine.Network {
		return &impaired{Network: n, impairments: i, random: rand.New(rand.NewPCG(seed, 0))}
	}
}

// ListenImpaired returns a function that opens sockets of the engine whose networks lose and reorder
// one packet in twenty each, and duplicate and damage one in a hundred, each in its own way. Their timeouts suit a
// path of microseconds, and they go on retransmitting for long, as no packet proves that the peer is
// dead.
func ListenImpaired() func(c socket.Config, local []netip.Addr, port uint16) (socket.Core, error) {
	return listen(func(n engine.Network, _ uint64) engine.Network { return n })
}

// ListenCut is ListenImpaired of a network whose links are also cut and heal, as Cuts says.
func ListenCut(cuts Cuts) func(c socket.Config, local []netip.Addr, port uint16) (socket.Core, error) {
	return listen(func(n engine.Network, seed uint64) engine.Network { return Cut(cuts, seed)(n) })
}

func listen(behind func(n engine.Network, seed uint64) engine.Network) func(c socket.Config, local []netip.Addr, port uint16) (socket.Core, error) {
	var seeds atomic.Uint64
	return func(c socket.Config, local []netip.Addr, port uint16) (socket.Core, error) {
		c.RTOMin, c.RTOInitial, c.RTOMax = 3*time.Millisecond, 5*time.Millisecond, 50*time.Millisecond
		c.AckDelay = time.Millisecond
		c.AssocRetransmissions, c.PathRetransmissions, c.InitRetransmissions = 50, 50, 50
		seed := seeds.Add(1)
		impair := Impair(Impairments{Loss: 0.05, Reorder: 0.05, Duplicate: 0.01, Damage: 0.01}, seed)
		return engine.Open(engine.Config{
			Config: c, Addrs: local, UDPPort: port,
			Network: func(n engine.Network) engine.Network { return impair(behind(n, seed)) },
		})
	}
}

type impaired struct {
	engine.Network
	impairments Impairments

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
func (l *impaired) Send(b *packet.Batch) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	defer l.out.Reset()
	for i := range b.Packets() {
		p := &b.Packets()[i]
		l.pass(*p, slices.Concat(b.Parts(p)...))
	}
	return l.Network.Send(&l.out)
}

func (l *impaired) pass(p packet.Packet, bytes []byte) {
	c := l.impairments
	switch chance := l.random.Float64(); {
	case chance < c.Loss:
	case chance < c.Loss+c.Reorder:
		l.kept = append(l.kept, kept{p, bytes, 1 + l.random.IntN(overtakers)})
	case chance < c.Loss+c.Reorder+c.Duplicate:
		add(&l.out, p, bytes)
		add(&l.out, p, bytes)
	case chance < c.Loss+c.Reorder+c.Duplicate+c.Damage:
		bytes[l.random.IntN(len(bytes))] ^= 1 << l.random.IntN(8)
		add(&l.out, p, bytes)
	default:
		add(&l.out, p, bytes)
	}
	waiting := l.kept[:0]
	for _, k := range l.kept {
		if k.others--; k.others > 0 {
			waiting = append(waiting, k)
		} else {
			add(&l.out, k.packet, k.bytes)
		}
	}
	l.kept = waiting
}

// add has a packet sent as it is, with the checksum that it has.
func add(out *packet.Batch, p packet.Packet, bytes []byte) {
	out.Begin(p)
	out.Head = append(out.Head, bytes...)
	out.End()
}
