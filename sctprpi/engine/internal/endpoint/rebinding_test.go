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

const elsewhere = 40_000 // another UDP port

// An attacker that has guessed a tag sends from another port of the peer's address. It can do
// nothing as long as the peer answers at its own port: no chunk counts, nothing is sent to the
// other port, which would show the other tag, and the path stays.
func TestAnotherPortIsNotHeardWhileThePeerAnswers(t *testing.T) {
	r := newRig(t, socket.Config{}).accepted()
	intruder := netipPort(r.from, elsewhere)
	for range 20 {
		for name, b := range r.everyChunk() {
			sent := r.give(intruder, r.pack(r.said.Tag, b))
			sent = append(sent, r.advance(10*time.Millisecond)...)
			for _, p := range sent {
				require.Equal(t, r.from, p.to, name)
				require.Equal(t, []wire.ChunkType{wire.TypeHeartbeat}, p.types(), name)
				info, err := wire.ParseHeartbeat(p.chunks[0])
				require.NoError(t, err)
				r.say(wire.AppendHeartbeatAck(nil, info))
			}
		}
	}
	assert.Equal(t, []socket.Kind{socket.Up}, r.happened())
	assert.Len(t, r.events, 1, "no data")
	assert.Equal(t, r.from, r.send(text(0, "x"))[0].to)
}

// moved has a peer send from another port, without an answer from its own, until that port is
// asked, and returns the question.
func moved(t *testing.T) (r *rig, question sentPacket) {
	r = newRig(t, socket.Config{}).accepted()
	at := netipPort(r.from, elsewhere)
	for range 1000 {
		sent := r.give(at, r.pack(r.said.Tag, r.data(0, 0, "from elsewhere")))
		r.tsn--
		for _, p := range append(sent, r.advance(100*time.Millisecond)...) {
			require.Equal(t, []wire.ChunkType{wire.TypeHeartbeat}, p.types())
			if p.to == at {
				require.Len(t, r.events, 1, "nothing counts before the answer")
				return r, p
			}
			require.Equal(t, r.from, p.to)
		}
	}
	require.Fail(t, "the new port is never asked")
	return nil, sentPacket{}
}

// RFC 6951, section 5.4: behind an address translator the peer's UDP port may change. The
// path moves when the known port does not answer, and the new one does.
func TestPathMovesToAPortThatAnswers(t *testing.T) {
	r, question := moved(t)
	old := r.from
	r.from = question.to
	info, err := wire.ParseHeartbeat(question.chunks[0])
	require.NoError(t, err)
	r.now += 30 * time.Millisecond
	r.say(wire.AppendHeartbeatAck(nil, info))
	sent := r.say(r.data(0, 0, "from elsewhere"))
	require.NotEmpty(t, sent)
	assert.Equal(t, r.from, sent[0].to)
	assert.Equal(t, "from elsewhere", string(r.lastEvent().Payload))
	status, err := r.Status(r.assoc)
	require.NoError(t, err)
	require.Len(t, status.Paths, 1)
	assert.EqualValues(t, elsewhere, status.Paths[0].Addr.UDP)
	assert.True(t, status.Paths[0].Up)
	// What answers at the old port now is another peer.
	r.from = old
	r.forget()
	r.accepted()
	assert.Equal(t, 2, r.Associations())
}

// The answer must come from the port that was asked, with the nonce that it was asked with.
func TestPathDoesNotMoveForAWrongAnswer(t *testing.T) {
	r, question := moved(t)
	info, err := wire.ParseHeartbeat(question.chunks[0])
	require.NoError(t, err)
	wrong := append([]byte(nil), info...)
	wrong[3] ^= 1
	for _, answer := range []struct {
		from netip.AddrPort
		info []byte
	}{{question.to, wrong}, {netipPort(r.from, elsewhere+1), info}, {r.from, info}, {question.to, info[:11]}, {stranger, info}} {
		r.give(answer.from, r.pack(r.said.Tag, wire.AppendHeartbeatAck(nil, answer.info)))
		status, err := r.Status(r.assoc)
		require.NoError(t, err)
		assert.Equal(t, r.from.Port(), status.Paths[0].Addr.UDP)
	}
	// Nor when the known port has answered after all.
	for _, p := range r.advance(time.Minute) {
		if p.to == r.from {
			beat, err := wire.ParseHeartbeat(p.chunks[0])
			require.NoError(t, err)
			r.say(wire.AppendHeartbeatAck(nil, beat))
			break
		}
	}
	r.give(question.to, r.pack(r.said.Tag, wire.AppendHeartbeatAck(nil, info)))
	status, err := r.Status(r.assoc)
	require.NoError(t, err)
	assert.Equal(t, r.from.Port(), status.Paths[0].Addr.UDP)
}

// ABORT and the chunks of the shutdown from another port end nothing, in whatever state.
func TestNothingFromAnotherPortEndsAnAssociation(t *testing.T) {
	for name, enter := range map[string]func(r *rig){
		"ESTABLISHED":       func(*rig) {},
		"SHUTDOWN-SENT":     func(r *rig) { r.shutdown() },
		"SHUTDOWN-ACK-SENT": func(r *rig) { r.say(wire.AppendShutdown(nil, r.said.TSN-1)) },
	} {
		r := newRig(t, socket.Config{}).accepted()
		enter(r)
		state := r.byID[r.assoc].State()
		intruder := netipPort(r.from, elsewhere)
		for _, b := range [][]byte{
			wire.AppendAbort(nil, false, nil), wire.AppendShutdown(nil, r.said.TSN-1),
			wire.AppendShutdownAck(nil), wire.AppendShutdownComplete(nil, false),
		} {
			r.give(intruder, r.pack(r.said.Tag, b))
		}
		for _, b := range [][]byte{wire.AppendAbort(nil, true, nil), wire.AppendShutdownComplete(nil, true)} {
			r.give(intruder, r.pack(r.offer.Tag, b))
		}
		require.NotNil(t, r.byID[r.assoc], name)
		assert.Equal(t, state, r.byID[r.assoc].State(), name)
	}
}

// translator is an address translator: it forwards packets between a client inside and a
// server, to which the client seems to be at the port that is current.
type translator struct {
	net            *simnet.Network
	inside, server netip.AddrPort
	client         netip.AddrPort
	outside        []netip.AddrPort
	current        int
}

func (n *translator) Receive(_ time.Duration, from, to netip.AddrPort, b []byte, _ bool) {
	switch {
	case to == n.inside:
		n.client = from
		n.net.Send(n.outside[n.current], n.server, b)
	case to == n.outside[n.current]: // other ports are forgotten
		n.net.Send(n.inside, n.client, b)
	}
}

func (n *translator) Deadline() (time.Duration, bool) { return 0, false }
func (n *translator) Expire(time.Duration)            {}

// An association goes on when an address translator has forgotten its port, whichever end has
// something to send, and again when it forgets the next.
func TestAssociationSurvivesAnAddressTranslator(t *testing.T) {
	for _, clientSends := range []bool{true, false} {
		net := simnet.New(1)
		c := socket.Config{RTOInitial: 200 * time.Millisecond, RTOMax: 2 * time.Second, AssocRetransmissions: 8, Heartbeat: 5 * time.Second}
		p := &pair{t: t, net: net, a: newHost(t, net, 9, c, "10.0.0.1"), b: newHost(t, net, 9, c, "192.0.2.2")}
		p.a.on, p.b.on = record(&p.seenA, &p.dataA), record(&p.seenB, &p.dataB)
		nat := &translator{net: net, inside: netip.MustParseAddrPort("10.0.0.254:9899"), server: p.b.addrs[0]}
		for port := range uint16(3) {
			nat.outside = append(nat.outside, netip.AddrPortFrom(netip.MustParseAddr("203.0.113.1"), elsewhere+port))
		}
		net.Attach(nat, append(nat.outside, nat.inside)...)
		net.Duplex(nat.outside[0].Addr(), nat.server.Addr(), simnet.Conditions{Delay: 20 * time.Millisecond})
		var id socket.AssocID
		p.a.do(func(now time.Duration) {
			var err error
			id, err = p.a.Connect(now, socket.Addr{IP: nat.inside.Addr(), Port: 9, UDP: nat.inside.Port()})
			require.NoError(t, err)
		})
		p.until("association is up", func() bool { return len(p.seenA) > 0 && len(p.seenB) > 0 })
		for nat.current = range nat.outside {
			if clientSends {
				p.send(p.a, id, text(0, "hello"))
			} else {
				p.send(p.b, p.seenB[0].Assoc, text(0, "hello"))
			}
			p.until("the message arrives", func() bool { return len(p.dataA)+len(p.dataB) > nat.current })
		}
		assert.Equal(t, socket.Up, p.seenA[len(p.seenA)-1].Kind, "client sends: %v, %v", clientSends, kinds(p.seenA))
		status, err := p.b.Status(p.seenB[0].Assoc)
		require.NoError(t, err)
		assert.Equal(t, nat.outside[2].Port(), status.Paths[0].Addr.UDP)
	}
}
