package seal

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"os"
	"testing"

	"github.com/flynn/noise"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var token = []byte("a token of sixteen bytes or more")

func parties() Parties {
	return Parties{Initiator: ID{1}, Responder: ID{2}, Epoch: 1, Binding: []byte("hello")}
}

// hexBytes is bytes that JSON has in hexadecimal digits.
type hexBytes []byte

func (h *hexBytes) UnmarshalJSON(b []byte) error {
	var s string
	err := json.Unmarshal(b, &s)
	if err == nil {
		*h, err = hex.DecodeString(s)
	}
	return err
}

// TestNoiseVectors runs the handshake, with the suite that this package uses, against the vectors that the Noise
// implementation cacophony has published (vectors/cacophony.txt, public domain), and the two keys behind it.
func TestNoiseVectors(t *testing.T) {
	text, err := os.ReadFile("testdata/noise.json")
	require.NoError(t, err)
	var vectors []struct {
		Name      string     `json:"protocol_name"`
		Prologue  hexBytes   `json:"init_prologue"`
		PSKs      []hexBytes `json:"init_psks"`
		Initiator hexBytes   `json:"init_ephemeral"`
		Responder hexBytes   `json:"resp_ephemeral"`
		Hash      hexBytes   `json:"handshake_hash"`
		Messages  []struct {
			Payload    hexBytes `json:"payload"`
			Ciphertext hexBytes `json:"ciphertext"`
		} `json:"messages"`
	}
	require.NoError(t, json.Unmarshal(text, &vectors))
	require.NotEmpty(t, vectors)
	for _, v := range vectors {
		require.Equal(t, "Noise_NNpsk0_25519_ChaChaPoly_SHA256", v.Name)
		var ends [2]*noise.HandshakeState
		for i, ephemeral := range []hexBytes{v.Initiator, v.Responder} {
			ends[i], err = noise.NewHandshakeState(noise.Config{
				CipherSuite: suite, Random: bytes.NewReader(ephemeral), Pattern: noise.HandshakeNN, Initiator: i == 0,
				Prologue: v.Prologue, PresharedKey: v.PSKs[0],
			})
			require.NoError(t, err)
		}
		var first, second *noise.CipherState
		for i, m := range v.Messages {
			from, to := ends[i%2], ends[1-i%2]
			if i < 2 {
				got, _, _, err := from.WriteMessage(nil, m.Payload)
				require.NoError(t, err)
				require.Equal(t, []byte(m.Ciphertext), got)
				var payload []byte
				payload, first, second, err = to.ReadMessage(nil, got)
				require.NoError(t, err)
				require.Equal(t, []byte(m.Payload), payload)
				continue
			}
			require.Equal(t, []byte(v.Hash), ends[0].ChannelBinding())
			cipher := first // from the initiator
			if i%2 == 1 {
				cipher = second
			}
			got, err := cipher.Encrypt(nil, nil, m.Payload)
			require.NoError(t, err)
			require.Equal(t, []byte(m.Ciphertext), got)
		}
	}
}

// TestHandshakeGivesBothEndsTheSameKeys, one for each direction, and new ones each time.
func TestHandshakeGivesBothEndsTheSameKeys(t *testing.T) {
	s := NewSecret(token, "test/1")
	seen := make(map[string]bool)
	for range 2 {
		h, first, err := s.Initiate(parties())
		require.NoError(t, err)
		require.Len(t, first, MessageSize)
		answer, theirs, err := s.Respond(parties(), first)
		require.NoError(t, err)
		require.Len(t, answer, MessageSize)
		ours, err := h.Finish(answer)
		require.NoError(t, err)
		assert.Equal(t, ours.Send, theirs.Receive)
		assert.Equal(t, ours.Receive, theirs.Send)
		for _, k := range []*Secret{ours.Send, ours.Receive} {
			assert.False(t, seen[string(k.prk)])
			seen[string(k.prk)] = true
		}
	}
}

// TestHandshakeIsBoundToItsParties: nothing but the same token, protocol, parties, epoch and binding will do.
func TestHandshakeIsBoundToItsParties(t *testing.T) {
	s := NewSecret(token, "test/1")
	for name, vary := range map[string]func(p *Parties){
		"initiator": func(p *Parties) { p.Initiator[15]++ },
		"responder": func(p *Parties) { p.Responder[15]++ },
		"roles":     func(p *Parties) { p.Initiator, p.Responder = p.Responder, p.Initiator },
		"epoch":     func(p *Parties) { p.Epoch++ },
		"binding":   func(p *Parties) { p.Binding = []byte("hellO") },
	} {
		_, first, err := s.Initiate(parties())
		require.NoError(t, err)
		p := parties()
		vary(&p)
		_, _, err = s.Respond(p, first)
		assert.ErrorIs(t, err, ErrHandshake, name)
	}
	_, first, err := s.Initiate(parties())
	require.NoError(t, err)
	for _, other := range []*Secret{NewSecret(token[1:], "test/1"), NewSecret(token, "test/2")} {
		_, _, err = other.Respond(parties(), first)
		assert.ErrorIs(t, err, ErrHandshake)
	}
}

// TestForgedAnswersEndTheHandshake, and no bit of the genuine one can be changed.
func TestForgedAnswersEndTheHandshake(t *testing.T) {
	s := NewSecret(token, "test/1")
	for i := range 8 * MessageSize {
		h, first, err := s.Initiate(parties())
		require.NoError(t, err)
		answer, _, err := s.Respond(parties(), first)
		require.NoError(t, err)
		forged := bytes.Clone(answer)
		forged[i/8] ^= 1 << (i % 8)
		switch i {
		case 0:
			forged = answer[1:]
		case 1:
			clear(forged) // a public key of low order
		case 2:
			forged = first
		}
		_, err = h.Finish(forged)
		require.ErrorIs(t, err, ErrHandshake)
		_, err = h.Finish(answer)
		require.ErrorIs(t, err, ErrHandshake)
	}
}

func FuzzHandshake(f *testing.F) {
	s := NewSecret(token, "test/1")
	_, first, err := s.initiate(parties(), bytes.NewReader(make([]byte, 32))) // alike in all processes that fuzz
	require.NoError(f, err)
	f.Add(first)
	f.Add(make([]byte, MessageSize))
	f.Fuzz(func(t *testing.T, b []byte) {
		_, _, err := s.Respond(parties(), b)
		require.Equal(t, bytes.Equal(b, first), err == nil)
		h, _, err := s.Initiate(parties())
		require.NoError(t, err)
		_, err = h.Finish(b)
		require.ErrorIs(t, err, ErrHandshake)
	})
}
