package proxy

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/internal/frame"
)

// connected makes two ends of a connection. Frames that are not of streams are errors, and ended gets why an end has ended.
func connected(t *testing.T) (a, b *conn, ended chan error) {
	t.Helper()
	fromA, toB := io.Pipe()
	fromB, toA := io.Pipe()
	a, b, ended = newConn(toB, nil, nil), newConn(toA, nil, nil), make(chan error, 2)
	refuse := func(f frame.Frame) error { return errors.New("unexpected") }
	go func() { ended <- a.read(bufio.NewReader(fromB), refuse) }()
	go func() { ended <- b.read(bufio.NewReader(fromA), refuse) }()
	t.Cleanup(func() {
		a.fail(io.EOF)
		b.fail(io.EOF)
		_ = fromA.Close()
		_ = fromB.Close()
		<-ended
		<-ended
		<-a.written
		<-b.written
	})
	return a, b, ended
}

func TestStreamCarriesAllInOrder(t *testing.T) {
	a, b, _ := connected(t)
	out, in := a.stream(3, frame.Stdout), b.stream(3, frame.Stdout)
	text := bytes.Repeat([]byte("0123456789abcdef"), 40_000) // ten windows
	go out.pump(bytes.NewReader(text))
	got, err := io.ReadAll(in)
	require.NoError(t, err)
	assert.True(t, bytes.Equal(text, got))
}

// What a rank writes and no reader takes fills its own window. PMI, other ranks and the other direction go on.
func TestReaderThatIsSlowHoldsUpItsStreamAlone(t *testing.T) {
	a, b, _ := connected(t)
	flooded := a.stream(0, frame.Stdout)
	b.stream(0, frame.Stdout) // is not read
	flooding := make(chan error)
	go func() {
		_, err := flooded.Write(make([]byte, 4*window))
		flooding <- err
	}()
	for rank := range uint32(3) {
		for _, id := range []frame.Stream{frame.PMI, frame.Stderr} {
			here, there := a.stream(rank, id), b.stream(rank, id)
			for from, to := range map[*Stream]*Stream{here: there, there: here} {
				_, err := io.WriteString(from, "hello")
				require.NoError(t, err)
				text := make([]byte, 5)
				_, err = io.ReadFull(to, text)
				require.NoError(t, err)
				require.Equal(t, "hello", string(text))
			}
		}
	}
	a.fail(io.EOF)
	assert.ErrorIs(t, <-flooding, io.ErrClosedPipe)
}

func TestEndThatSendsMoreThanItMayIsCutOff(t *testing.T) {
	var wire []byte
	for range window/piece + 1 {
		wire = frame.Append(wire, frame.Frame{Kind: frame.Data, Stream: frame.Stdout, Rank: 1, Payload: make([]byte, piece)})
	}
	_, w := io.Pipe()
	c := newConn(w, nil, nil)
	s := c.stream(1, frame.Stdout)
	err := c.read(bufio.NewReader(bytes.NewReader(wire)), nil)
	require.EqualError(t, err, "rank 1 sends more than it may")
	got, err := io.ReadAll(s)
	require.NoError(t, err)
	assert.Len(t, got, window)
	<-c.written
}

// noWriter cannot be written to, as a pipe whose reader has ended.
type noWriter struct{}

func (noWriter) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }
func (noWriter) Close() error              { return nil }

// A proxy ends when it has sent all. That no credit can be given back to it any more is no reason to lose what it has sent.
func TestWhatWasSentArrivesWhenNothingCanBeSentBack(t *testing.T) {
	in, wire := io.Pipe()
	c := newConn(noWriter{}, nil, nil)
	s := c.stream(1, frame.Stdout)
	ended := make(chan error)
	go func() { ended <- c.read(bufio.NewReader(in), nil) }()
	send := func(f frame.Frame) {
		f.Stream, f.Rank = frame.Stdout, 1
		_, err := wire.Write(frame.Append(nil, f))
		require.NoError(t, err)
	}
	for range window / piece {
		send(frame.Frame{Kind: frame.Data, Payload: make([]byte, piece)})
	}
	got, err := io.ReadFull(s, make([]byte, window/2)) // gives credit back
	require.NoError(t, err)
	<-c.written
	send(frame.Frame{Kind: frame.Data, Payload: make([]byte, piece)})
	send(frame.Frame{Kind: frame.End})
	rest, err := io.ReadAll(s)
	require.NoError(t, err)
	assert.Equal(t, window+piece, got+len(rest))
	require.NoError(t, wire.Close())
	assert.Equal(t, io.EOF, <-ended)
}

func TestEndThatGivesBackMoreThanWasSentIsCutOff(t *testing.T) {
	wire := frame.Append(nil, frame.Frame{Kind: frame.Credit, Stream: frame.Stdin, Rank: 1, Payload: frame.CreditOf(1)})
	_, w := io.Pipe()
	c := newConn(w, nil, nil)
	c.stream(1, frame.Stdin)
	require.EqualError(t, c.read(bufio.NewReader(bytes.NewReader(wire)), nil), "rank 1 has read more than was sent")
	<-c.written
}

func TestStreamsEndWithTheirConnection(t *testing.T) {
	a, b, ended := connected(t)
	in := b.stream(1, frame.PMI)
	_, err := io.WriteString(a.stream(1, frame.PMI), "last words")
	require.NoError(t, err)
	a.close()
	assert.Equal(t, io.EOF, <-ended)
	ended <- nil // for the cleanup
	text, err := io.ReadAll(in)
	require.NoError(t, err)
	assert.Equal(t, "last words", string(text))
	_, err = io.WriteString(in, "x")
	assert.Error(t, err)
}

func TestGreetingComesAfterNoise(t *testing.T) {
	var noise []string
	in := bufio.NewReaderSize(strings.NewReader("Welcome\r\n\nno newline "+greeting()+"frames"), maxNoise)
	require.NoError(t, readGreeting(in, func(line string) { noise = append(noise, line) }))
	assert.Equal(t, []string{"Welcome"}, noise)
	rest, err := io.ReadAll(in)
	require.NoError(t, err)
	assert.Equal(t, "frames", string(rest))
	assert.Equal(t, io.EOF, readGreeting(bufio.NewReaderSize(strings.NewReader("nothing"), maxNoise), func(string) {}))
	long := bufio.NewReaderSize(strings.NewReader(strings.Repeat("x", 2*maxNoise)), maxNoise)
	assert.ErrorContains(t, readGreeting(long, func(string) {}), "more than 65536 bytes")
}
