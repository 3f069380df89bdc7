package sctprpi

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

func TestUnauthenticatedPeersAreRejected(t *testing.T) {
	good := func(o *outsider) *hello { return newHello(o.rank1(), 2) }
	varied := func(vary func(h *hello)) func(o *outsider) {
		return func(o *outsider) {
			h := good(o)
			vary(h)
			o.say(control, h.encode())
		}
	}
	for name, talk := range map[string]func(o *outsider){
		"another protocol": func(o *outsider) { o.say(control, []byte("GET / HTTP/1.1\r\n\r\n")) },
		"another version": func(o *outsider) {
			b := good(o).encode()
			b[len(magic)-1]++
			o.say(control, b)
		},
		"half a hello":               func(o *outsider) { o.say(control, good(o).encode()[:20]) },
		"a rank beyond the job":      varied(func(h *hello) { h.from = 3 }),
		"a negative rank":            varied(func(h *hello) { h.from = -1 }),
		"the victim's own rank":      varied(func(h *hello) { h.from = 2 }),
		"a hello to someone else":    varied(func(h *hello) { h.to = 0 }),
		"a hello on another stream":  func(o *outsider) { o.say(1, good(o).encode()) },
		"a frame instead of a hello": func(o *outsider) { o.say(control, frame(matching.Envelope{Kind: matching.Eager})) },
		"a frame without a hello":    func(o *outsider) { o.say(7, frame(matching.Envelope{Kind: matching.Eager})) },
		"a frame without a proof": func(o *outsider) {
			o.say(control, good(o).encode())
			o.receive()
			o.say(7, frame(matching.Envelope{Kind: matching.Eager}))
		},
		"the victim's own proof sent back": func(o *outsider) {
			o.say(control, good(o).encode())
			o.receive()
			o.say(control, o.receive())
		},
		"a guessed token": func(o *outsider) {
			ours := good(o)
			o.say(control, ours.encode())
			theirs, err := decodeHello(o.receive())
			require.NoError(o, err)
			o.say(control, prove([]byte("guess"), ours, theirs))
		},
	} {
		t.Run(name, func(t *testing.T) {
			v := victim(t, nil)
			o := newOutsider(t, v)
			talk(o)
			require.NotEmpty(t, o.requireCut().Reason)
			require.EqualValues(t, 1, v.Rejected())
			requireWorks(t, v)
			_, found, err := v.Iprobe(0, matching.AnySource, matching.AnyTag)
			require.NoError(t, err)
			require.False(t, found, "a message of an unauthenticated peer was taken")
		})
	}
}

func TestSilentPeerIsAborted(t *testing.T) {
	v := victim(t, func(cfg *rpi.Config) { cfg.ConnectTimeout = 50 * time.Millisecond })
	newOutsider(t, v).requireCut()
	require.EqualValues(t, 1, v.Rejected())
}

// TestSilentMemberIsGivenUp: the proof alone does not buy unlimited time.
func TestSilentMemberIsGivenUp(t *testing.T) {
	v := victim(t, func(cfg *rpi.Config) { cfg.ConnectTimeout = 2 * time.Second })
	o := newOutsider(t, v)
	require.Equal(t, accepted, o.shakeHands(o.rank1(), token)) // and no result in return
	r := receiveFrom(1)
	v.Start(r)
	<-r.Done()
	require.ErrorIs(t, r.Err, rpi.ErrProcFailed)
	o.requireCut()
}

// TestFloodOfUnauthenticatedAssociations: when too many are there without a proof, the oldest go, and a
// member still gets in.
func TestFloodOfUnauthenticatedAssociations(t *testing.T) {
	v := victim(t, nil)
	first := newOutsider(t, v)
	first.await(socket.Up)
	for range v.cfg.Size + maxUnauthenticated {
		newOutsider(t, v).await(socket.Up)
	}
	first.requireCut()
	requireWorks(t, v)
	v.mu.Lock()
	defer v.mu.Unlock()
	unauthenticated := 0
	for _, a := range v.assocs {
		if a.handshakeTimer != nil {
			unauthenticated++
		}
	}
	require.LessOrEqual(t, unauthenticated, v.cfg.Size+maxUnauthenticated)
}

func TestSettingsMustBeAlike(t *testing.T) {
	for name, vary := range map[string]func(*rpi.Config){
		"credit":   func(cfg *rpi.Config) { cfg.UnexpectedLimit *= 2 },
		"job size": func(cfg *rpi.Config) { cfg.Size++; cfg.UnexpectedLimit = cfg.UnexpectedLimit / 2 * 3 },
	} {
		t.Run(name, func(t *testing.T) {
			v := victim(t, nil)
			o := newOutsider(t, v)
			cfg := o.rank1()
			vary(&cfg)
			require.Equal(t, mismatch, o.shakeHands(cfg, token))
			o.await(socket.Closed)
			require.Zero(t, v.Rejected(), "it has authenticated")
		})
	}
}
