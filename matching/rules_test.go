package matching

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// arrive makes messages of source 0 in context 0 with consecutive numbers,
// the i-th with tags[i], and hands in those whose numbers are listed.
func arrive(t *testing.T, e *Engine, tags []Tag, numbers ...int) map[int]*Message {
	all := make(map[int]*Message)
	for _, i := range numbers {
		m := &Message{Envelope: Envelope{Kind: Eager, Tag: tags[i], Seq: Seq(i)}}
		require.NoError(t, e.Arrive(m))
		all[i] = m
	}
	return all
}

func post(e *Engine, source Rank, tag Tag) *Receive {
	r := &Receive{Source: source, Tag: tag}
	e.Post(r)
	return r
}

// drain completes all matches.
func drain(e *Engine) (n int) {
	for e.Next() != nil {
		n++
	}
	return n
}

func TestConcreteReceiveDoesNotWaitForOtherTags(t *testing.T) {
	var e Engine
	r := post(&e, 0, 2)
	got := arrive(t, &e, []Tag{1, 2}, 1) // message 0 is late
	require.Same(t, r, e.Next())
	require.Same(t, got[1], r.Message)
}

func TestAnyTagReceiveWaitsForEarlierMessages(t *testing.T) {
	var e Engine
	r := post(&e, 0, AnyTag)
	arrive(t, &e, []Tag{1, 2}, 1)
	require.Nil(t, e.Next())
	require.Nil(t, e.Probe(0, 0, AnyTag))
	first := arrive(t, &e, []Tag{1, 2}, 0)
	require.Same(t, r, e.Next())
	require.Same(t, first[0], r.Message)
}

func TestAnyTagReceivePostedFirstHasItsClaim(t *testing.T) {
	var e Engine
	any, concrete := post(&e, 0, AnyTag), post(&e, 0, 2)
	got := arrive(t, &e, []Tag{1, 2}, 1)
	require.Nil(t, e.Next(), "any might be entitled to the message")
	require.Nil(t, e.Probe(0, 0, 2), "and so a probe does not see it")
	got[0] = arrive(t, &e, []Tag{1, 2}, 0)[0]
	require.Equal(t, 2, drain(&e))
	require.Same(t, got[0], any.Message)
	require.Same(t, got[1], concrete.Message)
}

func TestConcreteReceivePostedFirstTakesAtOnce(t *testing.T) {
	var e Engine
	concrete, any := post(&e, 0, 2), post(&e, 0, AnyTag)
	got := arrive(t, &e, []Tag{1, 2}, 1, 0)
	require.Equal(t, 2, drain(&e))
	require.Same(t, got[1], concrete.Message)
	require.Same(t, got[0], any.Message)
}

func TestCancellingAnAnyTagReceiveGivesUpItsClaim(t *testing.T) {
	for _, source := range []Rank{0, AnySource} {
		var e Engine
		any := post(&e, source, AnyTag)
		concrete := post(&e, AnySource, 2)
		got := arrive(t, &e, []Tag{1, 2}, 1)
		require.Nil(t, e.Next())
		require.True(t, e.Cancel(any))
		require.Same(t, concrete, e.Next())
		require.Same(t, got[1], concrete.Message)
	}
}

func TestSkippedNumberIsNotWaitedFor(t *testing.T) {
	var e Engine
	r := post(&e, 0, AnyTag)
	got := arrive(t, &e, []Tag{1, 2}, 1)
	require.Nil(t, e.Next())
	require.NoError(t, e.Skip(0, 0, 0))
	require.Same(t, r, e.Next())
	require.Same(t, got[1], r.Message)
}

func TestReceivesMatchInPostingOrderWhateverTheirPattern(t *testing.T) {
	var e Engine
	rs := []*Receive{post(&e, AnySource, 1), post(&e, 0, AnyTag), post(&e, 0, 1), post(&e, AnySource, AnyTag)}
	got := arrive(t, &e, []Tag{1, 1, 1, 1}, 0, 1, 2, 3)
	for i, r := range rs {
		require.Same(t, r, e.Next())
		require.Same(t, got[i], r.Message)
	}
}

func TestUnexpectedMessagesAreTakenInTheOrderSent(t *testing.T) {
	var e Engine
	got := arrive(t, &e, []Tag{3, 1, 2, 1}, 2, 0, 1, 3)
	require.Same(t, got[1], post(&e, AnySource, 1).Message)
	require.Same(t, got[0], post(&e, 0, AnyTag).Message)
	require.Same(t, got[2], post(&e, 0, AnyTag).Message)
	require.Same(t, got[3], post(&e, AnySource, AnyTag).Message)
}

func TestSourcesAreServedInTheOrderOfArrival(t *testing.T) {
	var e Engine
	var ms []*Message
	for _, source := range []Rank{4, 2, 7} {
		m := &Message{Envelope: Envelope{Kind: Eager, Tag: 1}, Source: source}
		require.NoError(t, e.Arrive(m))
		ms = append(ms, m)
	}
	require.Same(t, ms[0], post(&e, AnySource, 1).Message)
	require.Same(t, ms[1], post(&e, AnySource, AnyTag).Message)
	require.Same(t, ms[2], e.Probe(0, AnySource, AnyTag))
}

func TestContextsAreApart(t *testing.T) {
	var e Engine
	r := &Receive{Context: 1, Source: AnySource, Tag: AnyTag}
	require.Nil(t, e.Post(r))
	arrive(t, &e, []Tag{1}, 0)
	require.Nil(t, e.Next())
	require.Nil(t, e.Probe(1, AnySource, AnyTag))
	e.Release(0)
	posted, unexpected := e.Depth()
	require.Equal(t, []int{1, 0}, []int{posted, unexpected})
}

func TestSequenceNumbersAreAcceptedOnce(t *testing.T) {
	var e Engine
	m := func(s Seq) *Message { return &Message{Envelope: Envelope{Kind: Eager, Seq: s}} }
	require.NoError(t, e.Arrive(m(0)))
	require.NoError(t, e.Arrive(m(2)))
	var wrong *SequenceError
	require.ErrorAs(t, e.Arrive(m(0)), &wrong)
	require.ErrorAs(t, e.Arrive(m(2)), &wrong)
	require.ErrorAs(t, e.Arrive(m(1<<64-1)), &wrong, "the last number has no successor")
	require.NoError(t, e.Arrive(m(1)))
	_, unexpected := e.Depth()
	require.Equal(t, 3, unexpected)
}

func TestGapsAreBounded(t *testing.T) {
	var e Engine
	for i := range Seq(MaxGaps) {
		require.NoError(t, e.Skip(0, 0, 2*i+1))
	}
	require.ErrorIs(t, e.Skip(0, 0, 1<<40), ErrGaps)
	for i := range Seq(MaxGaps) {
		require.NoError(t, e.Skip(0, 0, 2*i), "filling gaps is always possible")
	}
	require.NoError(t, e.Skip(0, 0, 1<<40))
}
