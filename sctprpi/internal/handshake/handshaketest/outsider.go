// Package handshaketest lets a test talk to a transport as a process that may or may not be of the
// job.
package handshaketest

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/handshake"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Patience bounds how long a failing test waits, and never decides a passing one.
const Patience = time.Minute

// Outsider is a test's own socket with an association with a transport.
type Outsider struct {
	testing.TB
	socket.Socket
	ID socket.AssocID
	// events have been received and not been asked for.
	events []socket.Event
}

// Listen opens the socket of an outsider that the transport calls.
func Listen(t testing.TB, c socket.Config) *Outsider {
	s, err := engine.Listen(engine.Config{Config: c, NoChecksum: true})
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return &Outsider{TB: t, Socket: s}
}

// Dial makes an association with the transport at an address.
func Dial(t testing.TB, address string) *Outsider { return DialWith(t, socket.Config{}, address) }

// DialWith is Dial from a socket with a configuration.
func DialWith(t testing.TB, c socket.Config, address string) *Outsider {
	o := Listen(t, c)
	var addrs []socket.Addr
	for s := range strings.SplitSeq(address, ",") {
		a, err := socket.ParseAddr(s)
		require.NoError(t, err)
		addrs = append(addrs, a)
	}
	var err error
	o.ID, err = o.Connect(addrs...)
	require.NoError(t, err)
	return o
}

// Join makes an association with the transport of a rank, as a process of the job.
func Join(t testing.TB, address string, terms handshake.Terms, to matching.Rank) *Outsider {
	o := Dial(t, address)
	o.Join(terms, to)
	return o
}

// Join goes through the handshake as a process of the job.
func (o *Outsider) Join(terms handshake.Terms, to matching.Rank) {
	o.Helper()
	require.Equal(o, handshake.Accepted, o.ShakeHands(terms, to))
	o.Say(0, []byte{byte(handshake.Accepted)})
}

// ShakeHands goes through the handshake, up to the transport's result.
func (o *Outsider) ShakeHands(terms handshake.Terms, to matching.Rank) handshake.Result {
	o.Helper()
	ours := terms.Hello(to, seal.ID{})
	o.Say(0, ours.Encode())
	theirs, err := handshake.Decode(o.Hear())
	require.NoError(o, err)
	proof, message, err := terms.Prove(ours, theirs)
	require.NoError(o, err)
	_, _, err = proof.Verify(o.Hear())
	require.NoError(o, err, "the transport's proof")
	o.Say(0, message)
	result, err := handshake.ParseResult(o.Hear())
	require.NoError(o, err)
	return result
}

// Say sends a message.
func (o *Outsider) Say(stream socket.StreamID, data ...[]byte) {
	o.Helper()
	_, err := o.Send(o.ID, []socket.Message{{Stream: stream, Data: data}})
	require.NoError(o, err)
}

// Hear returns the next message.
func (o *Outsider) Hear() []byte {
	o.Helper()
	e := o.Await(socket.Data, socket.Aborted, socket.Closed, socket.Lost)
	require.Equal(o, socket.Data, e.Kind, "%v", e.Err)
	return e.Payload
}

// Await returns the next event of a kind, and drops those before.
func (o *Outsider) Await(kinds ...socket.Kind) socket.Event {
	o.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), Patience)
	defer cancel()
	for {
		for len(o.events) > 0 {
			e := o.events[0]
			o.events = o.events[1:]
			if slices.Contains(kinds, e.Kind) {
				return e
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

// RequireCut checks that the transport has aborted the association.
func (o *Outsider) RequireCut() *socket.AbortError {
	o.Helper()
	e := o.Await(socket.Aborted, socket.Closed, socket.Lost)
	require.Equal(o, socket.Aborted, e.Kind)
	var abort *socket.AbortError
	require.ErrorAs(o, e.Err, &abort)
	require.True(o, abort.Remote)
	return abort
}
