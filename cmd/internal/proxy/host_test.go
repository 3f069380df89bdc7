package proxy

import (
	"bufio"
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/internal/frame"
	"github.com/sctpmpi/sctpmpi/cmd/internal/process"
)

// Rank 1 of this host is to be started. Of other ranks, and of its own a second time, it may say nothing.
func TestHostSpeaksForItsOwnRanks(t *testing.T) {
	var started []int
	h := &Host{
		events: Events{Started: func(r *Remote) { started = append(started, r.Number()) }},
		conn:   newConn(noWriter{}, nil, nil), remotes: make(map[uint32]*Remote), waiting: map[uint32]bool{1: true},
	}
	say := func(kind frame.Kind, rank uint32, v any) error {
		return h.handle(frame.Frame{Kind: kind, Rank: rank, Payload: encode(v)})
	}
	assert.ErrorIs(t, say(frame.Started, 2, 100), frame.ErrGarbage)
	require.NoError(t, say(frame.Started, 1, 100))
	assert.ErrorIs(t, say(frame.Started, 1, 100), frame.ErrGarbage)
	require.NoError(t, say(frame.Ended, 2, process.Outcome{}))
	require.NoError(t, h.conn.deliver(frame.Frame{Kind: frame.Data, Stream: frame.Stdout, Rank: 2, Payload: []byte("text")}))
	assert.Equal(t, []int{1}, started)
	h.conn.close()
}

// answering is mpirun's end with a proxy that is to start ranks 0 and 1.
func answering(events Events) *Host {
	return &Host{
		events: events, conn: newConn(noWriter{}, nil, nil), settled: make(chan error, 1), allStarted: make(chan struct{}),
		clock: make(chan int64, 1), finished: make(chan struct{}), remotes: make(map[uint32]*Remote), waiting: map[uint32]bool{0: true, 1: true},
	}
}

// What a host says of its part counts once: after that mpirun uses it.
func TestHostAnswersOnce(t *testing.T) {
	for _, second := range []frame.Frame{
		{Kind: frame.Ready, Payload: encode([]string{"more"})},
		{Kind: frame.Refused, Payload: encode(refuse(1, "no"))},
	} {
		h := answering(Events{})
		require.NoError(t, h.handle(frame.Frame{Kind: frame.Ready, Payload: encode([]string{"a note"})}))
		require.NoError(t, <-h.settled)
		require.ErrorIs(t, h.handle(second), frame.ErrGarbage)
		assert.Equal(t, []string{"a note"}, h.notes)
		h.conn.close()
	}
}

// Of a status the system takes the last eight bits: one of 256 would be mpirun's success, though the job has failed.
func TestHostReportsNoStatusThatCannotBe(t *testing.T) {
	for _, f := range []frame.Frame{
		{Kind: frame.Refused, Payload: encode(refuse(0, "no"))},
		{Kind: frame.Refused, Payload: encode(refuse(256, "no"))},
		{Kind: frame.Refused, Payload: []byte("null")},
		{Kind: frame.NotStarted, Payload: encode(refuse(-256, "no"))},
		{Kind: frame.Ended, Payload: encode(process.Outcome{Status: 256})},
		{Kind: frame.Ended, Payload: encode(process.Outcome{Status: -1})},
		{Kind: frame.Ended, Payload: encode(process.Outcome{Signal: 128})},
		{Kind: frame.Ended, Payload: encode(process.Outcome{Signal: -1})},
	} {
		h := answering(Events{Started: func(*Remote) {}, NotStarted: func(int, *Refusal) { t.Errorf("%s counts", f.Payload) }})
		if f.Kind == frame.Ended {
			require.NoError(t, h.handle(frame.Frame{Kind: frame.Started, Payload: encode(100)}))
		}
		require.ErrorIs(t, h.handle(f), frame.ErrGarbage, "%s", f.Payload)
		assert.Empty(t, h.settled)
		h.conn.close()
	}
}

// FuzzHostileProxy: whatever a proxy says, mpirun hears of ranks that it has to start, each of which starts once and ends once, with a
// status of its own.
func FuzzHostileProxy(f *testing.F) {
	script := func(frames ...frame.Frame) (b []byte) {
		for _, f := range frames {
			b = frame.Append(b, f)
		}
		return b
	}
	ready := frame.Frame{Kind: frame.Ready, Payload: encode([]string{"a note"})}
	started := frame.Frame{Kind: frame.Started, Rank: 1, Payload: encode(100)}
	f.Add(script(ready, started, frame.Frame{Kind: frame.NotStarted, Payload: encode(refuse(127, "no"))}, frame.Frame{Kind: frame.AllStarted},
		frame.Frame{Kind: frame.Data, Stream: frame.Stdout, Rank: 1, Payload: []byte("text")},
		frame.Frame{Kind: frame.End, Stream: frame.Stdout, Rank: 1}, frame.Frame{Kind: frame.Clock, Payload: encode(7)},
		frame.Frame{Kind: frame.Ended, Rank: 1, Payload: encode(process.Outcome{Status: 3})}, frame.Frame{Kind: frame.Finished}))
	f.Add(script(frame.Frame{Kind: frame.Refused, Payload: encode(refuse(1, "no"))}))
	f.Add(script(ready, started, frame.Frame{Kind: frame.Credit, Stream: frame.Stdin, Rank: 1, Payload: frame.CreditOf(1)}))
	f.Add(script(ready, started, started, frame.Frame{Kind: frame.Ended, Rank: 1, Payload: encode(process.Outcome{Signal: 9})}))
	f.Fuzz(func(t *testing.T, b []byte) {
		tried := make(map[int]bool)
		try := func(rank int) {
			if rank < 0 || rank > 1 || tried[rank] {
				t.Fatalf("rank %d", rank)
			}
			tried[rank] = true
		}
		var remotes []*Remote
		h := answering(Events{
			Started: func(r *Remote) {
				try(r.Number())
				remotes = append(remotes, r)
			},
			NotStarted: func(number int, why *Refusal) {
				try(number)
				require.True(t, why.Status > 0 && why.Status < 256)
			},
		})
		require.Error(t, h.conn.read(bufio.NewReader(bytes.NewReader(b)), h.handle))
		for _, r := range remotes {
			select {
			case <-r.ended:
				status, signal := r.outcome.Status, r.outcome.Signal
				require.True(t, status >= 0 && status < 256 && signal >= 0 && signal < 128)
			default:
			}
			require.LessOrEqual(t, len(r.Stdout.in), window)
		}
		h.conn.close()
		<-h.conn.written
	})
}
