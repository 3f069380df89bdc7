package endpoint

import (
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/simnet"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// reportUnreachable reports to a, every 10 ms for a time, that b's port is unreachable.
func (p *pair) reportUnreachable(tag wire.VerificationTag, path int, during time.Duration) {
	to := p.b.addrs[path]
	quoted := wire.AppendHeader(nil, wire.Header{SourcePort: 1000, DestinationPort: 2000, Tag: tag})
	for at := time.Duration(0); at < during; at += 10 * time.Millisecond {
		p.net.At(p.net.Now()+at, func() {
			p.a.do(func(now time.Duration) { p.a.Unreachable(now, to, quoted) })
		})
	}
}

func (p *pair) peerTag(id socket.AssocID) wire.VerificationTag { return p.a.byID[id].PeerTag() }

// A report by a host that the peer is gone is about a packet of this association if it
// quotes the peer's tag.
func TestUnreachablePortEndsTheAssociation(t *testing.T) {
	p := newPair(t, socket.Config{})
	id := p.connect()
	killed := p.net.Now()
	p.link(simnet.Conditions{Down: true})
	p.reportUnreachable(p.peerTag(id), 0, 5*time.Second)
	p.until("association is lost", func() bool { return len(p.seenA) > 1 && p.seenA[len(p.seenA)-1].Kind == socket.Lost })
	assert.Less(t, p.net.Now()-killed, time.Second)
	assert.ErrorIs(t, p.seenA[len(p.seenA)-1].Err, socket.ErrUnreachable)
}

// Whatever is reported, a peer that answers is not lost; with another tag, or cut short,
// a report does not even make a packet be sent.
func TestReportsDoNotEndWhatIsAlive(t *testing.T) {
	p := newPair(t, socket.Config{Heartbeat: -1})
	p.link(simnet.Conditions{Delay: 100 * time.Millisecond})
	id := p.connect()
	p.until("the set-up's timers have run out", p.net.Idle)
	before := p.status(p.a, id).PacketsSent
	p.reportUnreachable(p.peerTag(id)+1, 0, 10*time.Second)
	p.until("all have been told", p.net.Idle)
	assert.Equal(t, before, p.status(p.a, id).PacketsSent)
	for n := range wire.HeaderSize {
		p.a.do(func(now time.Duration) { p.a.Unreachable(now, p.b.addrs[0], make([]byte, n)) })
	}
	p.a.do(func(now time.Duration) { p.a.Unreachable(now, netip.AddrPort{}, make([]byte, 12)) })

	p.reportUnreachable(p.peerTag(id), 0, time.Minute)
	p.until("all have been told", p.net.Idle)
	assert.Greater(t, p.status(p.a, id).PacketsSent, before, "the path has been tested")
	assert.Equal(t, []socket.Kind{socket.Up}, kinds(p.seenA))
}

// One address that is gone takes its path down, and no more.
func TestUnreachablePath(t *testing.T) {
	p := newTwoHomed(t, socket.Config{})
	id := p.connect()
	p.confirmed(id)
	p.path(0, simnet.Conditions{Down: true})
	p.reportUnreachable(p.peerTag(id), 0, 5*time.Second)
	cut := p.net.Now()
	p.until("path is down", func() bool { return len(p.seenA) > 1 })
	assert.Equal(t, socket.PathDown, p.seenA[1].Kind)
	assert.Less(t, p.net.Now()-cut, time.Second)
	p.until("all have been told", func() bool { return p.net.Now() > cut+20*time.Second })
	assert.Equal(t, []socket.Kind{socket.Up, socket.PathDown}, kinds(p.seenA))
	p.send(p.a, id, text(0, "over the other"))
	p.until("data arrives", func() bool { return len(p.dataB) == 1 })
}

// In a shutdown it is its chunks that test the path.
func TestUnreachablePortEndsAShutdown(t *testing.T) {
	p := newPair(t, socket.Config{})
	id := p.connect()
	tag := p.peerTag(id)
	p.link(simnet.Conditions{Down: true})
	begun := p.net.Now()
	p.a.do(func(now time.Duration) { require.NoError(t, p.a.Shutdown(now, id)) })
	p.reportUnreachable(tag, 0, 5*time.Second)
	p.until("association is lost", func() bool { return len(p.seenA) > 1 && p.seenA[len(p.seenA)-1].Kind == socket.Lost })
	assert.Less(t, p.net.Now()-begun, time.Second)
}

// The peer's last packet, SHUTDOWN COMPLETE, may be lost, and the peer cannot repeat it when its process has ended. One
// report of that ends the association in good order: everything has been acknowledged both ways.
func TestUnreachablePortStandsForTheLastPacket(t *testing.T) {
	p := newPair(t, socket.Config{})
	id := p.connect()
	p.b.filter = func(b []byte) bool { return !carries(b, wire.TypeShutdownComplete) }
	p.b.do(func(now time.Duration) { require.NoError(t, p.b.Shutdown(now, p.seenB[0].Assoc)) })
	p.until("the peer has ended", func() bool { return p.last(p.seenB).Kind == socket.Closed })
	require.Equal(t, []socket.Kind{socket.Up, socket.PeerShutdown}, kinds(p.seenA))
	p.reportUnreachable(p.peerTag(id), 0, time.Millisecond)
	p.until("all have been told", p.net.Idle)
	assert.Equal(t, []socket.Kind{socket.Up, socket.PeerShutdown, socket.Closed}, kinds(p.seenA))
}

// A report about an INIT chunk does not quote the peer's tag, but the one that the chunk offers
// (RFC 9260, section 10). An attempt to connect to a port without a listener ends soon.
func TestUnreachablePortEndsTheSetUp(t *testing.T) {
	for _, genuine := range []bool{true, false} {
		p := newPair(t, socket.Config{})
		p.link(simnet.Conditions{Down: true})
		to := p.b.addrs[0]
		var reports int
		p.a.filter = func(b []byte) bool {
			quoted := append([]byte{}, b[:20]...)
			if !genuine {
				quoted[19]++
			}
			reports++
			p.net.At(p.net.Now()+time.Millisecond, func() {
				p.a.do(func(now time.Duration) { p.a.Unreachable(now, to, quoted) })
			})
			return true
		}
		p.a.do(func(now time.Duration) {
			_, err := p.a.Connect(now, p.b.addr()...)
			require.NoError(t, err)
		})
		p.until("the set-up is given up", func() bool { return len(p.seenA) > 0 })
		assert.Equal(t, socket.Lost, p.seenA[0].Kind)
		assert.Equal(t, genuine, p.net.Now() < 200*time.Millisecond, "%v after %d attempts", p.net.Now(), reports)
	}
}
