package meeting

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDifferenceSaysWhatDiffers(t *testing.T) {
	const place = "1/b00t/10/20/30/40"
	for _, c := range []struct{ other, difference string }{
		{place, ""},
		{place + "/salt", ""},
		{"1/other/11/20/30/40", "another host"},
		{"1/b00t/11/21/30/40", "another network namespace"},
		{"1/b00t/10/21/30/40", "another PID namespace"},
		{"1/b00t/10/20/31/40", "another user namespace"},
		{"1/b00t/10/20/30/41", "another user"},
		{"2/b00t/10/20/30/40", "another version of the library"},
		{"1/b00t", "another version of the library"},
		{"", "another version of the library"},
	} {
		assert.Equal(t, c.difference, Difference(place, c.other), c.other)
		assert.Equal(t, c.difference, Difference(c.other, place), c.other)
	}
}

func TestSaltOfAPlace(t *testing.T) {
	salt, err := saltOf("1/2/3/4/5/6/000102030405060708090a0b0c0d0e0f")
	require.NoError(t, err)
	require.Len(t, salt, saltSize)
	for _, place := range []string{"", "1/2/3/4/5/6", "1/2/3/4/5/6/00", "1/2/3/4/5/6/" + strings.Repeat("x", 32), "1/2/3/4/5/6/00/7"} {
		_, err := saltOf(place)
		assert.ErrorIs(t, err, ErrGarbage, place)
	}
}

func TestSocketNamesDifferByTokenRankAndSalt(t *testing.T) {
	salt := make([]byte, saltSize)
	name := socketName([]byte("token"), 1, salt)
	require.Equal(t, name, socketName([]byte("token"), 1, salt))
	require.Less(t, len(name), 100, "a Unix socket's name has at most 108 bytes")
	for _, other := range []string{
		socketName([]byte("other"), 1, salt),
		socketName([]byte("token"), 2, salt),
		socketName([]byte("token"), 1, bytes.Repeat([]byte{1}, saltSize)),
	} {
		require.NotEqual(t, name, other)
	}
}
