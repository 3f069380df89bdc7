package tx

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// model is what SACKs mean, the slow way: a set of TSNs for each state.
type model struct {
	cumulative, last wire.TSN
	gaps             map[wire.TSN]bool
	everAcked        map[wire.TSN]bool
	length           map[wire.TSN]int
	// multipath: nothing that has been acknowledged is taken back.
	multipath bool
}

// sack returns what Sack should: whether it is stale, what it acknowledges for the
// first time and the error.
func (m *model) sack(s *wire.SACK) (stale bool, acked int, err error) {
	sent := m.last.Sub(m.cumulative)
	advance := s.CumulativeTSN.Sub(m.cumulative)
	if advance > sent {
		return false, 0, ErrAckUnsent
	}
	gaps, end := map[wire.TSN]bool{}, 0
	for b := range s.GapBlocks.All() {
		if end == 0 && b.Start == 1 {
			return false, 0, ErrNoGap
		}
		if int(b.Start) <= end || b.End < b.Start {
			return false, 0, ErrGapOrder
		}
		end = int(b.End)
		if advance+end <= sent {
			for i := int(b.Start); i <= end; i++ {
				gaps[s.CumulativeTSN+wire.TSN(i)] = true
			}
		}
	}
	if end > 0 && advance+end > sent {
		return false, 0, ErrAckUnsent
	}
	if m.multipath && advance >= 0 && m.gaps[s.CumulativeTSN+1] {
		return false, 0, ErrTakenBack
	}
	if advance < 0 {
		return true, 0, nil
	}
	first := func(tsn wire.TSN) {
		if !m.everAcked[tsn] {
			m.everAcked[tsn] = true
			acked += m.length[tsn]
		}
	}
	for m.cumulative != s.CumulativeTSN {
		m.cumulative++
		first(m.cumulative)
	}
	for tsn := range gaps {
		first(tsn)
	}
	if m.multipath {
		for tsn := range m.gaps {
			if m.cumulative.Less(tsn) {
				gaps[tsn] = true
			}
		}
	}
	m.gaps = gaps
	return false, acked, nil
}

// FuzzSACK drives a Sender by commands, two bytes each and for SACKs more, and
// compares it with the model after each.
func FuzzSACK(f *testing.F) {
	f.Add([]byte{0, 9, 1, 0, 2, 3, 1, 3, 2})
	f.Add([]byte{0, 20, 1, 0, 2, 128, 2, 3, 2, 2, 2, 2, 128, 0, 3, 0, 1, 0})
	rng := rand.New(rand.NewPCG(1, 2))
	for range 8 {
		seed := make([]byte, 400)
		for i := range seed {
			seed[i] = byte(rng.Uint32())
		}
		f.Add(seed)
	}
	f.Fuzz(fuzzSACK)
}

func fuzzSACK(t *testing.T, commands []byte) {
	const first = wire.TSN(1<<32 - 20)
	c := Config{InitialTSN: first, Streams: 3, PeerWindow: 20_000, Interleaving: len(commands)%2 == 0, Multipath: len(commands)%5 == 0}
	if len(commands)%3 == 0 {
		c.NewController = bbr(1, NewBBR)
	}
	s, err := New(c)
	require.NoError(t, err)
	for range 2 {
		_, err = s.AddPath(600)
		require.NoError(t, err)
	}
	m := &model{
		cumulative: first - 1, last: first - 1, multipath: c.Multipath,
		gaps: map[wire.TSN]bool{}, everAcked: map[wire.TSN]bool{}, length: map[wire.TSN]int{},
	}
	now := time.Duration(0)
	queued, released := 0, 0
	next := func() byte {
		if len(commands) == 0 {
			return 0
		}
		b := commands[0]
		commands = commands[1:]
		return b
	}
	for range min(len(commands), 150) {
		command, arg := next(), next()
		switch command % 4 {
		case 0:
			for i := range arg % 32 {
				if s.Queue(now, &socket.Message{Stream: socket.StreamID(i % 3), Unordered: i%5 == 0, Data: [][]byte{make([]byte, 1+37*int(arg)%2000)}}) == nil {
					queued++
				}
			}
		case 1:
			path, some := PathID(arg%2), true
			if c.Multipath && arg&4 != 0 {
				path, some = s.Choose(now, PathSet(arg&3))
			}
			if !some {
				break
			}
			for _, c := range s.Next(nil, now, path, 600) {
				if !c.Retransmission {
					require.Equal(t, m.last+1, c.TSN)
					m.last = c.TSN
					m.length[c.TSN] = c.Len()
				}
				require.False(t, c.TSN.LessEqual(m.cumulative), "nothing acknowledged is sent again")
			}
		case 2:
			sack := &wire.SACK{CumulativeTSN: m.cumulative + wire.TSN(int8(arg)/16), Window: 256 * uint32(next())}
			at := uint16(0)
			for range next() % 6 {
				start := at + uint16(int8(next())/8)
				at = start + uint16(int8(next())/8)
				sack.GapBlocks = sack.GapBlocks.Append(wire.GapBlock{Start: start, End: at})
			}
			for range arg % 3 {
				sack.Duplicates = sack.Duplicates.Append(m.cumulative - wire.TSN(arg%7))
			}
			stale, acked, wantErr := m.sack(sack)
			p, err := s.Sack(now, sack)
			if wantErr != nil {
				require.ErrorIs(t, err, wantErr)
				break
			}
			require.NoError(t, err)
			require.Equal(t, stale, p.Stale)
			require.Equal(t, acked, p.Acked)
		case 3:
			now += time.Duration(arg) * ms
			for _, ok := s.Expire(now); ok; _, ok = s.Expire(now) {
			}
		}
		requireModel(t, m, s)
		for _, ok := s.NextRelease(); ok; _, ok = s.NextRelease() {
			released++
		}
	}
	// From any state an honest peer brings it to an end.
	for range 10_000 {
		for path := range PathID(2) {
			for len(s.Next(nil, now, path, 600)) > 0 {
			}
		}
		if s.Drained() {
			break
		}
		if at, ok := s.Deadline(); ok {
			now = max(now, at)
			for _, ok := s.Expire(now); ok; _, ok = s.Expire(now) {
			}
		}
		_, err := s.Sack(now, &wire.SACK{CumulativeTSN: s.NextTSN() - 1, Window: 20_000})
		require.NoError(t, err)
	}
	require.True(t, s.Drained())
	for _, ok := s.NextRelease(); ok; _, ok = s.NextRelease() {
		released++
	}
	require.Equal(t, queued, released)
	_, running := s.Deadline()
	require.False(t, running)
	requireConsistent(t, s)
}

func requireModel(t *testing.T, m *model, s *Sender) {
	t.Helper()
	requireConsistent(t, s)
	require.Equal(t, m.cumulative, s.out.base-1)
	require.Equal(t, m.last, s.out.end-1)
	var got, want []wire.TSN
	for tsn := s.out.base; tsn != s.out.end; tsn++ {
		if s.out.at(tsn).state == gapAcked {
			got = append(got, tsn)
		}
		if m.gaps[tsn] {
			want = append(want, tsn)
		}
	}
	require.True(t, slices.Equal(want, got), "want %v, got %v", want, got)
}
