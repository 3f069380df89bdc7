package endpoint

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/simnet"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// pair is two hosts, 10 ms apart.
type pair struct {
	t    testing.TB
	net  *simnet.Network
	a, b *host
	// at a and b
	seenA, seenB []socket.Event
	dataA, dataB []string
}

func newPair(t testing.TB, c socket.Config) *pair { return newPairAt(t, c, "10.0.0.1", "10.0.0.2") }

func newPairAt(t testing.TB, c socket.Config, a, b string) *pair {
	p := &pair{t: t, net: simnet.New(1)}
	p.a = newHost(t, p.net, 1000, c, a)
	p.b = newHost(t, p.net, 2000, c, b)
	p.link(simnet.Conditions{Delay: 10 * time.Millisecond})
	p.a.on = record(&p.seenA, &p.dataA)
	p.b.on = record(&p.seenB, &p.dataB)
	return p
}

func (p *pair) link(c simnet.Conditions) {
	p.net.Duplex(p.a.addrs[0].Addr(), p.b.addrs[0].Addr(), c)
}

// record keeps events, and the data of messages.
func record(seen *[]socket.Event, data *[]string) func(*socket.Event) {
	partial := ""
	return func(e *socket.Event) {
		if e.Kind != socket.Data {
			*seen = append(*seen, *e)
			return
		}
		partial += string(e.Payload)
		if e.End {
			*data = append(*data, partial)
			partial = ""
		}
	}
}

func kinds(events []socket.Event) (k []socket.Kind) {
	for _, e := range events {
		k = append(k, e.Kind)
	}
	return k
}

func (p *pair) until(what string, done func() bool) {
	p.t.Helper()
	if !p.net.Run(p.net.Now()+10*time.Minute, done) {
		p.net.WriteTrace(p.t.Output(), describe)
		require.Fail(p.t, "never: "+what)
	}
}

// connect has a connect to b and returns the ID.
func (p *pair) connect() (id socket.AssocID) {
	p.a.do(func(now time.Duration) {
		var err error
		id, err = p.a.Connect(now, p.b.addr()...)
		require.NoError(p.t, err)
	})
	p.until("association is up", func() bool { return len(p.seenA) > 0 && len(p.seenB) > 0 })
	require.Equal(p.t, socket.Up, p.seenA[0].Kind)
	require.Equal(p.t, socket.Up, p.seenB[0].Kind)
	return id
}

func (p *pair) send(from *host, id socket.AssocID, messages ...socket.Message) {
	from.do(func(now time.Duration) {
		n, err := from.Send(now, id, messages)
		require.NoError(p.t, err)
		require.Len(p.t, messages, n)
	})
}

func text(stream socket.StreamID, s string) socket.Message {
	return socket.Message{Stream: stream, Data: [][]byte{[]byte(s)}}
}

func TestAssociationCarriesMessagesAndEnds(t *testing.T) {
	p := newPair(t, socket.Config{Heartbeat: -1})
	id := p.connect()
	p.send(p.a, id, text(0, "hello"), text(5, "world"))
	p.send(p.b, p.seenB[0].Assoc, text(1, "and back"))
	p.until("messages arrive", func() bool { return len(p.dataB) == 2 && len(p.dataA) == 1 })
	assert.Equal(t, []string{"hello", "world"}, p.dataB)
	assert.Equal(t, []string{"and back"}, p.dataA)
	p.a.do(func(now time.Duration) { require.NoError(t, p.a.Shutdown(now, id)) })
	p.until("all ends", p.net.Idle)
	assert.Equal(t, []socket.Kind{socket.Up, socket.Closed}, kinds(p.seenA))
	assert.Equal(t, []socket.Kind{socket.Up, socket.PeerShutdown, socket.Closed}, kinds(p.seenB))
	for _, h := range []*host{p.a, p.b} {
		assert.Zero(t, h.Associations())
		assert.Zero(t, h.pool.Lent())
		assert.Empty(t, h.byTag)
		assert.Empty(t, h.byPeer)
	}
}
