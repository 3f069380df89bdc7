package associations

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/monitor"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/handshake"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/handshake/handshaketest"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

const patience = handshaketest.Patience

var token = []byte("the job's secret")

// transport is the User of a Manager. It only remembers what it is told, by rank.
type transport struct {
	*Manager
	heard  map[matching.Rank][]byte
	failed map[matching.Rank]error
}

func newTransport(t testing.TB, cfg rpi.Config, o Options) *transport {
	u := &transport{heard: make(map[matching.Rank][]byte), failed: make(map[matching.Rank]error)}
	cfg = Defaults(cfg)
	c, err := SocketConfig(cfg, o)
	require.NoError(t, err)
	u.Manager, err = New(cfg, o, Design{Protocol: "test/1", Setting: 7, SettingName: "SCTPMPI_TEST", Socket: c}, monitor.New(nil), u)
	require.NoError(t, err)
	u.Run()
	t.Cleanup(u.Kill)
	return u
}

func (u *transport) Accepted(*Peer)               {}
func (u *transport) Opened(*Peer)                 {}
func (u *transport) Closing()                     {}
func (u *transport) Handled()                     {}
func (u *transport) Writable(*Peer)               {}
func (u *transport) Released(any, socket.Outcome) {}
func (u *transport) Busy(*Peer) (_, _ bool)       { return false, false }
func (u *transport) Release()                     {}
func (u *transport) Stop()                        {}
func (u *transport) Killed()                      {}

func (u *transport) Failed(p *Peer, cause error) { u.failed[p.Rank] = cause }

func (u *transport) Data(p *Peer, e *socket.Event) error {
	u.heard[p.Rank] = append(u.heard[p.Rank], e.Payload...)
	u.life.Changed()
	return nil
}

// need asks for an association, as a transport that has something to send or else waits for a message.
func (u *transport) need(rank matching.Rank, now bool) {
	u.lock.Lock()
	defer u.lock.Unlock()
	u.Need(u.Peer(rank), now)
}

// wait waits until something has happened, which done sees under the lock.
func (u *transport) wait(done func() bool) {
	u.lock.Lock()
	defer u.lock.Unlock()
	for !done() {
		u.life.Wait()
	}
}

func (u *transport) waitOpen(rank matching.Rank) {
	u.wait(func() bool { return u.Peer(rank).Open() })
}

// waitFailed waits until a peer has failed, and returns the cause.
func (u *transport) waitFailed(rank matching.Rank) (cause error) {
	u.wait(func() bool {
		cause = u.failed[rank]
		return cause != nil
	})
	return cause
}

// say sends a message to a peer that is open.
func (u *transport) say(t testing.TB, rank matching.Rank, message string) {
	u.lock.Lock()
	to := u.Peer(rank).Outlet()
	u.lock.Unlock()
	_, err := u.Send(to, []socket.Message{{Stream: 1, Data: [][]byte{[]byte(message)}}})
	require.NoError(t, err)
}

// waitHeard waits for a message of a peer.
func (u *transport) waitHeard(rank matching.Rank, message string) {
	u.wait(func() bool { return string(u.heard[rank]) == message })
}

// The processes of these tests do not seal what they send: outsiders speak with them, or look at packets.

// victim is rank 2 of a job of three, to which no other rank can be found; the test plays the others.
func victim(t testing.TB, vary func(*rpi.Config)) *transport {
	cfg := rpi.Config{Rank: 2, Size: 3, Token: token, Encrypt: seal.Off, Lookup: func(ctx context.Context, _ int) (string, error) {
		<-ctx.Done()
		return "", ctx.Err()
	}}
	if vary != nil {
		vary(&cfg)
	}
	return newTransport(t, cfg, Options{})
}

// pair are the two ranks of a job. They look each other up in a flood, too, so perhaps before both are there.
func pair(t testing.TB, o Options) (ranks [2]*transport) {
	both := make(chan struct{})
	defer close(both)
	for rank := range ranks {
		ranks[rank] = newTransport(t, rpi.Config{Rank: rank, Size: 2, Token: token, Encrypt: seal.Off, Lookup: func(_ context.Context, peer int) (string, error) {
			<-both
			return ranks[peer].Address(), nil
		}}, o)
	}
	return ranks
}

// rank1 are the terms of rank 1 of the victim's job.
func rank1() handshake.Terms {
	return handshake.Terms{Protocol: "test/1", Rank: 1, Size: 3, Setting: 7, SettingName: "SCTPMPI_TEST", Token: token}
}

func dial(t testing.TB, v *transport) *handshaketest.Outsider {
	return handshaketest.Dial(t, v.Address())
}

// requireWorks checks that the rest of the job has not noticed anything.
func requireWorks(t testing.TB, v *transport) {
	t.Helper()
	handshaketest.Join(t, v.Address(), rank1(), 2).Say(5, []byte("hello"))
	v.waitHeard(1, "hello")
}
