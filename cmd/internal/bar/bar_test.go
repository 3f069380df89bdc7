package bar

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestLinesAreWholeLines(t *testing.T) {
	var out bytes.Buffer
	b := NewLines(&out, "tasks", 4, 0)
	for range 4 {
		b.Step()
	}
	text := out.String()
	require.NotContains(t, text, "\r")
	require.True(t, strings.HasSuffix(text, "\n"))
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		require.Regexp(t, `^tasks +\d+% .*\(\d/4\)`, line)
	}
}

func TestBarSaysHowMuchIsDone(t *testing.T) {
	var out bytes.Buffer
	b := New(&out, "jobs", 2)
	assert.True(t, b.Watched())
	b.Describe("the first")
	b.Add(1)
	b.Close()
	assert.Contains(t, out.String(), "the first")
}

func TestFileIsNoTerminal(t *testing.T) {
	f, err := os.Create(t.TempDir() + "/out")
	require.NoError(t, err)
	defer f.Close()
	assert.False(t, Terminal(f))
	assert.False(t, Terminal(new(bytes.Buffer)))
	var b Bar
	assert.False(t, b.Watched())
	b.Describe("nothing")
	b.Step()
	b.Close()
}
