package handshake

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"net"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
)

// Where the ranks are in a greeting.
const (
	atFrom = 12
	atTo   = 16
)

// members returns the processes of a job of three.
func members(t testing.TB, policy seal.Policy) []*Self {
	all := make([]*Self, 3)
	for rank := range all {
		var err error
		all[rank], err = NewSelf(rpi.Config{Rank: rank, Size: len(all), Token: []byte("secret"), Encrypt: policy, Lookup: func(_ context.Context, peer int) (string, error) {
			return all[peer].Publish("192.0.2.1:1"), nil
		}}, PerTRC)
		require.NoError(t, err)
	}
	return all
}

// peerOf returns what s knows of another rank.
func peerOf(t testing.TB, s *Self, rank int) Peer {
	p, err := s.Find(t.Context(), matching.Rank(rank))
	require.NoError(t, err)
	return p
}

// begun has a process begin a session with another one, and returns what each has.
func begun(t testing.TB, all []*Self, from, to int) (ours, theirs *Session) {
	here, there := net.Pipe()
	accepted := make(chan *Session)
	go func() {
		var n *Session
		if v, err := all[to].Receive(t.Context(), there); err == nil {
			n = v.Begin()
			_ = v.Accept(t.Context(), there, HelloTime)
		}
		accepted <- n
	}()
	result, _, ours, err := all[from].Begin(here, peerOf(t, all[from], to), Hello{To: matching.Rank(to)})
	require.NoError(t, err)
	require.Equal(t, Accepted, result)
	return ours, <-accepted
}

// flight returns the first flight of a connection in a session, whose tag is 5.
func flight(t testing.TB, n *Session) []byte {
	here, there := net.Pipe()
	go func() {
		_, _, _ = n.self.Resume(here, peerOf(t, n.self, int(n.peer)), n, Hello{To: n.peer, Tag: 5})
	}()
	b := make([]byte, flightSize)
	_, err := io.ReadFull(there, b)
	require.NoError(t, err)
	there.Close()
	return b
}

// stream is a connection on which some bytes come, and then the end.
type stream struct {
	net.Conn
	in  *bytes.Reader
	out bytes.Buffer
}

func (s *stream) Read(b []byte) (int, error)  { return s.in.Read(b) }
func (s *stream) Write(b []byte) (int, error) { return s.out.Write(b) }

// said has a process receive a connection on which some bytes come.
func said(t testing.TB, to *Self, b []byte) (*Visit, *stream, error) {
	here, there := net.Pipe() // for its deadlines
	t.Cleanup(func() { here.Close(); there.Close() })
	s := &stream{Conn: here, in: bytes.NewReader(b)}
	v, err := to.Receive(t.Context(), s)
	return v, s, err
}

// refused checks that a first flight opens nothing and gets no answer.
func refused(t testing.TB, to *Self, b []byte) {
	t.Helper()
	v, s, err := said(t, to, b)
	require.Error(t, err)
	require.Nil(t, v)
	require.Zero(t, s.out.Len(), "something was answered")
}

// Either end makes connections in a session, in any order, and each end has what the other one says. The acceptor says nothing before it
// has the hello, so there is no handshake.
func TestConnectionsOfASession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, policy := range []seal.Policy{seal.AlwaysAuth, seal.AlwaysEncrypt} {
			all := members(t, policy)
			ours, theirs := begun(t, all, 0, 1)
			for range 3 {
				for _, n := range []*Session{ours, theirs} {
					here, there := net.Pipe()
					took := make(chan error)
					go func() {
						v, err := all[n.peer].Receive(t.Context(), there)
						if err == nil && v.Tag != 5 {
							err = ErrMismatch
						}
						if err == nil {
							err = v.Accept(t.Context(), there, HelloTime)
						}
						if err == nil {
							err = v.Cipher.Send(there, []byte("welcome"))
						}
						took <- err
					}()
					result, cipher, err := n.self.Resume(here, peerOf(t, n.self, int(n.peer)), n, Hello{To: n.peer, Tag: 5})
					require.NoError(t, err)
					require.Equal(t, Accepted, result)
					welcome, err := cipher.Receive(here, 100)
					require.NoError(t, err)
					require.Equal(t, "welcome", string(welcome))
					require.NoError(t, <-took)
				}
			}
		}
	})
}

// Where nothing is sealed there are no keys, and no sessions.
func TestNoSessionWithoutKeys(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		all := members(t, seal.Off)
		ours, theirs := begun(t, all, 0, 1)
		require.Nil(t, ours)
		require.Nil(t, theirs)
		g := greeting{resumes: true}
		refused(t, all[1], append(all[0].greeting(g, 1), make([]byte, 100)...))
	})
}

// A first flight that was recorded opens nothing a second time, however soon or late it is played again.
func TestAReplayedFirstFlightIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		all := members(t, seal.AlwaysEncrypt)
		ours, _ := begun(t, all, 0, 1)
		var recorded [][]byte
		for range 10 {
			b := flight(t, ours)
			recorded = append(recorded, b)
			_, _, err := said(t, all[1], b)
			require.NoError(t, err)
			for _, b := range recorded {
				refused(t, all[1], b)
			}
		}
	})
}

// A first flight is for the other end of its session: not for a third rank, nor from one, nor for the one that has sent it.
func TestAFirstFlightIsForOneEndOfOneSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		all := members(t, seal.AlwaysEncrypt)
		ours, _ := begun(t, all, 0, 1)
		begun(t, all, 0, 2)
		third, _ := begun(t, all, 2, 1)
		again, _ := begun(t, all, 0, 1)
		as := func(b []byte, from, to int32) []byte {
			b = bytes.Clone(b)
			binary.BigEndian.PutUint32(b[atFrom:], uint32(from))
			binary.BigEndian.PutUint32(b[atTo:], uint32(to))
			return b
		}
		b := flight(t, ours)
		refused(t, all[0], b)
		refused(t, all[0], as(b, 1, 0)) // reflected
		refused(t, all[2], as(b, 0, 2))
		refused(t, all[1], as(b, 2, 1))
		for _, other := range []*Session{third, again} { // of another peer, and of the same
			b := bytes.Clone(b)
			copy(b[greetingSize-len(seal.ID{}):], other.resumption.Sent[:])
			refused(t, all[1], b)
		}
		_, _, err := said(t, all[1], b)
		require.NoError(t, err, "what was refused has no effect")
	})
}

// When the connection has ended whose handshake has left a session, nothing is taken in it.
func TestAnEndedSessionTakesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		all := members(t, seal.AlwaysEncrypt)
		ours, theirs := begun(t, all, 0, 1)
		before := flight(t, ours)
		theirs.End()
		theirs.End()
		refused(t, all[1], before)
		refused(t, all[1], flight(t, ours))
		require.Empty(t, all[1].sessions)
	})
}

// A connection that the peer does not accept leaves no session.
func TestARefusedConnectionLeavesNoSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		all := members(t, seal.AlwaysEncrypt)
		here, there := net.Pipe()
		go func() {
			if v, err := all[1].Receive(t.Context(), there); err == nil {
				_ = v.Answer(there, Full)
			}
		}()
		result, _, n, err := all[0].Begin(here, peerOf(t, all[0], 1), Hello{To: 1})
		require.NoError(t, err)
		require.Equal(t, Full, result)
		require.Nil(t, n)
		require.Empty(t, all[0].sessions)
		require.Empty(t, all[1].sessions)
	})
}

// FuzzReceive: a connection is taken, or answered, only if it begins with the first flight that a peer has sent in a session, and once.
// (To send what a whole handshake begins with, one must know the token.)
func FuzzReceive(f *testing.F) {
	all := members(f, seal.AlwaysEncrypt)
	k := seal.Keys{Send: seal.NewSecret([]byte("a"), Label), Receive: seal.NewSecret([]byte("b"), Label)} // alike in all processes that fuzz
	terms := seal.Terms{From: seal.ID{1}, To: seal.ID{2}, Mode: seal.Encrypt, Suite: seal.AES128GCM}
	ours := all[0].session(1, k, terms)
	theirs := all[1].session(0, seal.Keys{Send: k.Receive, Receive: k.Send}, terms.Reversed())
	all[1].open(theirs)
	genuine := flight(f, ours)
	f.Add(genuine)
	f.Add(genuine[:flightSize-1])
	f.Add(append((&greeting{protocol: PerTRC, mode: seal.Encrypt, suite: seal.AES128GCM, to: 1, size: 3}).append(nil), make([]byte, seal.MessageSize)...))
	opened := false
	f.Fuzz(func(t *testing.T, b []byte) {
		_, s, err := said(t, all[1], b)
		require.Equal(t, !opened && bytes.HasPrefix(b, genuine), err == nil)
		require.Zero(t, s.out.Len())
		opened = opened || err == nil
	})
}
