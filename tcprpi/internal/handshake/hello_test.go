package handshake

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
)

func TestGreetingsAndHellosAreReadBack(t *testing.T) {
	g := greeting{protocol: PerTRC, mode: seal.Encrypt, suite: seal.ChaCha20Poly1305, resumes: true, from: 1, to: 1 << 20, size: -1, id: seal.NewID()}
	var read greeting
	b := g.append(nil)
	require.Len(t, b, greetingSize)
	require.True(t, read.parse(b))
	require.Equal(t, g, read)

	h := Hello{Purpose: 7, Tag: -5, Context: 1 << 63, Setting: -9}
	var got Hello
	said := h.append(nil)
	require.Len(t, said, helloSize)
	got.parse(said)
	require.True(t, got.Fits(-9))
	require.False(t, got.Fits(9))
	got.bigEnd = h.bigEnd
	require.Equal(t, h, got)
}

// FuzzGreeting: what is read as a greeting is one.
func FuzzGreeting(f *testing.F) {
	f.Add((&greeting{protocol: PerPair}).append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		var g greeting
		if len(b) == greetingSize && g.parse(b) {
			require.True(t, bytes.Equal(b, g.append(nil)))
		}
	})
}
