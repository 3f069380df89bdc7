package matching

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMatchingDoesNotAllocate(t *testing.T) {
	patterns := map[string]Receive{
		"exact":               {Source: 1, Tag: 7},
		"any source":          {Source: AnySource, Tag: 7},
		"any tag":             {Source: 1, Tag: AnyTag},
		"any source, any tag": {Source: AnySource, Tag: AnyTag},
	}
	for name, pattern := range patterns {
		t.Run(name, func(t *testing.T) {
			var e Engine
			r, held, m, next := pattern, message(1, 7, 0), message(1, 7, 0), Seq(0)
			round := func() {
				// Expected.
				m.Seq = next
				if e.Post(&r) != nil || e.Arrive(m) != nil || e.Next() != &r {
					t.Fatal("no match")
				}
				// Unexpected, behind a gap.
				m.Seq, held.Seq = next+1, next+2
				m.Tag, held.Tag = 7, 7
				if e.Arrive(held) != nil || e.Arrive(m) != nil || !e.Take(held) || e.Probe(0, r.Source, r.Tag) != m || e.Post(&r) != m {
					t.Fatal("no match")
				}
				if e.Post(&r) != nil || !e.Cancel(&r) {
					t.Fatal("no cancel")
				}
				next += 3
			}
			require.Zero(t, testing.AllocsPerRun(100, round))
			require.NoError(t, check(&e, nil))
		})
	}
}

func TestQueuesAreUsedAgain(t *testing.T) {
	var e Engine
	spare := func() (n int) {
		for q := e.table.spare; q != nil; q = q.chain {
			n++
		}
		return n
	}
	const n = 1000
	seq := Seq(0)
	for round := range 3 {
		var receives []*Receive
		for i := range n {
			r := &Receive{Source: Rank((i + 1) % 2 * -1), Tag: Tag(round*n + i)}
			require.Nil(t, e.Post(r))
			receives = append(receives, r)
		}
		require.Zero(t, spare())
		for i, r := range receives {
			require.NoError(t, e.Arrive(message(0, Tag(round*n+i), seq)))
			require.Same(t, r, e.Next())
			seq++
		}
		require.Equal(t, n-1+min(round, 1), spare(), "the one that stays is not used by others")
		require.Equal(t, 2+1, e.table.count, "the source and the context stay, and the last queue")
	}
	e.Release(0)
	require.NoError(t, holdsNothing(&e))
	require.Equal(t, n+1, spare(), "none is lost")
}

func TestReleaseForgetsOneContext(t *testing.T) {
	var e Engine
	arrive := func(c Context, tag Tag, s Seq) *Message {
		m := message(1, tag, s)
		m.Context = c
		require.NoError(t, e.Arrive(m))
		return m
	}
	post := func(c Context, source Rank, tag Tag) *Receive {
		r := &Receive{Context: c, Source: source, Tag: tag}
		require.Nil(t, e.Post(r))
		return r
	}
	var messages [2][]*Message
	var receives [2][]*Receive
	var done [2]*Receive
	for c := range Context(2) {
		done[c] = post(c, 1, 0)
		arrive(c, 0, 0)
		messages[c] = []*Message{arrive(c, 1, 1), arrive(c, 2, 3)}
		receives[c] = []*Receive{post(c, 1, 8), post(c, AnySource, 8), post(c, 2, AnyTag)}
	}
	e.Release(0)

	require.NoError(t, check(&e, nil))
	for c, there := range []bool{false, true} {
		for _, m := range messages[c] {
			require.Equal(t, there, e.Take(m))
		}
		for _, r := range receives[c] {
			require.Equal(t, there, e.Cancel(r))
		}
	}
	require.Same(t, done[0], e.Next(), "what has matched is still returned")
	require.Same(t, done[1], e.Next())
	again := arrive(0, 7, 0)
	require.Same(t, again, e.Probe(0, 1, AnyTag), "sequence numbers begin anew")
	e.Release(0)
	e.Release(1)
	e.Release(2)
	require.NoError(t, holdsNothing(&e))
}

func TestReleasedReceivesAndMessagesCanBeUsedAgain(t *testing.T) {
	var e Engine
	r, m := &Receive{Source: 1, Tag: 7}, message(1, 8, 4)
	for range 2 {
		require.Nil(t, e.Post(r))
		require.NoError(t, e.Arrive(m))
		e.Release(0)
	}
}

func TestListsMayBeChangedWhileRead(t *testing.T) {
	s := newScene(t)
	anyTag := s.post(1, AnyTag)
	exact := s.post(1, 7)
	last := s.post(2, 7)
	held := s.arrive(1, 7, 1)
	s.arrive(3, 7, 0)
	var seen []*Receive
	for r := range s.Receives() {
		seen = append(seen, r)
		if r == anyTag {
			require.True(t, s.Cancel(r)) // and exact matches held
		}
	}
	require.Equal(t, []*Receive{anyTag, last}, seen)
	s.matched(exact, held)
	for range s.Receives() {
		break
	}

	second := s.arrive(3, 8, 1)
	for m := range s.Messages() {
		require.NotSame(t, second, m)
		require.True(t, s.Take(m))
		s.Take(second)
	}
	for range s.Messages() {
		t.Fatal("a message is left")
	}
}

func TestMessagesOfOneContext(t *testing.T) {
	var e Engine
	first, other, later := message(2, 9, 0), message(1, 7, 0), message(1, 8, 0)
	first.Context, other.Context, later.Context = 5, 6, 5
	for _, m := range []*Message{first, other, later} {
		require.NoError(t, e.Arrive(m))
	}
	require.Equal(t, []*Message{first, later}, slices.Collect(e.MessagesIn(5)), "in the order of arrival")
	require.Equal(t, []*Message{other}, slices.Collect(e.MessagesIn(6)))
	require.Zero(t, testing.AllocsPerRun(10, func() {
		for range e.MessagesIn(7) {
			t.Fatal("there is none")
		}
	}))
}
