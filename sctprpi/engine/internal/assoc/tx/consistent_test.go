package tx

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// requireConsistent counts everything again, the slow way, and compares.
func requireConsistent(t *testing.T, s *Sender) {
	t.Helper()
	requireCreditConsistent(t, s)
	flight := make([]int, len(s.paths))
	number := make([]int, len(s.paths))
	waiting := make([]int, len(s.paths))
	lowest := make([]wire.TSN, len(s.paths))
	for i := range lowest {
		lowest[i] = s.out.end
	}
	inFlightBytes, outstanding, losses := 0, 0, 0
	gaps := s.gaps
	for tsn := s.out.base; tsn != s.out.end; tsn++ {
		c := s.out.at(tsn)
		outstanding += int(c.length)
		switch c.state {
		case inFlight:
			flight[c.path] += int(c.size)
			number[c.path]++
			inFlightBytes += int(c.length)
		case lost:
			losses++
			waiting[c.path]++
		}
		if c.state != gapAcked && tsn.Less(lowest[c.path]) {
			lowest[c.path] = tsn
		}
		for len(gaps) > 0 && gaps[0].last.Less(tsn) {
			gaps = gaps[1:]
		}
		acked := len(gaps) > 0 && gaps[0].first.LessEqual(tsn)
		if (c.state == lost) != s.out.isLost(tsn) || acked != (c.state == gapAcked) {
			require.Fail(t, "inconsistent", "TSN %d: state %d, acknowledged %v, lost %v", tsn, c.state, acked, s.out.isLost(tsn))
		}
	}
	require.Equal(t, outstanding, s.unacked)
	require.Equal(t, inFlightBytes, s.window.inFlight)
	require.Equal(t, losses, s.out.lostCount)
	for i := range s.paths {
		p := &s.paths[i]
		require.Equal(t, flight[i], p.flight)
		require.Equal(t, number[i], p.inFlight.n)
		require.Equal(t, waiting[i], p.progress.waiting)
		require.Equal(t, lowest[i], s.lowest(PathID(i)))
		require.Equal(t, p.inFlight.n > 0, p.t3 != never, "T3-rtx runs while something is in flight")
		tsn, last := p.inFlight.head, uint64(0)
		for range p.inFlight.n {
			c := s.out.at(tsn)
			if c.packet < last {
				require.Fail(t, "chunks in flight are not in the order of sending")
			}
			tsn, last = c.next, c.packet
		}
	}
	if s.out.lostCount > 0 {
		first, ok := s.out.firstLost()
		require.True(t, ok)
		for tsn := s.out.base; tsn != first; tsn++ {
			if s.out.isLost(tsn) {
				require.Fail(t, "not the first to be retransmitted")
			}
		}
		require.True(t, s.out.isLost(first))
	}
}

// requireCreditConsistent does so for what the peer lets streams send.
func requireCreditConsistent(t *testing.T, s *Sender) {
	t.Helper()
	q := &s.queue.credits
	excess, waiting := 0, 0
	for st := range s.queue.streams.Used() {
		queued, messages, lent := 0, 0, 0
		for m := range st.unsent.All() {
			queued += m.rest()
			messages++
			if m.lent {
				lent += m.rest()
			}
		}
		require.Equal(t, queued, st.queued)
		require.Equal(t, messages, st.messages)
		c := st.credit
		if c == nil {
			require.Zero(t, q.limit)
			continue
		}
		waits := q.blocks(st) && (!st.unsent.Empty() || c.refused)
		if q.shared() { // it may be in the schedule in vain, or not have been called yet
			waits = st.slot < 0 && (waits || c.place >= 0)
		}
		require.Equal(t, waits, c.slot >= 0, "its timer runs while a stream waits")
		require.False(t, waits && st.slot >= 0, "a stream that waits is in no schedule")
		require.Equal(t, lent, st.lent)
		if !q.shared() { // else it is as of when the stream itself last changed
			require.Equal(t, max(queued-lent+MessageCharge*messages-q.left(c), 0)*min(messages, 1), c.excess)
		}
		excess += c.excess
		if waits {
			waiting++
			require.Same(t, st, q.waiting[c.slot])
		}
	}
	require.Equal(t, excess, q.excess)
	require.Len(t, q.waiting, waiting)
	if q.shared() {
		requirePoolConsistent(t, s)
	}
}

// requirePoolConsistent does so for the pool that streams share.
func requirePoolConsistent(t *testing.T, s *Sender) {
	t.Helper()
	q := &s.queue.credits
	held, inLine := 0, 0
	for st := range s.queue.streams.Used() {
		c := st.credit
		if c == nil {
			continue
		}
		require.Equal(t, max(c.unread()-q.pool.Base(), 0), c.taken.Over())
		require.Equal(t, c.taken.Over() > 0 && c.holding.In(), c.taken.Over() > 0)
		held += c.taken.Over()
		piece := q.pieceOf(st.rest())
		waits := c.slot >= 0 && q.pool.Limit()-c.unread() >= piece
		require.Equal(t, waits, c.place >= 0, "it waits for the pool")
		if !waits {
			continue
		}
		inLine++
		l := q.lineOf(c)
		require.Same(t, st, l.streams[c.place])
		require.Equal(t, c.unread()-q.pool.Base()+piece, c.threshold)
		require.True(t, l.busy() || c.threshold > q.pool.Threshold(c.taken.Read), "who may go on is called")
	}
	require.Equal(t, inLine, len(q.lines[0].streams)+len(q.lines[1].streams))
	if !q.whole {
		require.LessOrEqual(t, held, int(s.config.StreamLimit.Pool))
	}
}

// requireDelivered puts what the peer has together and compares it, message by
// message and stream by stream, with what was queued.
func requireDelivered(t *testing.T, first wire.TSN, p *peer, sent []socket.Message, interleaving bool) {
	t.Helper()
	type channel struct {
		stream    socket.StreamID
		unordered bool
	}
	want := map[channel][][]byte{}
	for _, m := range sent {
		k := channel{m.Stream, m.Unordered}
		want[k] = append(want[k], bytes.Join(m.Data, nil))
	}
	got := map[channel][][]byte{}
	open := map[channel]bool{}
	fsn := map[channel]wire.FSN{}
	last := channel{}
	for tsn := first; tsn.LessEqual(p.cumulative); tsn++ {
		c, ok := p.got[tsn]
		require.True(t, ok)
		require.Equal(t, interleaving, c.Interleaved)
		k := channel{c.Stream, c.Flags&wire.FlagUnordered != 0}
		begin, end := c.Flags&wire.FlagBegin != 0, c.Flags&wire.FlagEnd != 0
		require.Equal(t, !open[k], begin)
		if begin {
			if interleaving {
				require.EqualValues(t, len(got[k]), c.MID)
			} else if !k.unordered {
				require.Equal(t, wire.SSN(len(got[k])), c.SSN)
			}
			got[k] = append(got[k], nil)
			fsn[k] = 0
		} else if !interleaving {
			require.Equal(t, last, k, "fragments of a message have TSNs in a row")
		}
		if interleaving {
			require.Equal(t, fsn[k], c.FSN)
			fsn[k]++
		}
		got[k][len(got[k])-1] = append(got[k][len(got[k])-1], c.payload...)
		open[k], last = !end, k
	}
	require.Len(t, got, len(want))
	for k := range want {
		require.Len(t, got[k], len(want[k]))
		for i := range want[k] {
			require.True(t, bytes.Equal(want[k][i], got[k][i]), "message %d of %+v", i, k)
		}
	}
}
