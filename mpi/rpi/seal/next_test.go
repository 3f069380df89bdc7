package seal

import (
	"crypto/hmac"
	"crypto/sha256"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Next is HKDF-Expand of one block (RFC 5869, section 2.3). What it gives opens nothing of before or after.
func TestEachNextSecretIsAnother(t *testing.T) {
	s := NewSecret(token, "test/1")
	mac := hmac.New(sha256.New, s.prk)
	mac.Write([]byte("sctpmpi seal 1 next\x00\x01"))
	require.Equal(t, mac.Sum(nil), s.Next().prk)
	chain := []*Secret{s, s.Next(), s.Next().Next()}
	for i, from := range chain {
		for j, to := range chain {
			r := record(t, from.Sealer(ways[1]), "words")
			payload, err := to.Opener(ways[1]).OpenNext(r, header)
			if i == j {
				require.NoError(t, err)
				assert.Equal(t, "words", string(payload))
			} else {
				assert.ErrorIs(t, err, ErrForged)
			}
		}
	}
}
