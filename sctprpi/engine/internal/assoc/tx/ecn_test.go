package tx

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/wire"
)

// markable is a fixed control that knows marks.
type markable struct {
	fixed
	marks int
}

func (c *markable) Marked(time.Duration) { c.marks++ }

// newMarkedRig returns a rig with ECN.
func newMarkedRig(t *testing.T) (*rig, *markable) {
	control := &markable{fixed: fixed{window: 1 << 20}}
	r := newRig(t, func(c *Config) {
		c.ECN = true
		c.NewController = func(int) Controller { return control }
	})
	return r, control
}

// A window of data is what had been sent when the window was reduced last: for a mark, or for a loss.
func TestMarksCountOnceForAWindowOfData(t *testing.T) {
	r, control := newMarkedRig(t)
	r.queue(30)
	r.send(0)
	for _, tsn := range []wire.TSN{1005, 1005, 1000, 1029, 900} {
		assert.True(t, r.Marked(ms, tsn))
	}
	assert.Equal(t, 1, control.marks)
	assert.False(t, r.Marked(ms, 1030), "it has not been sent")
	r.queue(10)
	r.send(2 * ms) // 1030 to 1039
	r.Marked(3*ms, 1032)
	assert.Equal(t, 2, control.marks)
	r.sack(10*ms, 1033, 2, 5) // 1034 is lost: the window has been reduced for what was sent with it
	assert.EqualValues(t, 1, r.Path(0).Recoveries)
	assert.Zero(t, control.losses)
	r.send(11 * ms)
	r.sack(20*ms, 1039)
	r.queue(10)
	r.send(21 * ms)           // 1040 to 1049
	r.sack(30*ms, 1040, 2, 5) // 1041 is lost
	assert.Equal(t, 1, control.losses)
	r.Marked(31*ms, 1045)
	assert.Equal(t, 2, control.marks, "and for a loss before")
	assert.EqualValues(t, 2, r.Path(0).Marks)
}

// TSNs that wrap do not make old reductions look new, or new marks old.
func TestMarksWhenTSNsWrap(t *testing.T) {
	e := newECN(true, &markable{}, 1000)
	low := wire.TSN(1000)
	for range 1 << 14 {
		low += 1 << 19
		e.settle(low)
		assert.True(t, e.exit.Less(low))
		assert.True(t, (low - ecnMemory - 1).Less(e.exit))
	}
}

// What is sent again, probes and what is sent with them are not markable, and a path that delivers only those gets no other.
func TestAPathThatDropsWhatIsMarkable(t *testing.T) {
	r, _ := newMarkedRig(t)
	now, tsn := time.Duration(0), wire.TSN(rigTSN)
	for range ecnMissed {
		assert.True(t, r.ECN(0))
		r.queue(2)
		r.packet(now)
		assert.True(t, r.Markable())
		r.send(now)
		for { // until both have been sent again
			now, _ = r.Deadline()
			r.Expire(now)
			for len(r.packet(now)) > 0 {
				assert.False(t, r.Markable())
			}
			if r.Stats().Retransmissions >= uint64(tsn-rigTSN)+2 {
				break
			}
		}
		now += 20 * ms
		tsn += 2
		r.sack(now, tsn-1)
	}
	assert.False(t, r.ECN(0))
	r.queue(1)
	r.packet(now)
	assert.False(t, r.Markable())
	r.Moved(0)
	assert.True(t, r.ECN(0), "another path may be better")
}

// One that arrives shows that the path is well; losses by chance do not add up.
func TestLossesByChanceDoNotEndECN(t *testing.T) {
	r, _ := newMarkedRig(t)
	now, tsn := time.Duration(0), wire.TSN(rigTSN)
	for range 20 {
		r.queue(10)
		r.send(now)
		now += 10 * ms
		r.sack(now, tsn-1, 2, 10) // the first is lost
		r.send(now)
		now += 10 * ms
		tsn += 10
		r.sack(now, tsn-1)
	}
	assert.True(t, r.ECN(0))
}

// A mark on what was not sent markable, or marks that go on when the window is at its least, are not for what this end sends.
func TestMarksThatMakeNoSense(t *testing.T) {
	r, control := newMarkedRig(t)
	r.paths[0].ecn.stop()
	r.queue(1)
	r.send(0)
	r.Moved(0)
	r.Marked(ms, rigTSN)
	assert.False(t, r.ECN(0))
	assert.Zero(t, control.marks)

	r, control = newMarkedRig(t)
	control.window = leastSsthresh * rigChunk
	for i := range wire.TSN(2 * ecnIdle) {
		r.queue(1)
		r.send(0)
		r.Marked(ms, rigTSN+i)
		r.sack(2*ms, rigTSN+i)
	}
	assert.Equal(t, ecnIdle, control.marks)
	assert.False(t, r.ECN(0))
}

// RFC 8511: four fifths and 0.85 of the window in congestion avoidance, as after a loss in slow start, four chunks at least.
func TestWhatMarksLeaveOfTheWindow(t *testing.T) {
	for name, c := range map[string]struct {
		control             MarkController
		slow, avoiding, got float64
	}{
		"CUBIC":   {NewCubic(1000).(*Cubic), 0.7, 0.85, 0},
		"NewReno": {NewNewReno(1000).(*NewReno), 0.5, 0.8, 0},
	} {
		now := time.Duration(0)
		grow := func(to int) {
			for c.control.Window() < to {
				now += ms
				c.control.Acked(Ack{Now: now, Bytes: 8000, Flight: 1 << 30, SRTT: 10 * ms})
			}
		}
		grow(200_000)
		before := c.control.Window()
		c.control.Marked(now)
		assert.InDelta(t, c.slow, float64(c.control.Window())/float64(before), 0.01, name)
		grow(before)
		before = c.control.Window()
		c.control.Marked(now)
		assert.InDelta(t, c.avoiding, float64(c.control.Window())/float64(before), 0.01, name)
		before = c.control.Window()
		c.control.Judged(now, true)
		assert.Equal(t, before, c.control.Window(), "%s: there is nothing to take back", name)
		for range 100 {
			c.control.Marked(now)
		}
		assert.Equal(t, 4000, c.control.Window(), name)
	}
	_, is := NewBBR(1000, nil).(MarkController)
	assert.False(t, is)
}
