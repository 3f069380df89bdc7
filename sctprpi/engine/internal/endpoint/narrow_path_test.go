package endpoint

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/assoc"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/simnet"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// narrow has IP packets longer than these vanish between the hosts, without a word.
func (p *pair) narrow(there, back int) {
	a, b := p.a.addrs[0].Addr(), p.b.addrs[0].Addr()
	overhead := 576 - new(assoc.Host).SurePacket(b)
	if b.Is6() {
		overhead = 1280 - new(assoc.Host).SurePacket(b)
	}
	delay := 10 * time.Millisecond
	p.net.Link(a, b, simnet.Conditions{Delay: delay, MTU: there - overhead})
	p.net.Link(b, a, simnet.Conditions{Delay: delay, MTU: back - overhead})
}

// exchange has both send messages of many sizes, and waits until all have arrived.
func (p *pair) exchange() {
	p.t.Helper()
	p.until("association is up", func() bool { return len(p.seenA) > 0 && len(p.seenB) > 0 })
	p.dataA, p.dataB = nil, nil
	var want []string
	for size := 8; size <= 1<<20; size *= 8 {
		want = append(want, strings.Repeat("m", size))
		p.send(p.a, p.seenA[0].Assoc, text(0, want[len(want)-1]))
		p.send(p.b, p.seenB[0].Assoc, text(0, want[len(want)-1]))
	}
	p.until("all messages arrive", func() bool { return len(p.dataA) == len(want) && len(p.dataB) == len(want) })
	require.True(p.t, fmt.Sprint(want) == fmt.Sprint(p.dataA) && fmt.Sprint(want) == fmt.Sprint(p.dataB))
}

// found waits until the search for the MTU has come near the truth.
func (p *pair) found(h *host, id socket.AssocID, mtu int) {
	p.t.Helper()
	p.until(fmt.Sprintf("MTU of %d is found", mtu), func() bool {
		found := p.status(h, id).Paths[0].MTU
		require.LessOrEqual(p.t, found, 1500)
		return found <= mtu && mtu-found < 16
	})
}

// RFC 8899, section 5.2: paths that do not carry the 1,200 bytes that the search begins
// with are used all the same, down to the 576 that IPv4 promises, whether the two
// directions are alike or not.
func TestPathsNarrowerThanTheBaseMTU(t *testing.T) {
	for _, c := range []struct{ there, back int }{
		{576, 576}, {577, 577}, {700, 700}, {1000, 1000}, {1199, 1199}, {576, 1500}, {1500, 576}, {700, 1100},
	} {
		t.Run(fmt.Sprintf("%d and %d", c.there, c.back), func(t *testing.T) {
			p := newPair(t, socket.Config{})
			p.narrow(c.there, c.back)
			p.connect()
			p.exchange()
			p.found(p.a, p.seenA[0].Assoc, c.there)
			p.found(p.b, p.seenB[0].Assoc, c.back)
			assert.Equal(t, []socket.Kind{socket.Up}, kinds(p.seenA))
		})
	}
}

// RFC 8200, section 5: IPv6 promises 1,280 bytes, headers of IP, UDP and SCTP included.
func TestPathsOfIPv6CarryTheLeastMTU(t *testing.T) {
	p := newPairAt(t, socket.Config{}, "fd00::1", "fd00::2")
	p.narrow(1280, 1280)
	p.connect()
	p.exchange()
	p.found(p.a, p.seenA[0].Assoc, 1280)
}

// RFC 8899, section 4.3: a path that becomes narrower in the middle of a transfer, and
// wider again.
func TestAPathThatBecomesNarrowInMidTransfer(t *testing.T) {
	for _, mtu := range []int{576, 700, 1000, 1199} {
		t.Run(fmt.Sprint(mtu), func(t *testing.T) {
			p := newPair(t, socket.Config{})
			p.connect()
			p.exchange()
			p.found(p.a, p.seenA[0].Assoc, 1500)
			arrived := len(p.dataB)
			p.send(p.a, p.seenA[0].Assoc, text(0, strings.Repeat("x", 1<<20)))
			p.net.At(p.net.Now()+25*time.Millisecond, func() { p.narrow(mtu, mtu) })
			p.until("what was under way arrives", func() bool { return len(p.dataB) > arrived })
			p.exchange()
			p.found(p.a, p.seenA[0].Assoc, mtu)
			p.narrow(1500, 1500)
			p.exchange()
			assert.Equal(t, []socket.Kind{socket.Up}, kinds(p.seenA))
		})
	}
}

// RFC 8899, section 4.6.2: what the local system says about its own device is the next size
// to be tried, so that nothing is lost but what was under way.
func TestTheLocalSystemTellsOfANarrowDevice(t *testing.T) {
	p := newPair(t, socket.Config{})
	p.connect()
	p.exchange()
	p.narrow(700, 1500)
	p.a.do(func(now time.Duration) { p.a.TooBig(now, p.b.addrs[0], 700) })
	p.found(p.a, p.seenA[0].Assoc, 700)
	p.exchange()
	assert.Less(t, p.net.Now(), 10*time.Second)
	assert.Equal(t, 1500, p.status(p.b, p.seenB[0].Assoc).Paths[0].MTU)
}

// A route that is known to be narrow is not probed for more.
func TestARouteNarrowerThanTheBaseMTU(t *testing.T) {
	p := newPair(t, socket.Config{})
	p.a.route, p.b.route = 700, 700
	p.narrow(700, 700)
	p.connect()
	p.exchange()
	assert.Equal(t, 700, p.status(p.a, p.seenA[0].Assoc).Paths[0].MTU)
	assert.Zero(t, p.status(p.a, p.seenA[0].Assoc).Retransmissions)
}

// Where IPv4 has less than it promises, an error says so, and names the peer and the size: at
// once where the local route says so, else when it is sure.
func TestAPathNarrowerThanSupportedIsAnError(t *testing.T) {
	p := newPair(t, socket.Config{})
	p.a.route = 500
	_, err := p.a.Connect(0, p.b.addr()...)
	require.ErrorIs(t, err, socket.ErrPathMTU)
	assert.ErrorContains(t, err, "the route to 10.0.0.2:2000/9899 has an MTU of 500 bytes, and must have at least 576")

	p = newPair(t, socket.Config{})
	p.b.route = 500 // the way back
	p.a.do(func(now time.Duration) {
		_, err := p.a.Connect(now, p.b.addr()...)
		require.NoError(t, err)
	})
	p.until("both know", func() bool { return len(p.seenA) > 0 && len(p.seenB) > 0 })
	assert.Equal(t, []socket.Kind{socket.Lost}, kinds(p.seenA))
	assert.ErrorContains(t, p.seenA[0].Err, "IP packets of 576 bytes do not pass to this host")
	assert.ErrorIs(t, p.seenB[0].Err, socket.ErrPathMTU)

	p = newPair(t, socket.Config{})
	p.narrow(500, 1500) // beyond the local route
	p.connect()
	p.send(p.a, p.seenA[0].Assoc, text(0, strings.Repeat("x", 10_000)))
	p.until("both know", func() bool { return p.last(p.seenA).Err != nil && p.last(p.seenB).Err != nil })
	assert.ErrorIs(t, p.last(p.seenA).Err, socket.ErrPathMTU)
	assert.ErrorContains(t, p.last(p.seenA).Err, "IP packets of 576 bytes do not pass to 10.0.0.2:2000/9899")
	assert.ErrorContains(t, p.last(p.seenB).Err, "IP packets of 576 bytes do not pass to this host")
	assert.Less(t, p.net.Now(), time.Minute)
}

// A peer need not know the PAD chunks that fill probes. One that answers none is not given up
// while nothing is to be sent to it, nor when data passes.
func TestAPeerThatAnswersNoProbesIsNotTakenForANarrowPath(t *testing.T) {
	p := newPair(t, socket.Config{Heartbeat: time.Second})
	for _, h := range []*host{p.a, p.b} {
		h.filter = func(b []byte) bool { return !carries(b, wire.TypePad) }
	}
	p.connect()
	const idle = time.Hour
	p.pass(idle)
	for range 5 {
		p.exchange()
		p.pass(time.Minute)
	}
	assert.Equal(t, []socket.Kind{socket.Up}, kinds(p.seenA))
	assert.Equal(t, []socket.Kind{socket.Up}, kinds(p.seenB))
}

// Of several paths one that is too narrow is left alone.
func TestOneOfTwoPathsIsTooNarrow(t *testing.T) {
	p := newTwoHomed(t, socket.Config{})
	p.narrow(500, 500) // the first
	p.connect()
	p.exchange()
	p.until("the path is given up", func() bool { return len(p.seenA) > 1 })
	assert.Equal(t, socket.PathDown, p.seenA[1].Kind)
	p.exchange()
	s := p.status(p.a, p.seenA[0].Assoc)
	assert.False(t, s.Paths[0].Up)
	assert.True(t, s.Paths[1].Up)
}

// RFC 8899, section 4.3: when both of two paths become narrow in silence, answers to heartbeats, which are small, do not hide
// that data vanishes, although it changes to the other path after each timeout.
func TestBothOfTwoPathsBecomeNarrow(t *testing.T) {
	p := newTwoHomed(t, socket.Config{RTOMin: 10 * time.Millisecond})
	p.connect()
	p.exchange()
	p.confirmed(p.seenA[0].Assoc)
	for home := range p.a.addrs {
		p.net.Duplex(p.a.addrs[home].Addr(), p.b.addrs[home].Addr(), simnet.Conditions{Delay: 80 * time.Millisecond, MTU: 700})
	}
	p.exchange()
}

// Loss alone, however bad, does not make a path too narrow.
func TestALossyPathIsNotTakenForANarrowOne(t *testing.T) {
	for seed := range uint64(20) {
		p := newPair(t, socket.Config{AssocRetransmissions: 10_000, Heartbeat: time.Second, RTOMax: time.Second})
		p.net = simnet.New(seed)
		p.net.Attach(p.a, p.a.addrs...)
		p.net.Attach(p.b, p.b.addrs...)
		p.link(simnet.Conditions{Delay: 10 * time.Millisecond, Loss: 0.3, MTU: 600 - 28})
		p.a.net, p.b.net = p.net, p.net
		p.connect()
		p.until("association is up", func() bool { return len(p.seenA) > 0 && len(p.seenB) > 0 })
		p.send(p.a, p.seenA[0].Assoc, text(0, strings.Repeat("x", 20_000)))
		p.until("it arrives", func() bool { return len(p.dataB) == 1 })
	}
}

// Section 6.9: what sets up an association of many addresses may be fragmented by IP, as a
// narrow path would not let it pass else.
func TestLongHandshakeOverANarrowPath(t *testing.T) {
	p := &pair{t: t, net: simnet.New(1)}
	var here, there []string
	for i := range 16 {
		here = append(here, fmt.Sprintf("10.%d.0.1", i), fmt.Sprintf("fd00:%d::1", i))
		there = append(there, fmt.Sprintf("10.%d.0.2", i), fmt.Sprintf("fd00:%d::2", i))
	}
	p.a = newHost(t, p.net, 1000, socket.Config{}, here...)
	p.b = newHost(t, p.net, 2000, socket.Config{}, there...)
	p.a.on, p.b.on = record(&p.seenA, &p.dataA), record(&p.seenB, &p.dataB)
	longest := 0
	for _, h := range []*host{p.a, p.b} {
		h.filter = func(b []byte) bool {
			switch firstTypeOf(b) {
			case wire.TypeInit, wire.TypeInitAck, wire.TypeCookieEcho:
				longest = max(longest, len(b))
			}
			return true
		}
	}
	p.narrow(576, 576)
	p.a.do(func(now time.Duration) {
		_, err := p.a.Connect(now, p.b.addr()[0])
		require.NoError(t, err)
	})
	p.until("association is up", func() bool { return len(p.seenA) > 0 && len(p.seenB) > 0 })
	assert.Greater(t, longest, 576)
	p.send(p.a, p.seenA[0].Assoc, text(0, strings.Repeat("x", 5000)))
	p.until("data arrives", func() bool { return len(p.dataB) == 1 })
}
