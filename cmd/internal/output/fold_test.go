package output

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// held makes a source for each text and returns when all of them have been read and held.
func held(t *testing.T, s *Sink, label bool, texts ...string) []*Forwarder {
	t.Helper()
	var all []*Forwarder
	for i, text := range texts {
		r, w, err := os.Pipe()
		require.NoError(t, err)
		prefix := ""
		if label {
			prefix = fmt.Sprintf("[%d] ", i)
		}
		f := s.Hold(r, prefix, i)
		_, err = io.WriteString(w, text)
		require.NoError(t, err)
		require.NoError(t, w.Close())
		<-f.Done()
		all = append(all, f)
	}
	return all
}

func TestFold(t *testing.T) {
	same := strings.Split(strings.Repeat("no such file\n|", 255), "|")[:255]
	for _, test := range []struct {
		name            string
		texts           []string
		plain, labelled string
	}{
		{"nothing", []string{"", ""}, "", ""},
		{"one", []string{"", "a\n"}, "a\n", "[1] a\n"},
		{"all the same", same, "no such file (255 ranks)\n", "[0-254] no such file\n"},
		{"some the same", []string{"a\n", "b\n", "a\n", "a\n"}, "a (3 ranks)\nb\n", "[0,2-3] a\n[1] b\n"},
		{"two lines", []string{"a\nb\n", "a\nb\n"}, "a (2 ranks)\nb (2 ranks)\n", "[0-1] a\n[0-1] b\n"},
		{"own lines first", []string{"rank 0\na\n", "rank 1\na\n"}, "rank 0\nrank 1\na (2 ranks)\n", "[0] rank 0\n[1] rank 1\n[0-1] a\n"},
		{"another order", []string{"a\nb\n", "b\na\n"}, "a\nb (2 ranks)\na\n", "[0] a\n[0-1] b\n[1] a\n"},
		{"twice the same", []string{"a\na\n", "a\n"}, "a (2 ranks)\na\n", "[0-1] a\n[0] a\n"},
		{"time of package log", []string{"2026/11/22 17:00:00 a\n", "2026/11/22 17:00:01 a\n"},
			"2026/11/22 17:00:00 a (2 ranks)\n", "[0-1] 2026/11/22 17:00:00 a\n"},
		{"without an end", []string{"a", "a"}, "a (2 ranks)\n", "[0-1] a\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var plain, labelled bytes.Buffer
			s := newTestSink(t, &plain)
			s.Fold(held(t, s, false, test.texts...))
			assert.Equal(t, test.plain, plain.String())
			s = newTestSink(t, &labelled)
			s.Fold(held(t, s, true, test.texts...))
			assert.Equal(t, test.labelled, labelled.String())
		})
	}
}

// Whatever is folded, each source's lines are all there, in their order.
func TestFoldLosesAndReordersNothing(t *testing.T) {
	var texts []string
	for i := range 200 {
		var b strings.Builder
		for j := range 1 + i%7 {
			fmt.Fprintf(&b, "%d\n", (i*j)%5)
		}
		texts = append(texts, b.String())
	}
	var out bytes.Buffer
	s := newTestSink(t, &out)
	s.Fold(held(t, s, true, texts...))
	got := make([]string, len(texts))
	for l := range strings.Lines(out.String()) {
		ranks, text, _ := strings.Cut(strings.TrimPrefix(l, "["), "] ")
		for part := range strings.SplitSeq(ranks, ",") {
			var from, to int
			if n, _ := fmt.Sscanf(part, "%d-%d", &from, &to); n == 1 {
				to = from
			}
			for i := from; i <= to; i++ {
				got[i] += text
			}
		}
	}
	assert.Equal(t, texts, got)
}

func TestWhatIsHeldIsPassedOnAsItIsWhenReleased(t *testing.T) {
	var out bytes.Buffer
	s := newTestSink(t, &out)
	for _, f := range held(t, s, true, "a\nb", "a\n") {
		f.Release()
	}
	assert.Equal(t, "[0] a\n[0] b\n[1] a\n", out.String())
}

func TestSourceThatSaysMuchIsHeldNoLonger(t *testing.T) {
	var out bytes.Buffer
	s := newTestSink(t, &out)
	text := strings.Repeat("a line of some length\n", 2*maxHeld/22)
	held(t, s, false, text)
	assert.Equal(t, text, out.String())
}

func TestLastWordsOfAHeldSourceAreRemembered(t *testing.T) {
	var out bytes.Buffer
	s := newTestSink(t, &out)
	f := held(t, s, false, "early words\n"+strings.Repeat("x", maxTail)+" out of paper\n")[0]
	assert.True(t, f.Said("out of paper"))
	assert.False(t, f.Said("early words"))
}
