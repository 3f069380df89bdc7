package seal

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const greeting = "a greeting"

// resumptions returns what a handshake leaves at its two ends.
func resumptions(t testing.TB, terms Terms) (a, b *Resumption) {
	s := NewSecret(token, "test/1")
	h, first, err := s.Initiate(parties())
	require.NoError(t, err)
	answer, theirs, err := s.Respond(parties(), first)
	require.NoError(t, err)
	ours, err := h.Finish(answer)
	require.NoError(t, err)
	return ours.Resumption(terms), theirs.Resumption(terms.Reversed())
}

func dial(t testing.TB, r *Resumption) ([]byte, Keys) {
	flight, keys, err := r.Dial([]byte(greeting), []byte("hello"))
	require.NoError(t, err)
	require.Len(t, flight, FlightSize(len(greeting), len("hello")))
	return flight, keys
}

func accept(r *Resumption, flight []byte) (string, Keys, error) {
	payload, keys, err := r.Accept(bytes.Clone(flight), len(greeting))
	return string(payload), keys, err
}

// Both ends have the same keys for a connection, and no other connection has one of them: not one that the other end makes, nor one after
// another handshake with the same token.
func TestEachResumedConnectionHasItsOwnKeys(t *testing.T) {
	for _, terms := range ways {
		seen := make(map[string]bool)
		for range 2 {
			a, b := resumptions(t, terms)
			for range 3 {
				for _, ends := range [][2]*Resumption{{a, b}, {b, a}} {
					require.Equal(t, ends[0].Sent, ends[1].Received)
					flight, ours := dial(t, ends[0])
					hello, theirs, err := accept(ends[1], flight)
					require.NoError(t, err)
					assert.Equal(t, "hello", hello)
					assert.Equal(t, ours.Send, theirs.Receive)
					assert.Equal(t, ours.Receive, theirs.Send)
					assert.Equal(t, terms.Mode == Auth, bytes.Contains(flight, []byte("hello")))
					for _, k := range []*Secret{ours.Send, ours.Receive} {
						assert.False(t, seen[string(k.prk)])
						seen[string(k.prk)] = true
					}
				}
			}
		}
	}
}

// A first flight opens once, at the other end of its handshake and nowhere else, whatever came before it.
func TestAFirstFlightOpensOnce(t *testing.T) {
	a, b := resumptions(t, ways[1])
	other, another := resumptions(t, ways[1])
	first, _ := dial(t, a)
	second, _ := dial(t, a)
	for _, r := range []*Resumption{a, other, another} {
		_, _, err := accept(r, first)
		require.ErrorIs(t, err, ErrForged)
	}
	for _, flight := range [][]byte{second, first} { // connections overtake each other
		_, _, err := accept(b, flight)
		require.NoError(t, err)
		_, _, err = accept(b, flight)
		require.ErrorIs(t, err, ErrReplayed)
	}
	late, _ := dial(t, a)
	for range Window + 1 {
		flight, _ := dial(t, a)
		_, _, err := accept(b, flight)
		require.NoError(t, err)
	}
	_, _, err := accept(b, late)
	require.ErrorIs(t, err, ErrReplayed)
}

// Nothing of a first flight can be changed: neither the greeting, nor the number, nor the hello.
func TestAFirstFlightThatWasChangedDoesNotOpen(t *testing.T) {
	a, b := resumptions(t, ways[0])
	flight, _ := dial(t, a)
	for i := range 8 * len(flight) {
		forged := bytes.Clone(flight)
		forged[i/8] ^= 1 << (i % 8)
		_, _, err := accept(b, forged)
		require.Error(t, err)
	}
	for n := range flight {
		_, _, err := accept(b, flight[:n])
		require.Error(t, err)
	}
	_, _, err := accept(b, flight)
	require.NoError(t, err, "what was refused has no effect")
}

func TestASpentResumptionMakesNoConnection(t *testing.T) {
	a, _ := resumptions(t, ways[1])
	a.sealer.next = Limit
	_, _, err := a.Dial([]byte(greeting), nil)
	require.ErrorIs(t, err, ErrSpent)
}

// The keys are those of HKDF-Expand (RFC 5869, section 2.3): connections of two blocks, resumption secret and name of one.
func TestResumptionIsHKDF(t *testing.T) {
	block := func(key []byte, parts ...string) string {
		mac := hmac.New(sha256.New, key)
		for _, p := range parts {
			mac.Write([]byte(p))
		}
		return string(mac.Sum(nil))
	}
	k := Keys{Send: NewSecret(token, "test/1"), Receive: NewSecret(token, "test/2")}
	r := k.Resumption(ways[1])
	secret := block(k.Send.prk, "sctpmpi seal 1 resumption\x00", "\x01")
	require.Equal(t, block([]byte(secret), "sctpmpi seal 1 name\x00", "\x01")[:16], string(r.Sent[:]))
	_, keys := dial(t, r)
	info := "sctpmpi seal 1 connection\x00" + string(make([]byte, 8))
	first := block([]byte(secret), info, "\x01")
	require.Equal(t, first, string(keys.Send.prk))
	require.Equal(t, block([]byte(secret), first, info, "\x02"), string(keys.Receive.prk))
}

// FuzzFirstFlight: what opens is what the other end has sent, once.
func FuzzFirstFlight(f *testing.F) {
	k := Keys{Send: NewSecret(token, "test/1"), Receive: NewSecret(token, "test/2")} // alike in all processes that fuzz
	flight, _ := dial(f, k.Resumption(ways[1]))
	r := Keys{Send: k.Receive, Receive: k.Send}.Resumption(ways[1].Reversed())
	f.Add(flight)
	f.Add([]byte{})
	opened := false
	f.Fuzz(func(t *testing.T, said []byte) {
		_, _, err := accept(r, said)
		require.Equal(t, !opened && bytes.Equal(said, flight), err == nil)
		opened = opened || err == nil
	})
}
