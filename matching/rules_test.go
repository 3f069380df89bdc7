package matching

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// scene is an engine with short words for what happens to it, all in one
// context unless a test says otherwise.
type scene struct {
	Engine
	t *testing.T
}

func newScene(t *testing.T) *scene { return &scene{t: t} }

// post posts a receive that must not match at once.
func (s *scene) post(source Rank, t Tag) *Receive {
	s.t.Helper()
	r := &Receive{Source: source, Tag: t}
	require.Nil(s.t, s.Post(r))
	return r
}

func (s *scene) arrive(source Rank, t Tag, n Seq) *Message {
	s.t.Helper()
	m := &Message{Source: source, Envelope: Envelope{Tag: t, Seq: n}}
	require.NoError(s.t, s.Arrive(m))
	return m
}

// takes says that m is the message that a receive takes when it is posted.
func (s *scene) takes(source Rank, t Tag, m *Message) {
	s.t.Helper()
	require.Same(s.t, m, s.Probe(0, source, t))
	r := &Receive{Source: source, Tag: t}
	require.Same(s.t, m, s.Post(r))
	require.Same(s.t, m, r.Message)
}

// seesNothing says that a receive posted now would take nothing.
func (s *scene) seesNothing(source Rank, t Tag) {
	s.t.Helper()
	require.Nil(s.t, s.Probe(0, source, t))
}

// matched says that Next returns r with m.
func (s *scene) matched(r *Receive, m *Message) {
	s.t.Helper()
	require.Same(s.t, r, s.Next())
	require.Same(s.t, m, r.Message)
}

func (s *scene) nothingMatched() {
	s.t.Helper()
	require.Nil(s.t, s.Next())
}

func TestConcreteTagOvertakesMissingMessages(t *testing.T) {
	s := newScene(t)
	r := s.post(1, 7)
	m := s.arrive(1, 7, 3)
	s.matched(r, m)

	late := s.arrive(1, 8, 4)
	s.takes(1, 8, late)
	late = s.arrive(1, 9, 5)
	s.takes(AnySource, 9, late)
}

func TestAnyTagWaitsForMissingMessages(t *testing.T) {
	for _, source := range []Rank{1, AnySource} {
		s := newScene(t)
		m1 := s.arrive(1, 7, 1)
		s.seesNothing(source, AnyTag)
		r0 := s.post(source, AnyTag)
		s.nothingMatched()
		m0 := s.arrive(1, 8, 0)
		s.matched(r0, m0)
		s.nothingMatched()
		s.takes(source, AnyTag, m1)
	}
}

func TestAnyTagTakesWhatWasSentFirst(t *testing.T) {
	s := newScene(t)
	m2 := s.arrive(1, 2, 2)
	m1 := s.arrive(1, 1, 1)
	m0 := s.arrive(1, 0, 0)
	s.takes(1, AnyTag, m0)
	s.takes(AnySource, AnyTag, m1)
	s.takes(1, AnyTag, m2)
}

func TestAnyTagIgnoresWhatHasBeenMatchedOrTaken(t *testing.T) {
	s := newScene(t)
	r := s.post(1, 0)
	s.matched(r, s.arrive(1, 0, 0))
	m1 := s.arrive(1, 1, 1)
	m2 := s.arrive(1, 2, 2)
	require.True(t, s.Take(m1))
	s.takes(1, AnyTag, m2)
}

func TestEarlierAnyTagHoldsMessagesBack(t *testing.T) {
	for _, source := range []Rank{1, AnySource} {
		s := newScene(t)
		anyTag := s.post(source, AnyTag)
		exact, anySource := s.post(1, 7), s.post(AnySource, 8)
		m1, m2 := s.arrive(1, 7, 1), s.arrive(1, 8, 2)
		s.nothingMatched()
		s.seesNothing(1, 7)
		s.seesNothing(AnySource, 8)

		m0 := s.arrive(1, 9, 0)
		s.matched(anyTag, m0)
		s.matched(exact, m1)
		s.matched(anySource, m2)
		s.nothingMatched()
	}
}

func TestLaterAnyTagHoldsNothingBack(t *testing.T) {
	s := newScene(t)
	exact := s.post(1, 7)
	anyTag := s.post(1, AnyTag)
	s.matched(exact, s.arrive(1, 7, 1))
	s.nothingMatched()
	s.matched(anyTag, s.arrive(1, 7, 0))
}

func TestAnyTagOfAnotherSourceOrContextHoldsNothingBack(t *testing.T) {
	s := newScene(t)
	s.post(2, AnyTag)
	require.Nil(t, s.Post(&Receive{Context: 1, Source: AnySource, Tag: AnyTag}))
	r := s.post(1, 7)
	s.matched(r, s.arrive(1, 7, 1))
	m := s.arrive(1, 8, 2)
	s.takes(AnySource, 8, m)
}

func TestAnySourcePassesOverWhatIsHeldForAnother(t *testing.T) {
	s := newScene(t)
	s.post(1, AnyTag)
	s.arrive(1, 7, 1) // held
	m := s.arrive(2, 7, 1)
	s.takes(AnySource, 7, m)
	s.seesNothing(AnySource, 7)
}

func TestCancelledAnyTagFreesWhatItHeldBack(t *testing.T) {
	for _, source := range []Rank{1, AnySource} {
		s := newScene(t)
		anyTag := s.post(source, AnyTag)
		r := s.post(1, 7)
		m := s.arrive(1, 7, 1)
		s.nothingMatched()
		require.True(t, s.Cancel(anyTag))
		s.matched(r, m)
		s.nothingMatched()
	}
}

func TestOneOfSeveralAnyTagLeavesTheOthersInForce(t *testing.T) {
	s := newScene(t)
	first := s.post(1, AnyTag)
	between := s.post(1, 7)
	second := s.post(AnySource, AnyTag)
	behind := s.post(1, 8)
	m7, m8 := s.arrive(1, 7, 1), s.arrive(1, 8, 2)

	require.True(t, s.Cancel(first))
	s.matched(between, m7)
	s.nothingMatched()
	require.True(t, s.Cancel(second))
	s.matched(behind, m8)
	s.nothingMatched()
}

func TestReceivesMatchInTheOrderOfPosting(t *testing.T) {
	kinds := []Receive{{Source: 1, Tag: 7}, {Source: AnySource, Tag: 7}, {Source: 1, Tag: AnyTag}, {Source: AnySource, Tag: AnyTag}}
	for rotate := range kinds {
		s := newScene(t)
		var receives []*Receive
		for i := range kinds {
			k := kinds[(rotate+i)%len(kinds)]
			receives = append(receives, s.post(k.Source, k.Tag))
		}
		for i, r := range receives {
			s.matched(r, s.arrive(1, 7, Seq(i)))
		}
	}
}

func TestMessagesOfOneTRCDoNotOvertake(t *testing.T) {
	s := newScene(t)
	m1, m2 := s.arrive(1, 7, 1), s.arrive(1, 7, 3)
	s.takes(1, 7, m1)
	s.takes(1, 7, m2)
}

func TestAnySourceIsFair(t *testing.T) {
	t.Run("concrete tag: by arrival", func(t *testing.T) {
		s := newScene(t)
		m2 := s.arrive(2, 7, 5)
		m1 := s.arrive(1, 7, 0)
		s.takes(AnySource, 7, m2)
		s.takes(AnySource, 7, m1)
	})
	t.Run("any tag: by readiness", func(t *testing.T) {
		s := newScene(t)
		late := s.arrive(2, 7, 1)
		m1 := s.arrive(1, 7, 0)
		m0 := s.arrive(2, 7, 0)
		s.takes(AnySource, AnyTag, m1)
		s.takes(AnySource, AnyTag, m0)
		s.takes(AnySource, AnyTag, late)
	})
	t.Run("freed together: by arrival", func(t *testing.T) {
		s := newScene(t)
		anyTag := s.post(AnySource, AnyTag)
		r := s.post(AnySource, 7)
		m2 := s.arrive(2, 7, 1)
		m1 := s.arrive(1, 7, 1)
		m0 := s.arrive(1, 8, 0)
		s.matched(anyTag, m0)
		s.matched(r, m2)
		s.takes(1, AnyTag, m1)
	})
}

func TestVoidClosesAGap(t *testing.T) {
	s := newScene(t)
	anyTag := s.post(1, AnyTag)
	m := s.arrive(1, 7, 2)
	require.NoError(t, s.Skip(0, 1, 1))
	s.nothingMatched()
	require.NoError(t, s.Skip(0, 1, 0))
	s.matched(anyTag, m)
}

func TestClosedGapServesAnyTagInTheOrderOfSending(t *testing.T) {
	s := newScene(t)
	a, b, c := s.post(1, AnyTag), s.post(AnySource, AnyTag), s.post(1, AnyTag)
	m2, m1, m0 := s.arrive(1, 2, 2), s.arrive(1, 1, 1), s.arrive(1, 0, 0)
	s.matched(a, m0)
	s.matched(b, m1)
	s.matched(c, m2)
}

func TestProbeStandsBehindPostedReceives(t *testing.T) {
	s := newScene(t)
	s.post(1, AnyTag)
	s.arrive(1, 7, 1)
	s.seesNothing(1, 7)
	s.seesNothing(AnySource, 7)
}

func TestProbeLeavesTheMessage(t *testing.T) {
	s := newScene(t)
	m := s.arrive(1, 7, 0)
	for range 2 {
		for _, source := range []Rank{1, AnySource} {
			require.Same(t, m, s.Probe(0, source, 7))
			require.Same(t, m, s.Probe(0, source, AnyTag))
		}
	}
	require.True(t, s.Take(m))
	s.seesNothing(1, 7)
	require.False(t, s.Take(m))
}

func TestTheMostUnexpectedMessagesAreCounted(t *testing.T) {
	s := newScene(t)
	s.post(1, 5)
	s.arrive(1, 5, 0) // which is expected
	require.Zero(t, s.MostUnexpected())
	for n := Seq(1); n <= 3; n++ {
		s.arrive(1, 7, n)
	}
	for range 3 {
		require.NotNil(t, s.Post(&Receive{Source: 1, Tag: 7}))
	}
	s.arrive(1, 7, 4)
	require.Equal(t, 3, s.MostUnexpected())
}

func TestContextsAreApart(t *testing.T) {
	s := newScene(t)
	r := &Receive{Context: 1, Source: AnySource, Tag: AnyTag}
	require.Nil(t, s.Post(r))
	m := s.arrive(1, 7, 0)
	s.nothingMatched()
	require.Nil(t, s.Probe(1, 1, 7))
	s.takes(1, 7, m)
}

func TestCancelOfAMatchedReceiveIsTooLate(t *testing.T) {
	s := newScene(t)
	r := s.post(1, 7)
	require.False(t, s.Cancel(&Receive{}))
	m := s.arrive(1, 7, 0)
	require.False(t, s.Cancel(r))
	s.matched(r, m)
	require.False(t, s.Cancel(r))
}

func TestCancelledReceiveIsPassedOver(t *testing.T) {
	s := newScene(t)
	a, b, c := s.post(1, 7), s.post(1, 7), s.post(1, 7)
	require.True(t, s.Cancel(b))
	require.False(t, s.Cancel(b))
	s.matched(a, s.arrive(1, 7, 0))
	s.matched(c, s.arrive(1, 7, 1))
}
