package kernel

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// patient is a peer as a pulse sees it, in virtual time: an interval a beat.
type patient struct {
	pulse   pulse
	packets uint64
	// asked counts what the peer was asked for a sign of life, since always.
	asked int
}

const (
	patience = time.Minute
	interval = patience / beats
)

// pass lets beats pass. answers says whether the peer answers when it is asked.
func (p *patient) pass(n int, answers bool) vitality {
	last := living
	for range n {
		if last = p.pulse.beat(p.packets); last == doubtful {
			p.asked++
			if answers {
				p.packets++
			}
		}
	}
	return last
}

func TestASilentPeerIsGivenUpAfterAllBeats(t *testing.T) {
	p := patient{packets: 3}
	require.Equal(t, living, p.pass(1, false))
	for n := 1; n < beats; n++ {
		require.Equal(t, doubtful, p.pass(1, false), n)
		require.Equal(t, time.Duration(n)*interval, p.pulse.silence(patience))
	}
	require.Equal(t, dead, p.pass(1, false))
	assert.Equal(t, patience, p.pulse.silence(patience))
	assert.Equal(t, beats-1, p.asked)
	p.packets++ // too late: what ends the association could not be sent
	assert.Equal(t, dead, p.pass(1, false))
}

// A peer that has nothing to say, and of which the kernel asks nothing, answers when it is asked.
func TestAnIdlePeerThatLivesIsNeverGivenUp(t *testing.T) {
	p := patient{packets: 3}
	for range 10 * beats {
		require.NotEqual(t, dead, p.pass(1, true))
		require.Less(t, p.pulse.silence(patience), patience/2)
	}
	assert.Equal(t, 5*beats, p.asked, "at every second beat")
}

// One whose packets get lost, but for the last before the end, is as young as ever.
func TestASignOfLifeBeginsAnew(t *testing.T) {
	p := patient{packets: 3}
	for range 3 {
		require.Equal(t, living, p.pass(1, false))
		require.Equal(t, doubtful, p.pass(beats-1, false))
		p.packets++
	}
	require.Equal(t, living, p.pass(1, false))
	assert.Zero(t, p.pulse.silence(patience))
}

// A peer that talks is not asked for more.
func TestAPeerThatTalksIsNotAsked(t *testing.T) {
	p := patient{}
	for range 3 * beats {
		p.packets += 100
		require.Equal(t, living, p.pass(1, true))
	}
	assert.Zero(t, p.asked)
}

// Half of the time is half of the beats, whatever the time: rpi.SuspectAfter.
func TestHalfOfTheBeatsAreHalfOfTheTime(t *testing.T) {
	for _, timeout := range []time.Duration{time.Nanosecond * 15, time.Second, 24 * time.Hour} {
		p := pulse{missed: beats / 2}
		assert.Equal(t, timeout/2, p.silence(timeout))
	}
}
