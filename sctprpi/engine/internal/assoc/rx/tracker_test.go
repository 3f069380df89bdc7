package rx

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
)

const ms = time.Millisecond

// ackRig counts TSNs from 0 and sends one chunk a packet.
type ackRig struct {
	*Tracker
	t   *testing.T
	now time.Duration
}

func newAckRig(t *testing.T, policy AckPolicy) *ackRig {
	tracker, err := NewTracker(rigTSN, policy)
	require.NoError(t, err)
	return &ackRig{Tracker: tracker, t: t}
}

func (r *ackRig) arrive(tsn int, flags wire.DataFlags) Verdict {
	v := r.Arrive(tsnOf(tsn))
	if v == Fresh {
		r.Accept(rigTSN+wire.TSN(tsn), flags)
	}
	return v
}

// packet makes those TSNs arrive in one packet and reports whether a SACK is due.
func (r *ackRig) packet(tsns ...int) bool {
	for _, tsn := range tsns {
		r.arrive(tsn, B|E)
	}
	r.EndPacket(r.now)
	return r.Due(r.now)
}

// started returns a rig that has acknowledged the TSNs up to 9.
func started(t *testing.T, policy AckPolicy) *ackRig {
	r := newAckRig(t, policy)
	r.packet(0, 1, 2, 3, 4, 5, 6, 7, 8, 9)
	r.SACK(1000, 0)
	require.False(t, r.Due(never-1))
	return r
}

func TestFirstDataIsAcknowledgedAtOnce(t *testing.T) { // RFC 9260, section 5.1
	r := newAckRig(t, AckPolicy{})
	assert.False(t, r.Due(0))
	assert.True(t, r.packet(0))
	r.SACK(1000, 0)
	assert.False(t, r.packet(1))
}

func TestEverySecondPacketIsAcknowledged(t *testing.T) { // RFC 9260, section 6.2
	r := started(t, AckPolicy{})
	assert.False(t, r.packet(10, 11, 12), "not every second chunk")
	assert.True(t, r.packet(13))
	r.SACK(1000, 0)
	assert.False(t, r.packet(14))

	r = started(t, AckPolicy{Every: 3})
	assert.False(t, r.packet(10))
	assert.False(t, r.packet(11))
	assert.True(t, r.packet(12))

	r = started(t, AckPolicy{Every: 1})
	assert.True(t, r.packet(10))
}

func TestPacketsWithoutDataAreNotAcknowledged(t *testing.T) {
	r := started(t, AckPolicy{})
	for range 3 {
		assert.False(t, r.packet())
	}
	_, running := r.Deadline()
	assert.False(t, running)
	assert.False(t, r.Pending())
}

func TestAcknowledgementIsDelayedNoLongerThanTheDelay(t *testing.T) { // RFC 9260, section 6.2
	for delay, want := range map[time.Duration]time.Duration{0: 200 * ms, 30 * ms: 30 * ms} {
		r := started(t, AckPolicy{Delay: delay, Every: 100})
		r.now = time.Second
		assert.False(t, r.packet(10))
		assert.True(t, r.Pending())
		r.now += 10 * ms
		assert.False(t, r.packet(11), "the delay counts from the first")
		at, running := r.Deadline()
		assert.True(t, running)
		assert.Equal(t, time.Second+want, at)
		assert.False(t, r.Due(at-1))
		assert.True(t, r.Due(at))
		r.SACK(1000, 0)
		assert.False(t, r.Due(at))
		_, running = r.Deadline()
		assert.False(t, running)
	}
}

func TestSmallPacketsCountForAQuarter(t *testing.T) {
	for every, want := range map[int]int{1: 1, 2: 8, 3: 12} {
		r := started(t, AckPolicy{Every: every})
		n := 0
		for tsn := 10; !r.Due(0); tsn++ {
			r.arrive(tsn, B|E)
			r.EndSmallPacket(0)
			n++
		}
		assert.Equal(t, want, n, "SACK every %d packets", every)
	}
	r := started(t, AckPolicy{})
	r.arrive(11, B|E)
	r.EndSmallPacket(0)
	assert.True(t, r.Due(0), "which shows a gap")
}

func TestPacketsThatAreAcknowledgedWithoutDelay(t *testing.T) {
	for name, packet := range map[string]func(r *ackRig){
		"I bit (RFC 9260, 6.2)":                        func(r *ackRig) { r.arrive(10, B|E|I) },
		"only duplicates (6.2)":                        func(r *ackRig) { r.arrive(9, 0) },
		"duplicates and new data (6.2)":                func(r *ackRig) { r.arrive(10, 0); r.arrive(10, 0) },
		"gap (6.7)":                                    func(r *ackRig) { r.arrive(11, 0) },
		"no room (6.2)":                                func(r *ackRig) { r.Refuse() },
		"beyond what can be tracked":                   func(r *ackRig) { r.arrive(100_000, 0) },
		"FORWARD TSN that is out of date (3758, 3.6)":  func(r *ackRig) { _, _ = r.Forward(tsnOf(9)) },
		"FORWARD TSN that leaves a gap (3758, 3.6)":    func(r *ackRig) { r.arrive(13, 0); _, _ = r.Forward(tsnOf(11)) },
		"chunk that closes a gap in its packet (5681)": func(r *ackRig) { r.arrive(11, 0); r.arrive(10, 0) },
	} {
		r := started(t, AckPolicy{})
		packet(r)
		r.EndPacket(0)
		assert.True(t, r.Due(0), name)
		r.SACK(1000, 0)
		assert.False(t, r.Due(0), name)
	}
}

func TestWhileThereIsAGapEveryPacketIsAcknowledged(t *testing.T) { // RFC 9260, section 6.7
	r := started(t, AckPolicy{})
	for tsn := 11; tsn < 20; tsn++ {
		assert.True(t, r.packet(tsn))
		r.SACK(1000, 0)
	}
	assert.True(t, r.packet(10), "and the one that closes it")
	r.SACK(1000, 0)
	assert.False(t, r.packet(20))
}

func TestForwardTSNFollowsTheRulesOfData(t *testing.T) { // RFC 3758, section 3.6
	r := started(t, AckPolicy{})
	moved, err := r.Forward(tsnOf(15))
	require.NoError(t, err)
	assert.True(t, moved)
	assert.False(t, r.packet(), "delayed")
	assert.True(t, r.Pending())
	assert.Equal(t, tsnOf(15), r.CumulativeTSN())
	assert.Equal(t, Duplicate, r.arrive(12, 0))
}

func TestForwardTSNTakesInWhatFollows(t *testing.T) { // RFC 3758, section 3.6, the example
	r := newAckRig(t, AckPolicy{})
	r.packet(0, 2, 3, 5)
	moved, err := r.Forward(tsnOf(1))
	require.NoError(t, err)
	assert.True(t, moved)
	assert.Equal(t, tsnOf(3), r.CumulativeTSN())
	assert.True(t, r.Gaps())
	moved, err = r.Forward(tsnOf(3))
	require.NoError(t, err)
	assert.False(t, moved, "out of date")
}

func TestForwardTSNCannotJumpFurtherThanTSNsAreTracked(t *testing.T) {
	r := started(t, AckPolicy{})
	_, err := r.Forward(tsnOf(10 + maxAhead))
	assert.ErrorIs(t, err, ErrForwardTooFar)
	assert.Equal(t, tsnOf(9), r.CumulativeTSN())
	moved, err := r.Forward(tsnOf(9 + maxAhead))
	require.NoError(t, err)
	assert.True(t, moved)
}

func TestSACKShowsGapsAndDuplicates(t *testing.T) { // RFC 9260, section 3.3.4
	r := newAckRig(t, AckPolicy{})
	r.packet(0, 1, 3, 4, 6, 1, 4, 4)
	s := r.SACK(1000, 12345)
	assert.Equal(t, tsnOf(1), s.CumulativeTSN)
	assert.Equal(t, uint32(12345), s.Window)
	assert.Equal(t, []wire.GapBlock{{Start: 2, End: 3}, {Start: 5, End: 5}}, slices.Collect(s.GapBlocks.All()))
	assert.Equal(t, []wire.TSN{tsnOf(1), tsnOf(4), tsnOf(4)}, slices.Collect(s.Duplicates.All()))

	s = r.SACK(1000, 0)
	assert.Equal(t, 2, s.GapBlocks.Len())
	assert.Zero(t, s.Duplicates.Len(), "reported once")
	r.packet(6)
	s = r.SACK(1000, 0)
	assert.Equal(t, []wire.TSN{tsnOf(6)}, slices.Collect(s.Duplicates.All()))
}

func TestSACKFitsItsRoom(t *testing.T) {
	r := newAckRig(t, AckPolicy{})
	for room, want := range map[int][2]int{0: {0, 0}, 16: {0, 0}, 20: {1, 0}, 27: {2, 0}, 28: {3, 0}, 32: {3, 1}, 100: {3, 2}} {
		r.packet(0, 2, 4, 6)
		r.SACK(100, 0)
		r.packet(2, 4)
		s := r.SACK(room, 0)
		assert.Equal(t, want, [2]int{s.GapBlocks.Len(), s.Duplicates.Len()}, "%d", room)
		assert.LessOrEqual(t, len(wire.AppendSACK(nil, &s)), max(room, 16))
	}
}

func TestDuplicatesReportedAreBounded(t *testing.T) {
	r := newAckRig(t, AckPolicy{})
	for range 1000 {
		r.packet(0)
	}
	s := r.SACK(10_000, 0)
	assert.Equal(t, maxDuplicates, s.Duplicates.Len())
}

func TestTSNsTooFarAheadAreBeyond(t *testing.T) {
	r := newAckRig(t, AckPolicy{})
	assert.Equal(t, Beyond, r.arrive(maxAhead, 0))
	assert.Equal(t, Fresh, r.arrive(maxAhead-1, 0))
	s := r.SACK(1000, 0)
	assert.Equal(t, []wire.GapBlock{{Start: maxAhead, End: maxAhead}}, slices.Collect(s.GapBlocks.All()))
}

func TestRunsAreBounded(t *testing.T) { // RFC 9260 sets no limit; a hostile peer leaves every second TSN out
	r := newAckRig(t, AckPolicy{})
	for i := range maxGaps {
		require.Equal(t, Fresh, r.arrive(3*i+2, 0))
	}
	assert.Equal(t, Beyond, r.arrive(3*maxGaps+2, 0), "another run")
	assert.Equal(t, Duplicate, r.arrive(5, 0))
	assert.Equal(t, Fresh, r.arrive(6, 0), "a run may grow")
	assert.Equal(t, Fresh, r.arrive(7, 0), "and meet the next")
	assert.Equal(t, Fresh, r.arrive(3*maxGaps+2, 0), "which makes room")
	assert.Equal(t, Fresh, r.arrive(0, 0), "the next TSN can always be taken")
	assert.Equal(t, Fresh, r.arrive(1, 0))
	assert.Equal(t, tsnOf(2), r.CumulativeTSN())
}

func TestAckPolicyIsValidated(t *testing.T) {
	for _, policy := range []AckPolicy{{Delay: -1}, {Delay: MaxAckDelay + 1}, {Every: -1}} {
		_, err := NewTracker(0, policy)
		assert.Error(t, err)
	}
}

func TestAcknowledgingDoesNotAllocate(t *testing.T) {
	r := started(t, AckPolicy{})
	tsn := 10
	buf := make([]byte, 0, 2000)
	assert.Zero(t, testing.AllocsPerRun(1000, func() {
		for _, ahead := range []int{0, 2, 2, 5, 1, 3, 3, 4} {
			r.arrive(tsn+ahead, B|E)
			r.EndPacket(0)
			if r.Due(0) {
				s := r.SACK(1000, 0)
				buf = wire.AppendSACK(buf[:0], &s)
			}
		}
		tsn += 6
	}))
}

// A SACK without room for all gap ack blocks leaves out the last ones, or with ShowEnds those in the middle.
func TestGapAckBlocksThatDoNotFit(t *testing.T) {
	for _, ends := range []bool{false, true} {
		tracker, err := NewTracker(1, AckPolicy{})
		require.NoError(t, err)
		if ends {
			tracker.ShowEnds()
		}
		for tsn := wire.TSN(2); tsn <= 20; tsn += 2 {
			require.Equal(t, Fresh, tracker.Arrive(tsn))
			tracker.Accept(tsn, 0)
		}
		starts := func(room int) (all []uint16) {
			for b := range tracker.SACK(16+4*room, 1000).GapBlocks.All() {
				all = append(all, b.Start)
			}
			return all
		}
		want := []uint16{2, 4, 6, 8, 10}
		if ends {
			want = []uint16{2, 4, 6, 18, 20}
		}
		assert.Equal(t, want, starts(5))
		assert.Len(t, starts(10), 10)
		assert.Equal(t, []uint16{2}, starts(1))
		assert.Empty(t, starts(0))
	}
}
