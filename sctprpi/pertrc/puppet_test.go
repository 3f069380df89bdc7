package pertrc

import (
	"context"
	"net/netip"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/associations"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/handshake"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/sockettest"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// puppet is a socket whose events the test makes: what rank 1 says comes to rank 0 in pieces of the test's choice. It keeps
// what is put back, and what comes on streams that are on hold.
type puppet struct {
	sockettest.Sink
	v *Transport // rank 0

	mu     sync.Mutex
	events []socket.Event
	held   map[socket.StreamID]bool
	heard  [][]byte // on the stream of control
}

// newPuppet makes rank 0, and goes through the handshake as rank 1. The transport polls when it is called.
func newPuppet(t testing.TB) *puppet {
	p := &puppet{held: make(map[socket.StreamID]bool)}
	var err error
	p.v, err = New(rpi.Config{Rank: 0, Size: 2, Token: token, Encrypt: seal.Off, Progress: rpi.Inline, Lookup: func(ctx context.Context, _ int) (string, error) {
		<-ctx.Done() // rank 1 calls
		return "", ctx.Err()
	}}, associations.Options{
		Listen: func(socket.Config, []netip.Addr, uint16) (socket.Core, error) { return p, nil },
	})
	require.NoError(t, err)
	t.Cleanup(p.v.Kill)

	terms := handshake.Terms{Protocol: protocol, Rank: 1, Size: 2, Token: token}
	ours := terms.Hello(0, seal.ID{})
	p.add(socket.Event{Kind: socket.Up, Assoc: 1})
	p.say(0, ours.Encode())
	p.poll(t)
	require.Len(t, p.heard, 2, "a hello, and a proof")
	theirs, err := handshake.Decode(p.heard[0])
	require.NoError(t, err)
	proof, message, err := terms.Prove(ours, theirs)
	require.NoError(t, err)
	_, _, err = proof.Verify(p.heard[1])
	require.NoError(t, err)
	p.say(0, message)
	p.say(0, []byte{byte(handshake.Accepted)})
	p.poll(t)
	require.Equal(t, []byte{byte(handshake.Accepted)}, p.heard[2])
	return p
}

func (p *puppet) add(e socket.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.events = append(p.events, e)
}

// say has a message come, in pieces.
func (p *puppet) say(stream socket.StreamID, pieces ...[]byte) {
	for i, b := range pieces {
		p.add(socket.Event{Kind: socket.Data, Assoc: 1, Stream: stream, Payload: b, Begin: i == 0, End: i == len(pieces)-1})
	}
}

// poll has the transport take in what comes.
func (p *puppet) poll(t testing.TB) {
	p.mu.Lock()
	n := len(p.events)
	p.mu.Unlock()
	for range 2 + n {
		_, _, err := p.v.Iprobe(0, 1, matching.Tag(1<<30)) // which no message has
		if err != nil {
			require.ErrorIs(t, err, rpi.ErrProcFailed)
		}
	}
}

// Receive implements socket.Endpoint.
func (p *puppet) Receive(events []socket.Event) (n int, _ error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	rest := p.events[:0]
	for _, e := range p.events {
		if n < len(events) && !p.held[e.Stream] {
			events[n] = e
			n++
		} else {
			rest = append(rest, e)
		}
	}
	p.events = rest
	return n, nil
}

// Send implements socket.Endpoint.
func (p *puppet) Send(_ socket.AssocID, messages []socket.Message) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, m := range messages {
		if m.Stream == associations.Control {
			var whole []byte
			for _, b := range m.Data {
				whole = append(whole, b...)
			}
			p.heard = append(p.heard, whole)
		}
	}
	return len(messages), nil
}

// Status implements socket.Endpoint.
func (p *puppet) Status(socket.AssocID) (socket.Status, error) {
	return socket.Status{Outbound: 16, Inbound: 16, Interleaving: true}, nil
}

// Hold implements streams.
func (p *puppet) Hold(_ socket.AssocID, stream socket.StreamID, hold bool) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.held[stream] = hold
	return nil
}

// PutBack implements streams.
func (p *puppet) PutBack(e *socket.Event, taken int) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	back := *e
	back.Payload, back.Begin = e.Payload[taken:], e.Begin && taken == 0
	p.events = append([]socket.Event{back}, p.events...)
	return nil
}
