package endpoint

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/simnet"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// collide has both hosts of a pair Connect to each other, b by a delay later, send at
// once, and demands one association on each side that carries it all.
func (p *pair) collide(delay time.Duration, toB, toA []socket.Addr) {
	var ids [2]socket.AssocID
	begin := func(i int, h *host, to []socket.Addr) {
		h.do(func(now time.Duration) {
			id, err := h.Connect(now, to...)
			require.NoError(p.t, err)
			ids[i] = id
			_, err = h.Send(now, id, []socket.Message{text(0, "early"), text(3, "bird")})
			require.NoError(p.t, err)
		})
	}
	begin(0, p.a, toB)
	p.net.At(delay, func() { begin(1, p.b, toA) })
	p.until("all arrives", func() bool { return len(p.dataA) == 2 && len(p.dataB) == 2 })
	for i, seen := range [][]socket.Event{p.seenA, p.seenB} {
		seen = slices.DeleteFunc(slices.Clone(seen), func(e socket.Event) bool {
			return e.Kind == socket.PathDown || e.Kind == socket.PathUp
		})
		require.Equal(p.t, []socket.Kind{socket.Up}, kinds(seen))
		require.Equal(p.t, ids[i], seen[0].Assoc)
	}
	require.Equal(p.t, 1, p.a.Associations())
	require.Equal(p.t, 1, p.b.Associations())
	require.Equal(p.t, p.a.byID[ids[0]].LocalTag(), p.b.byID[ids[1]].PeerTag())
	require.Equal(p.t, p.b.byID[ids[1]].LocalTag(), p.a.byID[ids[0]].PeerTag())
	p.a.do(func(now time.Duration) { require.NoError(p.t, p.a.Shutdown(now, ids[0])) })
	p.until("all ends", p.net.Idle)
	p.gone()
}

// Section 5.2.1: when both ends begin, at whatever distance in time and whichever
// packets are lost, there is one association.
func TestSimultaneousConnectMakesOneAssociation(t *testing.T) {
	t.Parallel()
	for seed := range uint64(300) {
		rng := random(seed)
		p := newPair(t, socket.Config{Heartbeat: -1, InitRetransmissions: 50, AssocRetransmissions: 50, RTOMax: 2 * time.Second})
		p.net = simnet.New(seed)
		p.a = newHost(t, p.net, 1000, p.a.host.Config, "10.0.0.1")
		p.b = newHost(t, p.net, 2000, p.b.host.Config, "10.0.0.2")
		p.a.on, p.b.on = record(&p.seenA, &p.dataA), record(&p.seenB, &p.dataB)
		p.link(simnet.Conditions{
			Delay: 10 * time.Millisecond, Jitter: time.Duration(rng.IntN(20)) * time.Millisecond,
			Loss: float64(rng.IntN(4)) * 0.15, Reorder: float64(rng.IntN(2)) * 0.3, Duplicate: float64(rng.IntN(2)) * 0.3,
		})
		p.collide(time.Duration(rng.IntN(60))*time.Millisecond, p.b.addr(), p.a.addr())
	}
}

// The same for each packet of either handshake, lost alone, at distances that make
// every two of them cross.
func TestSimultaneousConnectWithEachPacketLost(t *testing.T) {
	types := []wire.ChunkType{wire.TypeInit, wire.TypeInitAck, wire.TypeCookieEcho, wire.TypeCookieAck}
	for _, lost := range types {
		for delay := time.Duration(0); delay <= 45*time.Millisecond; delay += 5 * time.Millisecond {
			for _, mask := range []int{1, 2, 3} {
				p := newPair(t, socket.Config{Heartbeat: -1})
				if mask&1 != 0 {
					p.a.lose(lost, 1)
				}
				if mask&2 != 0 {
					p.b.lose(lost, 1)
				}
				p.collide(delay, p.b.addr(), p.a.addr())
			}
		}
	}
}

// Two hosts with two addresses each may begin with any of them, if each names all of
// the other's.
func TestSimultaneousConnectOverDifferentPaths(t *testing.T) {
	for _, c := range []struct{ toB, toA int }{{0, 0}, {0, 1}, {1, 0}, {1, 1}} {
		for delay := time.Duration(0); delay <= 45*time.Millisecond; delay += 5 * time.Millisecond {
			t.Run(fmt.Sprintf("%d%d/%v", c.toB, c.toA, delay), func(t *testing.T) {
				p := newTwoHomed(t, socket.Config{Heartbeat: -1})
				p.collide(delay, first(c.toB, p.b.addr()), first(c.toA, p.a.addr()))
			})
		}
	}
}

// first puts one of two addresses first.
func first(i int, addrs []socket.Addr) []socket.Addr {
	return []socket.Addr{addrs[i], addrs[1-i]}
}

// Connect to a peer that there is an association with, or that is being set up,
// returns that one.
func TestConnectAgainReturnsTheSameAssociation(t *testing.T) {
	p := newTwoHomed(t, socket.Config{Heartbeat: -1})
	id := p.connect()
	again, err := p.a.Connect(p.net.Now(), p.b.addr()[1])
	require.NoError(t, err)
	assert.Equal(t, id, again)
	again, err = p.b.Connect(p.net.Now(), p.a.addr()...)
	require.NoError(t, err)
	assert.Equal(t, p.seenB[0].Assoc, again)
}

// newTwoHomed is newPair with two addresses each, 10 ms apart.
func newTwoHomed(t testing.TB, c socket.Config) *pair {
	p := &pair{t: t, net: simnet.New(1)}
	p.a = newHost(t, p.net, 1000, c, "10.0.0.1", "10.0.1.1")
	p.b = newHost(t, p.net, 2000, c, "10.0.0.2", "10.0.1.2")
	for i := range 2 {
		p.path(i, simnet.Conditions{Delay: 10 * time.Millisecond})
	}
	p.a.on = record(&p.seenA, &p.dataA)
	p.b.on = record(&p.seenB, &p.dataB)
	return p
}

// path sets the conditions of the way between the addresses of a number.
func (p *pair) path(i int, c simnet.Conditions) {
	p.net.Duplex(p.a.addrs[i].Addr(), p.b.addrs[i].Addr(), c)
}

// Section 5.2.4, B: of two cookies that the peer has got while this end set up the
// association the second counts too, as long as nothing has been said, if it is for the
// same streams and features; what the user has put on hold stays so. Others are dropped:
// streams that are in use do not vanish.
func TestSecondCookieOfACollision(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*wire.Init)
		counts bool
	}{
		"the same":       {func(*wire.Init) {}, true},
		"fewer inbound":  {func(i *wire.Init) { i.OutStreams = 2 }, false},
		"fewer outbound": {func(i *wire.Init) { i.InStreams = 2 }, false},
		"more features":  {func(i *wire.Init) { i.Params = i.Params.AppendForwardTSNSupported() }, false},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, socket.Config{})
			r.dial()
			first := wire.AppendCookieEcho(nil, r.cookie())
			r.forget()
			c.change(&r.offer)
			second := wire.AppendCookieEcho(nil, r.cookie())
			r.say(first)
			r.isUp()
			require.NoError(t, r.Hold(r.assoc, 9, true))
			sent := r.say(second)
			if !c.counts {
				assert.Empty(t, sent)
				require.NoError(t, r.Abort(r.assoc, ""))
				r.run()
				r.gone()
				return
			}
			assert.Equal(t, r.offer.Tag, sent[0].Tag)
			r.chunk(r.say(r.data(9, 0, "held"), r.data(8, 0, "read")), wire.TypeSACK)
			assert.Equal(t, "read", string(r.lastEvent().Payload))
			require.NoError(t, r.Hold(r.assoc, 9, false))
			r.run()
			assert.Equal(t, "held", string(r.lastEvent().Payload))
		})
	}
}
