package cookie

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// RFC 9260, section 5.1.5, step 2.
func TestWhatWasNotSignedIsForged(t *testing.T) {
	s := newSigner(t, 1)
	st := typical()
	signed := s.Append(nil, &st)
	require.NoError(t, s.Open(signed, st.Created, &State{}))

	t.Run("every bit is signed", func(t *testing.T) {
		for bit := range 8 * len(signed) {
			signed[bit/8] ^= 1 << (bit % 8)
			assert.Equal(t, ErrForged, s.Open(signed, st.Created, &State{}), "bit %d", bit)
			signed[bit/8] ^= 1 << (bit % 8)
		}
	})
	t.Run("so is the length", func(t *testing.T) {
		for n := range signed {
			assert.Equal(t, ErrForged, s.Open(signed[:n], st.Created, &State{}), "first %d bytes", n)
			assert.Equal(t, ErrForged, s.Open(signed[n+1:], st.Created, &State{}), "last %d bytes", n)
		}
		assert.Equal(t, ErrForged, s.Open(append(signed, 0), st.Created, &State{}))
		assert.Equal(t, ErrForged, s.Open(make([]byte, 1<<16), st.Created, &State{}))
	})
	t.Run("another signer's is no better", func(t *testing.T) {
		other := newSigner(t, 2)
		assert.Equal(t, ErrForged, other.Open(signed, st.Created, &State{}))
		assert.Equal(t, ErrForged, s.Open(other.Append(nil, &st), st.Created, &State{}))
	})
	t.Run("a forged cookie is not decoded", func(t *testing.T) {
		got := State{PeerWindow: 7}
		signed[len(signed)-1]++
		assert.Equal(t, ErrForged, s.Open(signed, st.Created, &got))
		assert.Equal(t, State{PeerWindow: 7}, got)
		signed[len(signed)-1]--
	})
}

// RFC 9260, section 5.1.5, step 4.
func TestACookieIsStaleOnceItsLifeIsOver(t *testing.T) {
	s := newSigner(t, 1)
	st := typical()
	signed := s.Append(nil, &st)

	assert.NoError(t, s.Open(signed, st.Created+st.Life, &State{}), "the last moment")

	var got State
	err := s.Open(signed, st.Created+st.Life+3*time.Second, &got)
	require.ErrorIs(t, err, ErrStale)
	require.NotErrorIs(t, err, ErrForged)
	stale, ok := errors.AsType[*StaleError](err)
	require.True(t, ok)
	assert.Equal(t, 3*time.Second, stale.By)
	assert.EqualError(t, err, "cookie: stale by 3s")
	assert.Equal(t, st, got, "section 5.2.4 needs its tags")
}

// RFC 9260, section 5.1.3: the secret is changed every now and then.
func TestRotationOutdatesAllButTheLastSecret(t *testing.T) {
	s := newSigner(t, 1)
	st := typical()
	old := [][]byte{}
	for n := range 600 { // generations are counted in a byte
		for age, signed := range old {
			err := s.Open(signed, st.Created, &State{})
			if age == len(old)-1 {
				require.NoError(t, err, "generation %d", n)
			} else {
				require.Equal(t, ErrForged, err, "generation %d", n)
			}
		}
		signed := s.Append(nil, &st)
		require.NoError(t, s.Open(signed, st.Created, &State{}))
		old = append(old[max(0, len(old)-300):], signed)
		require.NoError(t, s.Rotate())
	}
}

func TestNoSecretNoSigner(t *testing.T) {
	_, err := NewSigner(dry{})
	require.ErrorIs(t, err, errDry)

	s := newSigner(t, 1)
	st := typical()
	signed := s.Append(nil, &st)
	s.random = dry{}
	require.ErrorIs(t, s.Rotate(), errDry)
	assert.NoError(t, s.Open(signed, st.Created, &State{}))
	assert.Equal(t, signed, s.Append(nil, &st), "the old secret stays")
}

func TestSecretsComeFromTheSystemUnlessGiven(t *testing.T) {
	st := typical()
	a, err := NewSigner(nil)
	require.NoError(t, err)
	b, err := NewSigner(nil)
	require.NoError(t, err)
	assert.NotEqual(t, a.Append(nil, &st), b.Append(nil, &st))
	assert.Equal(t, newSigner(t, 1).Append(nil, &st), newSigner(t, 1).Append(nil, &st))
}

// Whatever arrives, Open does not panic, and it opens nothing that was not signed.
// Of what is signed it takes just what Append could have made: decoding is strict.
func FuzzOpen(f *testing.F) {
	s := newSigner(f, 1)
	r := rand.New(rand.NewPCG(1, 2))
	known := map[string]bool{}
	for range 20 {
		st := random(r)
		signed := s.Append(nil, &st)
		known[string(signed)] = true
		f.Add(signed)
		f.Add(signed[:len(signed)-macSize])
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var st State
		if err := s.Open(b, 0, &st); err != ErrForged {
			require.True(t, known[string(b)], "forged")
		}
		if len(b) < headerSize {
			return
		}
		signed := slices.Clone(b)
		signed[1] = s.generation
		signed = append(signed, s.mac(s.generation, signed)...)
		if err := s.Open(signed, 0, &st); err != ErrForged {
			require.Equal(t, signed, s.Append(nil, &st))
		}
	})
}
