//go:build unix

package proxy

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWordsAreThoseOfAShell(t *testing.T) {
	for _, command := range []string{
		"", "  ", "ssh", " ssh  -p\t2222 ", "'a b' c", `a\ b c`, `"a b"'c d'e f`, `'it'\''s' here`, `"\"quoted\" \\ \a \$HOME"`, `'\' b`, `"" '' c`,
		"größer 網", "a\nb",
	} {
		words, err := Words(command)
		require.NoError(t, err, command)
		shown, err := exec.Command("sh", "-c", `printf '<%s>' "$@"`, "sh").Output()
		require.NoError(t, err)
		nothing := string(shown) // with no words
		shown, err = exec.Command("sh", "-c", `printf '<%s>' `+strings.ReplaceAll(command, "\n", " ")).Output()
		require.NoError(t, err, command)
		want := nothing
		if len(words) > 0 {
			want = "<" + strings.Join(words, "><") + ">"
		}
		assert.Equal(t, string(shown), want, command)
	}
	for _, path := range []string{"/a b/it's", `/"x"/\y`} {
		words, err := Words(quote(path) + " b")
		require.NoError(t, err)
		assert.Equal(t, []string{path, "b"}, words)
	}
	for command, said := range map[string]string{
		"'a b": "a quote (') has no end in 'a b", `ssh "a`: `a quote (") has no end`, `a\`: "nothing follows the backslash",
	} {
		_, err := Words(command)
		assert.ErrorContains(t, err, said)
	}
}
