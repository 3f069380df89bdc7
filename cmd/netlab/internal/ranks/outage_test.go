package ranks

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// cutForTwoSeconds is a cut one second after the beginning, as the receiver of messages of a megabit sees it.
func cutForTwoSeconds() (o *outage, at func(d time.Duration) time.Time) {
	o = newOutage(Multihome{Size: 1e6 / 8, After: time.Second, For: 2 * time.Second})
	return o, func(d time.Duration) time.Time { return o.begun.Add(d) }
}

func TestOutageTellsTheLongestGapAndTheThroughputOfEachPhase(t *testing.T) {
	o, at := cutForTwoSeconds()
	for _, ms := range []time.Duration{100, 400, 900, 2400, 2500, 2600, 3500, 4000} {
		o.arrived(at(ms * time.Millisecond))
	}
	m := o.metrics(nil, at(time.Minute))
	assert.Equal(t, 1500.0, m["gap"])
	assert.Equal(t, 3.0, m["before"])
	assert.Equal(t, 1.5, m["during"])
	assert.Equal(t, 2.0, m["after"])
	assert.NotContains(t, m, "lost")
}

// A gap that the death of the peer ends says nothing of how long a job is interrupted.
func TestOutageTellsWhenThePeerWasGivenUp(t *testing.T) {
	o, at := cutForTwoSeconds()
	o.arrived(at(900 * time.Millisecond))
	m := o.metrics(errors.New("gone"), at(2500*time.Millisecond))
	assert.Equal(t, Metrics{"lost": 1.5, "before": 1, "during": 0}, m)
}
