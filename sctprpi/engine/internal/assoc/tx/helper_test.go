package tx

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// fixed is a congestion control with a window of its own that counts events.
type fixed struct {
	window           int
	acks             []Ack
	losses, timeouts int
	idle             int
	// undone and confirmed count judgements.
	undone, confirmed int
}

func (c *fixed) Window() int           { return c.window }
func (c *fixed) Acked(a Ack)           { c.acks = append(c.acks, a) }
func (c *fixed) Lost(time.Duration)    { c.losses++ }
func (c *fixed) Timeout(time.Duration) { c.timeouts++ }
func (c *fixed) Idle(n int)            { c.idle += n }
func (c *fixed) Judged(_ time.Duration, spurious bool) {
	if spurious {
		c.undone++
	} else {
		c.confirmed++
	}
}
func (c *fixed) SetMaxChunk(int) {}

// rig is a Sender with one path of 1016-byte chunks, the first TSN 1000, a fixed
// congestion window and no burst limit to speak of.
type rig struct {
	*Sender
	t       *testing.T
	control *fixed
}

const (
	rigTSN   = 1000
	rigChunk = 1000 + wire.DataHeaderSize
)

func newRig(t *testing.T, change ...func(*Config)) *rig {
	t.Helper()
	r := &rig{t: t, control: &fixed{window: 1 << 20}}
	c := Config{
		InitialTSN: rigTSN, Streams: 4, PeerWindow: 1 << 20, MaxBurst: 1000,
		NewController: func(int) Controller { return r.control },
	}
	for _, f := range change {
		f(&c)
	}
	var err error
	r.Sender, err = New(c)
	require.NoError(t, err)
	_, err = r.AddPath(rigChunk)
	require.NoError(t, err)
	return r
}

// queue queues n messages of one full chunk each.
func (r *rig) queue(n int) {
	r.t.Helper()
	for range n {
		require.NoError(r.t, r.Queue(0, &socket.Message{Data: [][]byte{make([]byte, 1000)}}))
	}
}

// queueOn queues n messages of a size on a stream.
func (r *rig) queueOn(id socket.StreamID, n, size int) {
	r.t.Helper()
	for range n {
		require.NoError(r.t, r.Queue(0, &socket.Message{Stream: id, Data: [][]byte{make([]byte, size)}}))
	}
}

// queuedOn returns how many bytes of a stream have not been sent.
func (r *rig) queuedOn(id socket.StreamID) int { return r.Sender.queue.streams.Get(id).queued }

// packet asks for one packet and returns its TSNs.
func (r *rig) packet(now time.Duration) []wire.TSN {
	r.t.Helper()
	var tsns []wire.TSN
	for _, c := range r.Next(nil, now, 0, rigChunk) {
		tsns = append(tsns, c.TSN)
	}
	requireConsistent(r.t, r.Sender)
	return tsns
}

// send asks for packets until there is none and returns all TSNs.
func (r *rig) send(now time.Duration) []wire.TSN {
	r.t.Helper()
	var all []wire.TSN
	for tsns := r.packet(now); len(tsns) > 0; tsns = r.packet(now) {
		all = append(all, tsns...)
	}
	return all
}

// sack processes a SACK with an open window; gaps are pairs of offsets.
func (r *rig) sack(now time.Duration, cumulative wire.TSN, gaps ...uint16) Progress {
	r.t.Helper()
	return r.sackWindow(now, cumulative, 1<<20, gaps...)
}

func (r *rig) sackWindow(now time.Duration, cumulative wire.TSN, window uint32, gaps ...uint16) Progress {
	r.t.Helper()
	p, err := r.Sack(now, sackOf(cumulative, window, gaps...))
	require.NoError(r.t, err)
	requireConsistent(r.t, r.Sender)
	return p
}

func sackOf(cumulative wire.TSN, window uint32, gaps ...uint16) *wire.SACK {
	s := &wire.SACK{CumulativeTSN: cumulative, Window: window}
	for i := 0; i < len(gaps); i += 2 {
		s.GapBlocks = s.GapBlocks.Append(wire.GapBlock{Start: gaps[i], End: gaps[i+1]})
	}
	return s
}

// expire waits for the next deadline and reports it and whether T3-rtx expired.
func (r *rig) expire() (time.Duration, bool) {
	r.t.Helper()
	at, ok := r.Deadline()
	require.True(r.t, ok, "no timer runs")
	_, expired := r.Expire(at)
	requireConsistent(r.t, r.Sender)
	return at, expired
}

// outcomes drains the releases.
func (r *rig) outcomes() []Release {
	var all []Release
	for x, ok := r.NextRelease(); ok; x, ok = r.NextRelease() {
		all = append(all, x)
	}
	return all
}

// tsns returns those from first to last.
func tsns(first, last wire.TSN) []wire.TSN {
	var all []wire.TSN
	for ; first.LessEqual(last); first++ {
		all = append(all, first)
	}
	return all
}

// NextTSN returns the TSN that the next new chunk will have.
func (s *Sender) NextTSN() wire.TSN { return s.out.end }

// admit is Sender's for a message that is copied.
func (r *rig) admit(now time.Duration, id socket.StreamID, size int) error {
	return r.Sender.admit(now, id, size, false)
}
