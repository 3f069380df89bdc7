package sctprpi

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// patience bounds how long a failing test waits, and never decides a passing one.
const patience = time.Minute

var token = []byte("the job's secret")

// victim is rank 2 of a job of three; the test plays the others.
func victim(t testing.TB, vary func(*rpi.Config)) *Transport {
	cfg := rpi.Config{Rank: 2, Size: 3, Token: token, Lookup: func(ctx context.Context, _ int) (string, error) {
		<-ctx.Done()
		return "", ctx.Err()
	}}
	if vary != nil {
		vary(&cfg)
	}
	v, err := New(cfg, Options{})
	require.NoError(t, err)
	t.Cleanup(v.Kill)
	return v
}

// outsider is a test's own socket with an association with a victim.
type outsider struct {
	testing.TB
	victim *Transport
	socket.Socket
	id socket.AssocID
	// events have been received and not been asked for.
	events []socket.Event
}

func newOutsider(t testing.TB, v *Transport) *outsider {
	s, err := engine.Listen(engine.Config{NoChecksum: true})
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close() })
	addrs, err := parseAddrs(v.Address())
	require.NoError(t, err)
	id, err := s.Connect(addrs...)
	require.NoError(t, err)
	return &outsider{TB: t, victim: v, Socket: s, id: id}
}

// say sends a message.
func (o *outsider) say(stream socket.StreamID, data ...[]byte) {
	o.Helper()
	_, err := o.Send(o.id, []socket.Message{{Stream: stream, Data: data}})
	require.NoError(o, err)
}

// await returns the next event of a kind, and drops those before.
func (o *outsider) await(kinds ...socket.Kind) socket.Event {
	o.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for {
		for len(o.events) > 0 {
			e := o.events[0]
			o.events = o.events[1:]
			for _, k := range kinds {
				if e.Kind == k {
					return e
				}
			}
		}
		batch := make([]socket.Event, 16)
		n, err := o.Receive(batch)
		require.NoError(o, err)
		o.events = batch[:n]
		if n == 0 {
			require.NoError(o, o.Wait(ctx), "no event of kinds %v", kinds)
		}
	}
}

// receive returns the next message.
func (o *outsider) receive() []byte {
	o.Helper()
	e := o.await(socket.Data, socket.Aborted, socket.Closed, socket.Lost)
	require.Equal(o, socket.Data, e.Kind, "%v", e.Err)
	return e.Payload
}

// requireCut checks that the victim has aborted the association.
func (o *outsider) requireCut() *socket.AbortError {
	o.Helper()
	e := o.await(socket.Aborted, socket.Closed, socket.Lost)
	require.Equal(o, socket.Aborted, e.Kind)
	var abort *socket.AbortError
	require.ErrorAs(o, e.Err, &abort)
	require.True(o, abort.Remote)
	return abort
}

// shakeHands goes through the handshake with a token, up to the victim's result.
func (o *outsider) shakeHands(cfg rpi.Config, token []byte) result {
	o.Helper()
	ours := newHello(cfg, matching.Rank(o.victim.cfg.Rank))
	o.say(control, ours.encode())
	theirs, err := decodeHello(o.receive())
	require.NoError(o, err)
	require.Equal(o, prove(token, theirs, ours), o.receive(), "the victim's proof")
	o.say(control, prove(token, ours, theirs))
	v := o.receive()
	require.Len(o, v, 1)
	return result(v[0])
}

// newMember is rank 1 of the victim's job.
func newMember(t testing.TB, v *Transport) *outsider {
	o := newOutsider(t, v)
	require.Equal(t, accepted, o.shakeHands(o.rank1(), token))
	o.say(control, []byte{byte(accepted)})
	return o
}

func (o *outsider) rank1() rpi.Config {
	cfg := o.victim.cfg
	cfg.Rank = 1
	return cfg
}

// frame encodes an envelope.
func frame(e matching.Envelope) []byte { return matching.AppendEnvelope(nil, &e) }

func receiveFrom(source int) *rpi.Request {
	return &rpi.Request{Op: rpi.OpRecv, Peer: matching.Rank(source), Tag: matching.AnyTag, Buf: make([]byte, 1<<16), Type: 1, Elem: 1}
}

// requireWorks checks that the rest of the job has not noticed anything.
func requireWorks(t testing.TB, v *Transport) {
	t.Helper()
	r := receiveFrom(1)
	v.Start(r)
	newMember(t, v).say(5, frame(matching.Envelope{Kind: matching.Eager, Type: 1}))
	<-r.Done()
	require.NoError(t, r.Err)
}
