package associations

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/handshake"
	"github.com/sctpmpi/sctpmpi/sctprpi/internal/handshake/handshaketest"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

func TestUnauthenticatedPeersAreRejected(t *testing.T) {
	terms := rank1()
	good := func() *handshake.Hello { return terms.Hello(2, seal.ID{}) }
	varied := func(vary func(h *handshake.Hello)) func(o *handshaketest.Outsider) {
		return func(o *handshaketest.Outsider) {
			h := good()
			vary(h)
			o.Say(Control, h.Encode())
		}
	}
	for name, talk := range map[string]func(o *handshaketest.Outsider){
		"another protocol": func(o *handshaketest.Outsider) { o.Say(Control, []byte("GET / HTTP/1.1\r\n\r\n")) },
		"another version": func(o *handshaketest.Outsider) {
			b := good().Encode()
			b[len("SCTPRPI")]++
			o.Say(Control, b)
		},
		"half a hello":                 func(o *handshaketest.Outsider) { o.Say(Control, good().Encode()[:20]) },
		"a rank beyond the job":        varied(func(h *handshake.Hello) { h.From = 3 }),
		"a negative rank":              varied(func(h *handshake.Hello) { h.From = -1 }),
		"the victim's own rank":        varied(func(h *handshake.Hello) { h.From = 2 }),
		"a hello to someone else":      varied(func(h *handshake.Hello) { h.To = 0 }),
		"a hello on another stream":    func(o *handshaketest.Outsider) { o.Say(1, good().Encode()) },
		"a message instead of a hello": func(o *handshaketest.Outsider) { o.Say(Control, []byte("a message")) },
		"a message without a hello":    func(o *handshaketest.Outsider) { o.Say(7, []byte("a message")) },
		"a message without a proof": func(o *handshaketest.Outsider) {
			o.Say(Control, good().Encode())
			o.Hear()
			o.Say(7, []byte("a message"))
		},
		"the victim's own proof sent back": func(o *handshaketest.Outsider) {
			o.Say(Control, good().Encode())
			o.Hear()
			o.Say(Control, o.Hear())
		},
		"a guessed token": func(o *handshaketest.Outsider) {
			ours := good()
			o.Say(Control, ours.Encode())
			theirs, err := handshake.Decode(o.Hear())
			require.NoError(o, err)
			guess := terms
			guess.Token = []byte("guess")
			_, proof, err := guess.Prove(ours, theirs)
			require.NoError(o, err)
			o.Say(Control, proof)
		},
	} {
		t.Run(name, func(t *testing.T) {
			v := victim(t, nil)
			o := dial(t, v)
			talk(o)
			require.NotEmpty(t, o.RequireCut().Reason)
			require.EqualValues(t, 1, v.Rejected())
			v.lock.Lock()
			require.Empty(t, v.heard, "a message of an unauthenticated peer was taken")
			v.lock.Unlock()
			requireWorks(t, v)
		})
	}
}

func TestSilentPeerIsAborted(t *testing.T) {
	v := victim(t, func(cfg *rpi.Config) { cfg.ConnectTimeout = 50 * time.Millisecond })
	dial(t, v).RequireCut()
	require.EqualValues(t, 1, v.Rejected())
}

// TestSilentMemberIsGivenUp: the proof alone does not buy unlimited time.
func TestSilentMemberIsGivenUp(t *testing.T) {
	v := victim(t, func(cfg *rpi.Config) { cfg.ConnectTimeout = 2 * time.Second })
	o := dial(t, v)
	require.Equal(t, handshake.Accepted, o.ShakeHands(rank1(), 2)) // and no result in return
	require.ErrorContains(t, v.waitFailed(1), "no connection within 2s")
	o.RequireCut()
}

// TestFloodOfUnauthenticatedAssociations: when too many are there without a proof, the oldest go, and a
// member still gets in.
func TestFloodOfUnauthenticatedAssociations(t *testing.T) {
	v := victim(t, nil)
	first := dial(t, v)
	first.Await(socket.Up)
	for range v.cfg.Size + maxUnauthenticated {
		dial(t, v).Await(socket.Up)
	}
	first.RequireCut()
	requireWorks(t, v)
	v.lock.Lock()
	defer v.lock.Unlock()
	unauthenticated := 0
	for _, a := range v.assocs {
		if a.handshakeTimer != nil {
			unauthenticated++
		}
	}
	require.LessOrEqual(t, unauthenticated, v.cfg.Size+maxUnauthenticated)
}

func TestSettingsMustBeAlike(t *testing.T) {
	for name, vary := range map[string]func(*handshake.Terms){
		"setting":   func(t *handshake.Terms) { t.Setting++ },
		"job size":  func(t *handshake.Terms) { t.Size++ },
		"transport": func(t *handshake.Terms) { t.Protocol = "other/1" },
	} {
		t.Run(name, func(t *testing.T) {
			v := victim(t, nil)
			o := dial(t, v)
			terms := rank1()
			vary(&terms)
			require.Equal(t, handshake.Mismatch, o.ShakeHands(terms, 2))
			o.Await(socket.Closed)
			require.Zero(t, v.Rejected(), "it has authenticated")
		})
	}
}

// TestASecondAssociationIsNotUsed: a peer that is open keeps the one it has.
func TestASecondAssociationIsNotUsed(t *testing.T) {
	v := victim(t, nil)
	first := handshaketest.Join(t, v.Address(), rank1(), 2)
	v.waitOpen(1)
	second := dial(t, v)
	require.Equal(t, handshake.Another, second.ShakeHands(rank1(), 2))
	second.Await(socket.Closed)
	first.Say(5, []byte("hello"))
	v.waitHeard(1, "hello")
}
