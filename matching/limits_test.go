package matching

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func message(source Rank, t Tag, s Seq) *Message {
	return &Message{Source: source, Envelope: Envelope{Tag: t, Seq: s}}
}

func TestRepeatedSequenceNumberIsRefused(t *testing.T) {
	for _, matched := range []bool{false, true} {
		s := newScene(t)
		if matched {
			for tag := range Tag(3) {
				s.post(1, tag)
			}
		}
		require.NoError(t, s.Skip(0, 1, 5))
		s.arrive(1, 0, 0)
		s.arrive(1, 1, 1)
		s.arrive(1, 2, 7)
		for s.Next() != nil {
		}
		posted, unexpected := s.Depth()
		for _, n := range []Seq{0, 1, 5, 7} {
			var repeated *SequenceError
			require.ErrorAs(t, s.Arrive(message(1, 3, n)), &repeated)
			require.Equal(t, &SequenceError{Context: 0, Source: 1, Seq: n}, repeated)
			require.ErrorAs(t, s.Skip(0, 1, n), &repeated)
		}
		p, u := s.Depth()
		require.Equal(t, []int{posted, unexpected}, []int{p, u})
		require.NoError(t, check(&s.Engine, nil))
	}
	require.EqualError(t, &SequenceError{Context: 16, Source: 2, Seq: 3}, "sequence number 3 of rank 2 in context 0x10 came twice or is out of range")
}

func TestSequenceNumbersDoNotWrap(t *testing.T) {
	s := newScene(t)
	var refused *SequenceError
	require.ErrorAs(t, s.Arrive(message(1, 7, math.MaxUint64)), &refused)
	require.ErrorAs(t, s.Skip(0, 1, math.MaxUint64), &refused)
	last := s.arrive(1, 7, math.MaxUint64-1)
	m := s.arrive(1, 8, 0)
	s.takes(1, AnyTag, m)
	s.seesNothing(1, AnyTag)
	s.takes(1, 7, last)
	require.NoError(t, check(&s.Engine, nil))
}

func TestGapsAreBounded(t *testing.T) {
	s := newScene(t)
	const beyond = 4 * MaxGaps
	for i := range Seq(MaxGaps) {
		require.NoError(t, s.Skip(0, 1, 2+3*i))
	}
	require.ErrorIs(t, s.Skip(0, 1, beyond), ErrGaps)
	refused := message(1, 7, beyond)
	require.ErrorIs(t, s.Arrive(refused), ErrGaps)
	require.False(t, s.Take(refused))

	assert.NoError(t, s.Skip(0, 1, 6), "a number that directly follows a range")
	assert.NoError(t, s.Skip(0, 1, 10), "a number that directly precedes a range")
	require.ErrorIs(t, s.Skip(0, 1, beyond), ErrGaps)
	assert.NoError(t, s.Skip(0, 1, 0), "the number that is due")
	assert.NoError(t, s.Skip(0, 1, 7), "a number that joins two ranges")
	assert.NoError(t, s.Skip(0, 1, beyond), "closed gaps do not count")
	require.NoError(t, s.Skip(0, 2, 1), "each source has a bound of its own")
}

func TestContextsThatAPeerInventsAreBounded(t *testing.T) {
	var e Engine
	for c := range Context(MaxContexts) {
		require.NoError(t, e.Skip(c, 1, 0))
	}
	m := message(1, 7, 0)
	m.Context = MaxContexts
	require.ErrorIs(t, e.Arrive(m), ErrContexts)
	require.ErrorIs(t, e.Skip(MaxContexts, 1, 0), ErrContexts)
	require.NoError(t, e.Skip(MaxContexts, 2, 0), "each peer has a bound of its own")

	e.Release(0)
	require.NoError(t, e.Arrive(m))
	require.Nil(t, e.Post(&Receive{Context: MaxContexts + 1, Source: 1, Tag: AnyTag}), "receives do not count: the peer has not made them")
	require.NoError(t, e.Skip(MaxContexts+1, 1, 0))
}

func TestMessageWithWildcardsIsRefused(t *testing.T) {
	var e Engine
	require.Error(t, e.Arrive(message(AnySource, 7, 0)))
	require.Error(t, e.Arrive(message(1, AnyTag, 0)))
	require.Error(t, e.Skip(0, AnySource, 0))
	require.NoError(t, holdsNothing(&e))
}

func TestReceiveOrMessageInUseIsRefused(t *testing.T) {
	s := newScene(t)
	r := s.post(1, 7)
	require.Panics(t, func() { s.Post(r) })
	m := s.arrive(1, 8, 0)
	require.Panics(t, func() { _ = s.Arrive(m) })
	s.arrive(1, 7, 1)
	require.Panics(t, func() { s.Post(r) }, "Next has not returned it")
	require.Same(t, r, s.Next())
	require.Nil(t, s.Post(r))
}
