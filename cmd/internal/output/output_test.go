package output

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func newTestSink(t *testing.T, w io.Writer) *Sink {
	return NewSink(w, func(err error) { assert.NoError(t, err) })
}

// forward passes what is written to the pipe returned on to a sink.
func forward(t *testing.T, s *Sink, label string) (*os.File, *Forwarder) {
	t.Helper()
	r, w, err := os.Pipe()
	require.NoError(t, err)
	t.Cleanup(func() { _ = w.Close() })
	return w, s.Forward(r, label)
}

func TestBytesArriveAsTheyWereWritten(t *testing.T) {
	for _, text := range []string{
		"", "\n", "a", "a\nb", "a\n\n\nb\n", "\x00\xff\r\n",
		strings.Repeat("x", MaxLine) + "\n", strings.Repeat("x", 3*MaxLine+5), strings.Repeat("xyz\n", MaxLine),
	} {
		var out bytes.Buffer
		w, f := forward(t, newTestSink(t, &out), "")
		_, err := io.WriteString(w, text)
		require.NoError(t, err)
		require.NoError(t, w.Close())
		<-f.Done()
		assert.Equal(t, text, out.String())
	}
}

func TestEachLineIsLabelledOnce(t *testing.T) {
	long := strings.Repeat("x", 2*MaxLine+100)
	for text, want := range map[string]string{
		"a\n":                         "[3] a\n",
		"a\n\nb\n":                    "[3] a\n[3] \n[3] b\n",
		"unended":                     "[3] unended",
		long + "\nnext\n":             "[3] " + long + "\n[3] next\n",
		strings.Repeat("\n", MaxLine): strings.Repeat("[3] \n", MaxLine),
	} {
		var out bytes.Buffer
		w, f := forward(t, newTestSink(t, &out), "[3] ")
		_, err := io.WriteString(w, text)
		require.NoError(t, err)
		require.NoError(t, w.Close())
		<-f.Done()
		assert.Equal(t, want, out.String())
	}
}

// each calls write for a number of sources at once, each with its own pipe, and returns when all has been passed on.
func each(t *testing.T, s *Sink, sources int, label func(int) string, write func(int, io.Writer)) {
	var writers sync.WaitGroup
	var forwarders []*Forwarder
	for i := range sources {
		w, f := forward(t, s, label(i))
		forwarders = append(forwarders, f)
		writers.Go(func() {
			write(i, w)
			_ = w.Close()
		})
	}
	writers.Wait()
	for _, f := range forwarders {
		<-f.Done()
	}
}

func TestLinesOfManySourcesStayWhole(t *testing.T) {
	const sources, lines = 8, 300
	for _, labels := range []bool{false, true} {
		var out bytes.Buffer
		label := func(i int) string {
			if labels {
				return fmt.Sprintf("[%d] ", i)
			}
			return ""
		}
		each(t, newTestSink(t, &out), sources, label, func(source int, w io.Writer) {
			for i := range lines { // each line in pieces, and longer than what a pipe takes at once
				line := fmt.Sprintf("%d:%d:%s\n", source, i, strings.Repeat(string(rune('a'+source)), i*37%5000))
				_, _ = io.WriteString(w, line[:len(line)/2])
				_, _ = io.WriteString(w, line[len(line)/2:])
			}
		})
		next := make([]int, sources)
		for line := range strings.Lines(out.String()) {
			var source, labelled, i int
			var body string
			if labels {
				_, err := fmt.Sscanf(line, "[%d] ", &labelled)
				require.NoError(t, err, line)
				_, line, _ = strings.Cut(line, " ")
			}
			_, err := fmt.Sscanf(strings.ReplaceAll(line, ":", " ")+" .", "%d %d", &source, &i)
			require.NoError(t, err, line)
			body = line[strings.LastIndex(line, ":")+1:]
			if labels {
				require.Equal(t, labelled, source)
			}
			require.Equal(t, next[source], i, "lines of a source stay in order")
			require.Equal(t, strings.Repeat(string(rune('a'+source)), i*37%5000)+"\n", body)
			next[source]++
		}
		for _, n := range next {
			require.Equal(t, lines, n)
		}
	}
}

func TestLabelBeginsALineEvenAfterAnUnendedOne(t *testing.T) {
	var out bytes.Buffer
	s := newTestSink(t, &out)
	for i, label := range []string{"[0] ", "[1] "} {
		w, f := forward(t, s, label)
		_, err := fmt.Fprintf(w, "unended %d", i)
		require.NoError(t, err)
		require.NoError(t, w.Close())
		<-f.Done()
	}
	s.Println("mpirun: message")
	assert.Equal(t, "[0] unended 0\n[1] unended 1\nmpirun: message\n", out.String())
}

// slow is a writer that takes an hour for each piece.
type slow struct{ bytes.Buffer }

func (s *slow) Write(p []byte) (int, error) {
	time.Sleep(time.Hour)
	return s.Buffer.Write(p)
}

func TestDrainLosesNothingToASlowReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out slow
		w, r := net.Pipe()
		f := newTestSink(t, &out).Forward(r, "")
		var writer sync.WaitGroup
		writer.Go(func() {
			for i := range 5 {
				_, _ = fmt.Fprintf(w, "line %d\n", i)
			}
		})
		synctest.Wait()
		f.Drain(time.Millisecond) // long over when the sink has taken the first line
		<-f.Done()
		writer.Wait()
		assert.Equal(t, "line 0\nline 1\nline 2\nline 3\nline 4\n", out.String())
	})
}

func TestDrainDoesNotWaitForAProcessThatHoldsThePipe(t *testing.T) {
	var out bytes.Buffer
	w, f := forward(t, newTestSink(t, &out), "")
	_, err := io.WriteString(w, "before\nunended")
	require.NoError(t, err)
	f.Drain(time.Millisecond)
	<-f.Done()
	assert.Equal(t, "before\nunended", out.String())
	_, err = w.Write([]byte("x"))
	require.Error(t, err, "the reading end is closed")
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestFailedSinkIsReportedOnceAndBlocksNoForwarder(t *testing.T) {
	var failures []error
	s := NewSink(broken{}, func(err error) { failures = append(failures, err) })
	w, f := forward(t, s, "")
	_, err := io.WriteString(w, strings.Repeat("much more than a pipe holds\n", MaxLine))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	<-f.Done()
	require.Len(t, failures, 1)
	assert.EqualError(t, failures[0], "disk full")
}

func BenchmarkForward(b *testing.B) {
	for _, label := range []string{"", "[12] "} {
		b.Run("label="+label, func(b *testing.B) {
			r, w, err := os.Pipe()
			require.NoError(b, err)
			f := NewSink(io.Discard, func(err error) { b.Error(err) }).Forward(r, label)
			chunk := bytes.Repeat([]byte("a line of a usual length, neither short nor long, of a rank's output\n"), 800)
			b.SetBytes(int64(len(chunk)))
			b.ReportAllocs()
			for b.Loop() {
				_, _ = w.Write(chunk)
			}
			_ = w.Close()
			<-f.Done()
		})
	}
}

// terminal makes a sink of which w passes for a terminal.
func newTerminal(t *testing.T, w io.Writer) *Sink {
	s := newTestSink(t, w)
	s.terminal = true
	return s
}

// chunks is a source that is read piece by piece, with a function called before each.
type chunks struct {
	pieces []string
	before func(i int)
	next   int
}

func (c *chunks) Read(b []byte) (int, error) {
	c.before(c.next)
	if c.next == len(c.pieces) {
		return 0, io.EOF
	}
	c.next++
	return copy(b, c.pieces[c.next-1]), nil
}

func (c *chunks) SetReadDeadline(time.Time) error { return nil }
func (c *chunks) Close() error                    { return nil }

// What a progress bar writes is seen on a terminal before its line has ended, and nowhere else.
func TestLinesAreDrawnOnATerminal(t *testing.T) {
	pieces := []string{"work", ":\n", "\r10%", "\r", "20%", "\rdone\n", "pie", "ces\n"}
	for _, test := range []struct {
		name, label string
		sink        func(*testing.T, io.Writer) *Sink
		seen        []string
	}{
		{"terminal", "", newTerminal, []string{"", "", "work:\n", "work:\n\r10%", "work:\n\r10%\r", "work:\n\r10%\r20%",
			"work:\n\r10%\r20%\rdone\n", "work:\n\r10%\r20%\rdone\n", "work:\n\r10%\r20%\rdone\npieces\n"}},
		{"labelled", "[0] ", newTerminal, []string{"", "", "[0] work:\n", "[0] work:\n[0] \r[0] 10%", "[0] work:\n[0] \r[0] 10%\r",
			"[0] work:\n[0] \r[0] 10%\r[0] 20%", "[0] work:\n[0] \r[0] 10%\r[0] 20%\r[0] done\n",
			"[0] work:\n[0] \r[0] 10%\r[0] 20%\r[0] done\n", "[0] work:\n[0] \r[0] 10%\r[0] 20%\r[0] done\n[0] pieces\n"}},
		{"file", "", newTestSink, []string{"", "", "work:\n", "work:\n", "work:\n", "work:\n",
			"work:\n\r10%\r20%\rdone\n", "work:\n\r10%\r20%\rdone\n", "work:\n\r10%\r20%\rdone\npieces\n"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var out bytes.Buffer
			var seen []string
			source := &chunks{pieces: pieces, before: func(int) { seen = append(seen, out.String()) }}
			<-test.sink(t, &out).Forward(source, test.label).Done()
			assert.Equal(t, test.seen, seen)
		})
	}
}

// A line that another source still draws makes way for others: it will be drawn anew.
func TestDrawnLineMakesWay(t *testing.T) {
	var out bytes.Buffer
	s := newTerminal(t, &out)
	source := &chunks{pieces: []string{"\r10%", "\r20%"}, before: func(i int) {
		if i > 0 {
			s.Println("other")
		}
	}}
	<-s.Forward(source, "").Done()
	assert.Equal(t, "\r10%"+clearLine+"other\n\r20%"+clearLine+"other\n", out.String())
}
