package sctprpi

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

func pairOfHellos() (a, b *hello) {
	cfg := rpi.Config{Rank: 1, Size: 3}.WithDefaults()
	a = newHello(cfg, 2)
	cfg.Rank = 2
	return a, newHello(cfg, 1)
}

func TestHelloIsDecodedBack(t *testing.T) {
	a, _ := pairOfHellos()
	require.Len(t, a.encode(), helloSize)
	got, err := decodeHello(a.encode())
	require.NoError(t, err)
	assert.Equal(t, a, got)
}

// TestAProofIsInvalidElsewhere: a proof is not valid for the other end, for another
// association, or with another token.
func TestAProofIsInvalidElsewhere(t *testing.T) {
	a, b := pairOfHellos()
	other, _ := pairOfHellos()
	good := prove(token, a, b)
	assert.Equal(t, good, prove(token, a, b))
	assert.NotEqual(t, good, prove(token, b, a))
	assert.NotEqual(t, good, prove(token, other, b))
	assert.NotEqual(t, good, prove([]byte("guess"), a, b))
	assert.NotEqual(t, good, prove(nil, a, b))
}

func FuzzHello(f *testing.F) {
	a, _ := pairOfHellos()
	f.Add(a.encode())
	f.Add(a.encode()[1:])
	f.Fuzz(func(t *testing.T, b []byte) {
		if h, err := decodeHello(b); err == nil {
			again, err := decodeHello(h.encode())
			require.NoError(t, err)
			require.Equal(t, h, again)
			_ = h.addressed(rpi.Config{Rank: 2, Size: 3})
		}
	})
}
