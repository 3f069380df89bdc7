package endpoint

import (
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/packet"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// stage is where two actors, Endpoints with users, play a script: see FuzzEndpoint.
type stage struct {
	t      testing.TB
	now    time.Duration
	script []byte
	actors [2]*actor
	closes bool // in the end
	// heard, if set, sees each packet that is received.
	heard func(a *actor, b []byte)
}

// letter is a packet on the way.
type letter struct {
	from netip.AddrPort
	b    []byte
}

type actor struct {
	*Endpoint
	s     *stage
	peer  *actor
	addrs []netip.AddrPort
	pool  packet.Pool
	batch packet.Batch
	inbox []letter
	// sent is the highest TSN that the Endpoint has sent, acked the highest that it
	// has acknowledged cumulatively, in whichever association.
	sent, acked wire.TSN

	reads  bool
	marks  bool // all that is received
	events [16]socket.Event
	seen   map[socket.AssocID]*life
	lent   map[*int]bool
}

// life is what has been seen of an association.
type life struct{ up, ended bool }

// Bounds of an actor's Config.
const (
	stageBuffer = 64 << 10
	stageAssocs = 3
)

// newStage takes the options from the first byte of a script.
func newStage(t testing.TB, script []byte) *stage {
	s := &stage{t: t, script: script}
	options := s.next()
	s.closes = options&1 != 0
	c := socket.Config{
		Streams: 4, SendBuffer: stageBuffer, ReceiveBuffer: stageBuffer, MaxAssociations: stageAssocs,
		Interleaving: options&2 != 0, WholeMessages: options&4 != 0, Scheduler: socket.Scheduler(options >> 6),
	}
	if options&32 != 0 {
		c.MaxUnauthenticated, c.ReceiveBuffer, c.UnauthenticatedBuffer = 1, 2*stageBuffer, stageBuffer
	}
	if options&8 != 0 {
		c.StreamLimit = stageBuffer / 4
	}
	if options&(8|16) == 8|16 {
		c.StreamPool, c.StreamBase = stageBuffer/2, 1000
	}
	homes := 1 + int(options>>4&1)
	c.Multipath = options&(4|16) == 4|16
	c.ECN = !s.closes
	for i := range s.actors {
		a := &actor{s: s, reads: true, seen: make(map[socket.AssocID]*life), lent: make(map[*int]bool)}
		var addrs []netip.Addr
		for home := range homes {
			addrs = append(addrs, netip.AddrFrom4([4]byte{10, 0, byte(home), byte(i + 1)}))
			a.addrs = append(a.addrs, netip.AddrPortFrom(addrs[home], udpPort))
		}
		ep, err := New(Config{
			Config: c, Port: uint16(1000 + i), Addrs: addrs, Seed: [32]byte{byte(i)}, Pool: &a.pool,
			RouteMTU: func(netip.Addr) int { return 1500 },
			Trusted:  options&32 != 0,
		})
		require.NoError(t, err)
		a.Endpoint = ep
		s.actors[i] = a
	}
	s.actors[0].peer, s.actors[1].peer = s.actors[1], s.actors[0]
	return s
}

// remote returns what others Connect to.
func (a *actor) remote() (addrs []socket.Addr) {
	for _, addr := range a.addrs {
		addrs = append(addrs, socket.Addr{IP: addr.Addr(), Port: a.host.Port, UDP: addr.Port()})
	}
	return addrs
}

// any returns an association's ID, the lowest.
func (a *actor) any() (id socket.AssocID) {
	for i := range a.byID {
		if id == 0 || i < id {
			id = i
		}
	}
	return id
}

// take takes one of the packets that are on the way to an actor.
func (a *actor) take(which int) (from netip.AddrPort, b []byte) {
	if len(a.inbox) == 0 {
		return from, nil
	}
	which %= len(a.inbox)
	l := a.inbox[which]
	a.inbox = append(a.inbox[:which], a.inbox[which+1:]...)
	return l.from, l.b
}

func (a *actor) receive(from netip.AddrPort, b []byte) {
	if a.s.heard != nil {
		a.s.heard(a, b)
	}
	buffer := a.pool.Get(max(len(b), 1))
	d := packet.Datagram{From: from, To: a.addrs[0].Addr(), Bytes: buffer.Bytes[:copy(buffer.Bytes, b)], Buffer: buffer}
	if a.marks {
		d.ECN = packet.CE
	}
	if a.Checked(d.Bytes) {
		a.Receive(a.s.now, &d)
	} else {
		a.Bad()
	}
	buffer.Release()
}

// exchange hands packets to and fro, 1 ms on the way.
func (s *stage) exchange() {
	for range 100 {
		s.actors[0].flush()
		s.actors[1].flush()
		if len(s.actors[0].inbox)+len(s.actors[1].inbox) == 0 {
			return
		}
		s.wait(time.Millisecond)
		for _, a := range s.actors {
			inbox := a.inbox
			a.inbox = nil
			for _, l := range inbox {
				a.receive(l.from, l.b)
			}
		}
	}
}

// wait lets time pass.
func (s *stage) wait(d time.Duration) {
	end := s.now + d
	for range 10_000 {
		next := end
		for _, a := range s.actors {
			a.flush()
			if at, runs := a.Deadline(); runs {
				next = min(next, at)
			}
		}
		s.now = max(s.now, next)
		for _, a := range s.actors {
			a.Expire(s.now)
			a.flush()
		}
		if next == end {
			return
		}
	}
	require.Fail(s.t, "timers run without end")
}

// maxInbox bounds the packets on the way. More are lost.
const maxInbox = 300

// flush has an Endpoint do all that it has to do now.
func (a *actor) flush() {
	for range 1000 {
		a.Collect()
		read := 0
		if a.reads {
			read = a.Poll(a.events[:])
			a.see(read)
		}
		more := a.Next(a.s.now, &a.batch, 64, 1<<20)
		n := a.batch.Len()
		a.batch.Seal()
		for i := range a.batch.Packets() {
			a.post(&a.batch.Packets()[i])
		}
		a.batch.Reset()
		if !more && n == 0 && read == 0 {
			return
		}
	}
	require.Fail(a.s.t, "an endpoint sends without end")
}

// post puts a packet on its way, if there is one to where it goes.
func (a *actor) post(p *packet.Packet) {
	var b []byte
	for _, part := range a.batch.Parts(p) {
		b = append(b, part...)
	}
	a.note(b)
	for i, addr := range a.peer.addrs {
		if addr == p.To && len(a.peer.inbox) < maxInbox {
			a.peer.inbox = append(a.peer.inbox, letter{a.addrs[i], b})
		}
	}
}

// note remembers TSNs, for packets that are made up to fit. It demands that the packet
// is well formed.
func (a *actor) note(b []byte) {
	p, err := wire.ParsePacket(b)
	require.NoError(a.s.t, err)
	for c, err := range p.Chunks() {
		require.NoError(a.s.t, err)
		switch c.Type {
		case wire.TypeInit:
			i, err := wire.ParseInit(c)
			require.NoError(a.s.t, err)
			a.sent, a.peer.acked = i.TSN-1, i.TSN-1
		case wire.TypeInitAck:
			i, _, err := wire.ParseInitAck(c)
			require.NoError(a.s.t, err)
			a.sent, a.peer.acked = i.TSN-1, i.TSN-1
		case wire.TypeData:
			d, err := wire.ParseData(c)
			require.NoError(a.s.t, err)
			a.sent = d.TSN
		case wire.TypeIData:
			d, err := wire.ParseIData(c)
			require.NoError(a.s.t, err)
			a.sent = d.TSN
		case wire.TypeSACK:
			s, err := wire.ParseSACK(c)
			require.NoError(a.s.t, err)
			a.acked = s.CumulativeTSN
		}
	}
}

// send sends a few messages, lent or copied.
func (a *actor) send(size, flags, count byte) {
	for n := range 1 + count%32 {
		m := socket.Message{
			Stream: socket.StreamID(flags+n) % 5, Unordered: flags&32 != 0, Immediate: flags&16 != 0,
			Data: [][]byte{make([]byte, 1+int(size)*int(size)/2)},
		}
		if flags&8 != 0 {
			m.Lifetime = time.Duration(1+n) * time.Millisecond
		}
		if flags&64 != 0 {
			owner := new(int)
			m.ZeroCopy, m.Owner = true, owner
			a.lent[owner] = true
		}
		if _, err := a.Send(a.s.now, a.any(), []socket.Message{m}); err != nil && m.ZeroCopy {
			delete(a.lent, m.Owner.(*int))
		}
	}
}
