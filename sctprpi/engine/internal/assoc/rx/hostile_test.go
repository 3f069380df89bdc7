package rx

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

func TestErrorsNameTheirCause(t *testing.T) {
	for err, cause := range map[*wire.Error]wire.CauseCode{
		ErrStream: wire.CauseInvalidStream, wire.ErrNoUserData: wire.CauseNoUserData,
		ErrTooManyPartial: wire.CauseOutOfResource, ErrTooLong: wire.CauseOutOfResource,
		ErrOverlap: wire.CauseProtocolViolation, ErrForwardTooFar: wire.CauseProtocolViolation,
	} {
		assert.Equal(t, cause, err.Cause)
	}
}

func TestChunksThatBreakTheProtocol(t *testing.T) {
	type step = func(r *rig) error
	data := func(flags wire.DataFlags, tsn int, stream socket.StreamID, ssn wire.SSN) step {
		return func(r *rig) error { return r.data(flags, tsn, stream, ssn, "x") }
	}
	idata := func(flags wire.DataFlags, mid wire.MID, fsn wire.FSN) step {
		return func(r *rig) error { return r.idata(flags, 1, mid, fsn, "x") }
	}
	for name, c := range map[string]struct {
		want   error
		option func(*Config)
		steps  []step // the last fails
	}{
		"no such stream (9260, 6.5)": {ErrStream, partial, []step{data(B|E, 0, 10, 0)}},
		"no user data (9260, 3.3.1)": {wire.ErrNoUserData, partial, []step{
			func(r *rig) error { return r.data(B|E, 0, 1, 0, "") }}},
		"DATA among I-DATA (8260, 2.2.1)": {ErrInterleaving, interleaving, []step{data(B|E, 0, 1, 0)}},
		"I-DATA among DATA (8260, 2.2.1)": {ErrInterleaving, partial, []step{idata(B|E, 0, 0)}},

		"message complete already": {ErrOldMessage, wholeOnly, []step{data(B|E, 0, 1, 0), data(B|E, 1, 1, 0)}},
		"message waiting already":  {ErrOverlap, wholeOnly, []step{data(B|E, 1, 1, 5), data(B|E, 3, 1, 5)}},
		"two first fragments":      {ErrOverlap, partial, []step{data(B, 1, 1, 5), data(B, 3, 1, 5)}},
		"two last fragments":       {ErrAfterEnd, wholeOnly, []step{data(E, 3, 1, 5), data(E, 1, 1, 5)}},
		"fragment before the first": {ErrFragmentOrder, wholeOnly,
			[]step{data(0, 1, 1, 5), data(B, 5, 1, 5)}},

		"no last fragment (9260, 6.9)":          {ErrFragmentOrder, wholeOnly, []step{data(B, 0, 1, 0), data(B, 1, 1, 1)}},
		"no last fragment, reordered":           {ErrFragmentOrder, wholeOnly, []step{data(B, 1, 1, 1), data(B, 0, 1, 0)}},
		"no last fragment, unordered":           {ErrFragmentOrder, wholeOnly, []step{data(B|U, 0, 1, 0), data(B|U, 1, 1, 1)}},
		"no first fragment":                     {ErrFragmentOrder, partial, []step{data(B|E, 0, 1, 0), data(E, 1, 1, 1)}},
		"no first fragment, reordered":          {ErrFragmentOrder, partial, []step{data(E, 1, 1, 1), data(B|E, 0, 1, 0)}},
		"no first fragment, unordered":          {ErrFragmentOrder, partial, []step{data(B|E|U, 0, 1, 0), data(E|U, 1, 1, 1)}},
		"another stream's fragment between":     {ErrFragmentOrder, partial, []step{data(B, 0, 1, 0), data(0, 1, 2, 0)}},
		"another message's fragment between":    {ErrFragmentOrder, partial, []step{data(B, 0, 1, 0), data(0, 1, 1, 1)}},
		"an unordered fragment between ordered": {ErrFragmentOrder, partial, []step{data(B, 0, 1, 0), data(U, 1, 1, 0)}},

		"I-DATA message complete already": {ErrOldMessage, interleaving, []step{idata(B|E, 0, 0), idata(0, 0, 3)}},
		"fragment delivered already":      {ErrOverlap, interleaving, []step{idata(B, 0, 0), idata(0, 0, 1), idata(0, 0, 1)}},
		"fragment waiting already":        {ErrOverlap, interleaving, []step{idata(0, 0, 5), idata(0, 0, 5)}},
		"first fragment twice":            {ErrOverlap, interleaving, []step{idata(B, 0, 0), idata(B, 0, 0)}},
		"single chunk of a message in part": {ErrOverlap, interleaving,
			[]step{idata(B|U, 0, 0), idata(B|E|U, 0, 0)}},
		"FSN 0 without B":                {ErrNoBegin, interleaving, []step{idata(0, 0, 0)}},
		"FSN 0 without B, later":         {ErrNoBegin, interleaving, []step{idata(0, 0, 1), idata(0, 0, 0)}},
		"huge FSN":                       {ErrFarAhead, interleaving, []step{idata(0, 0, 1<<31)}},
		"huge FSN, later":                {ErrFarAhead, interleaving, []step{idata(0, 0, 1), idata(0, 0, 1<<32-1)}},
		"huge FSN of a message begun":    {ErrOverlap, interleaving, []step{idata(B, 0, 0), idata(0, 0, 1<<32-1)}},
		"fragment after the end":         {ErrAfterEnd, interleaving, []step{idata(E, 0, 3), idata(0, 0, 4)}},
		"end before other fragments":     {ErrAfterEnd, interleaving, []step{idata(0, 0, 3), idata(E, 0, 2)}},
		"second end":                     {ErrAfterEnd, interleaving, []step{idata(E, 0, 3), idata(E, 0, 2)}},
		"single chunk and other pieces":  {ErrAfterEnd, interleaving, []step{idata(0, 0, 3), idata(B|E, 0, 0)}},
		"unordered MID before the first": {ErrOldMessage, interleaving, []step{idata(B|E|U, 1<<32-1, 0)}},
		"MID half the numbers ahead":     {ErrOldMessage, interleaving, []step{idata(B|E, 1<<31, 0)}},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, c.option)
			last := len(c.steps) - 1
			for _, s := range c.steps[:last] {
				require.NoError(t, s(r))
			}
			held, out := r.held, r.buffers.out
			assert.ErrorIs(t, c.steps[last](r), c.want)
			assert.Equal(t, held, r.held, "nothing has changed")
			assert.Equal(t, out, r.buffers.out)
			r.Close()
			r.requireEmpty()
		})
	}
}

// A peer can leave out any chunk before the one with which it breaks the rule.
func TestNeighboursAreCheckedHoweverFarApartTheyArrive(t *testing.T) {
	r := newRig(t)
	require.NoError(t, r.data(B, 1, 1, 0, "x"))
	for i := 2; i < 40_000; i += 2 {
		require.NoError(t, r.data(B|E, i+1, 2, wire.SSN(i/2-1), "x"))
		r.read()
	}
	assert.ErrorIs(t, r.data(E, 2, 3, 0, "x"), ErrFragmentOrder)
	require.NoError(t, r.data(E, 2, 1, 0, "x"))
	assert.ErrorIs(t, r.data(0, 0, 1, 0, "x"), ErrFragmentOrder)
}

func TestTheNeighbourBeforeMayBeTheOneThatIsMissing(t *testing.T) {
	r := newRig(t)
	require.NoError(t, r.data(0, 1, 1, 0, "x"))
	require.NoError(t, r.data(E, 2, 1, 0, "x"))
	for i := 3; i < 1000; i++ {
		require.NoError(t, r.data(B|E, i, 2, wire.SSN(i-3), "x"))
	}
	assert.ErrorIs(t, r.data(B|E, 0, 1, 0, "x"), ErrFragmentOrder)
}

func TestNeighboursAreCheckedAfterHalfOfTheTSNs(t *testing.T) { // as if all up to there had come in order
	const tsn = 1<<31 + 1000
	a := newAdjacency(0, false)
	a.put(&wire.Data{TSN: tsn, Flags: B})
	a.put(&wire.Data{TSN: tsn + minAdjacency, Flags: B})
	assert.ErrorIs(t, a.check(&wire.Data{TSN: tsn + 1, Flags: B}), ErrFragmentOrder)
}

func TestMemoryForNeighboursIsBounded(t *testing.T) {
	r := newRig(t)
	for i := range 300_000 {
		require.NoError(t, r.data(B|E, i, 1, wire.SSN(i), "x"))
		r.read()
	}
	assert.Len(t, r.follow.slots, minAdjacency, "in order")
	for i := 300_000; i < 600_000; i += 2 { // every second is skipped
		require.NoError(t, r.data(B|E|U, i+1, 1, 0, "x"))
		r.forward(i)
		r.read()
	}
	assert.Len(t, r.follow.slots, minAdjacency, "skipped")
	for i := 600_000; i < 900_000; i += 2 { // never arrives
		require.NoError(t, r.data(B|E|U, i+1, 1, 0, "x"))
		r.read()
	}
	assert.Len(t, r.follow.slots, maxAhead+1)
}

func TestUnorderedMessagesInPartAreBounded(t *testing.T) { // bug class: unbounded reassembly
	r := newRig(t, buffer(MinBuffer))
	for i := range MinBuffer / chunkCharge {
		require.NoError(t, r.data(B|U, 3*i, 1, 0, "x"))
		r.read()
	}
	assert.ErrorIs(t, r.data(B|U, 3000, 1, 0, "x"), ErrTooManyPartial)
	require.NoError(t, r.data(E|U, 2000, 1, 0, "x"), "which begins none")
	require.NoError(t, r.data(B|E|U, 2002, 1, 0, "x"))
	require.NoError(t, r.data(E|U, 1, 1, 0, "x"))
	require.NoError(t, r.data(B|U, 3000, 1, 0, "x"))

	r = newRig(t, buffer(MinBuffer), interleaving)
	for i := range MinBuffer / chunkCharge {
		require.NoError(t, r.idata(B|U, 1, wire.MID(i), 0, "x"))
		r.read()
	}
	assert.ErrorIs(t, r.idata(B|U, 1, 1000, 0, "x"), ErrTooManyPartial)
	require.NoError(t, r.idata(E|U, 1, 7, 1, "x"))
	require.NoError(t, r.idata(B|U, 1, 1000, 0, "x"))
}

func TestMemoryForWaitingMessagesIsGivenUp(t *testing.T) {
	r := newRig(t, interleaving)
	for stream := range socket.StreamID(10) {
		for mid := wire.MID(1000); mid > 0; mid-- {
			require.NoError(t, r.idata(B|E, stream, mid, 0, "x"))
		}
		require.NoError(t, r.idata(B|E, stream, 0, 0, "x"))
		r.read()
		assert.LessOrEqual(t, cap(r.streams.Get(stream).ordered), spare)
	}
	r.requireEmpty()
}

func TestConfigIsValidated(t *testing.T) {
	for _, c := range []Config{
		{}, {Streams: 65_536}, {Streams: -1}, {Streams: 1, Buffer: MinBuffer - 1},
		{Streams: 1, Buffer: MaxBuffer + 1}, {Streams: 1, StreamLimit: -1},
	} {
		_, err := New(c)
		assert.Error(t, err)
	}
}
