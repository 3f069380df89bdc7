package metrics

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAddresses(t *testing.T) {
	for text, want := range map[string]Config{
		"9100":           {Port: 9100, Loopback: true},
		"0":              {Loopback: true},
		"localhost:9100": {Host: "localhost", Port: 9100, Loopback: true},
		"127.0.0.2:9100": {Host: "127.0.0.2", Port: 9100, Loopback: true},
		"[::1]:9100":     {Host: "::1", Port: 9100, Loopback: true},
		":9100":          {Port: 9100},
		"0.0.0.0:9100":   {Host: "0.0.0.0", Port: 9100},
		"[::]:9100":      {Host: "::", Port: 9100},
		"node7:9100":     {Host: "node7", Port: 9100},
		"10.1.2.3:9100":  {Host: "10.1.2.3", Port: 9100},
	} {
		want.Address = text
		got, err := Parse(text, "")
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	for _, text := range []string{"", "x", "65536", "-1", "localhost", "localhost:", "localhost:http", "10.1.2.3:65536", "::1:9100:", "http://localhost:9100"} {
		_, err := Parse(text, "")
		assert.ErrorContains(t, err, "it must be a port, HOST:PORT, or :PORT for all interfaces", text)
	}
}

// Beside the loopback interface there is always a token.
func TestWhereATokenIsNeeded(t *testing.T) {
	for address, needed := range map[string]bool{"9100": false, "localhost:1": false, "[::1]:1": false, ":9100": true, "0.0.0.0:1": true, "10.1.2.3:1": true, "node7:1": true} {
		c, err := Parse(address, "")
		require.NoError(t, err)
		token, err := c.token()
		require.NoError(t, err)
		if needed {
			assert.GreaterOrEqual(t, len(token), 26, address)
			other, _ := c.token()
			assert.NotEqual(t, token, other)
		} else {
			assert.Nil(t, token, address)
		}
	}
}

func TestTheTokenOfAFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "token")
	c, err := Parse("9100", file)
	require.NoError(t, err)
	_, err = c.token()
	assert.ErrorIs(t, err, os.ErrNotExist)
	for text, want := range map[string]string{
		"0123456789abcdef\n":  "",
		"0123456789abcde\n":   "must hold a secret of 16 to 256 bytes",
		"0123456789 abcdef\n": "a blank or a character that is not ASCII",
		"0123456789äabcdef\n": "a blank or a character that is not ASCII",
	} {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		token, err := c.token()
		if want != "" {
			assert.ErrorContains(t, err, want)
			continue
		}
		require.NoError(t, err)
		assert.Equal(t, "0123456789abcdef", string(token), "loopback needs it too then")
	}
	require.NoError(t, os.WriteFile(file, []byte("short"), 0o600))
	assert.ErrorContains(t, New(c).Listen(), "--metrics-token-file: ")
}
