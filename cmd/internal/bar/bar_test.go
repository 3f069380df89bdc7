package bar

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestLinesAreWholeLines(t *testing.T) {
	var out bytes.Buffer
	b := NewTimed(&out, "tasks", 4*time.Second, 0)
	for range 4 {
		b.Add(1000)
	}
	text := out.String()
	require.NotContains(t, text, "\r")
	require.True(t, strings.HasSuffix(text, "\n"))
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		require.Regexp(t, `^tasks +\d+% `, line)
	}
}

func TestBarSaysHowMuchIsDone(t *testing.T) {
	var out bytes.Buffer
	b := New(&out, "jobs", 2)
	assert.True(t, b.Watched())
	b.Describe("the first")
	b.Add(1)
	b.End(nil)
	assert.Contains(t, out.String(), "the first")
}

// What is shown last is how much was done.
func TestInterruptedBarStaysWhereItIs(t *testing.T) {
	for name, make := range map[string]func(w *bytes.Buffer) Bar{
		"steps": func(w *bytes.Buffer) Bar { return New(w, "steps", 4) },
		"times": func(w *bytes.Buffer) Bar { return NewTimed(w, "times", 4*time.Millisecond, 0) },
	} {
		var out bytes.Buffer
		b := make(&out)
		b.Add(1)
		b.End(errors.New("interrupted"))
		assert.NotContains(t, out.String(), "100%", name)
	}
	Bar{}.End(nil)
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
	b.End(nil)
}
