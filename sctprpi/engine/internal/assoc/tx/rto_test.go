package tx

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const ms = time.Millisecond

func newRTO(t *testing.T, bounds RTOConfig) RTO {
	t.Helper()
	r, err := NewRTO(bounds)
	require.NoError(t, err)
	return r
}

func TestRTOIsInitialUntilTheFirstMeasurement(t *testing.T) { // rule C1
	r := newRTO(t, RTOConfig{Initial: 700 * ms})
	assert.Equal(t, 700*ms, r.Timeout())
	assert.Zero(t, r.SRTT())
}

func TestRTOFirstMeasurement(t *testing.T) { // rule C2
	r := newRTO(t, RTOConfig{})
	r.Sample(100 * ms)
	assert.Equal(t, 100*ms, r.SRTT())
	assert.Equal(t, 300*ms, r.Timeout(), "R + 4·R/2")
}

func TestRTOLaterMeasurements(t *testing.T) { // rule C3
	r := newRTO(t, RTOConfig{})
	r.Sample(100 * ms)
	r.Sample(180 * ms)
	// RTTVAR = 3/4·50 + 1/4·80 = 57.5 ms, with SRTT before its own update.
	assert.Equal(t, 110*ms, r.SRTT())
	assert.Equal(t, 340*ms, r.Timeout())
}

func TestRTOKeepsWithinItsBounds(t *testing.T) { // rules C6 and C7
	r := newRTO(t, RTOConfig{Initial: 100 * ms, Min: 50 * ms, Max: 500 * ms})
	r.Sample(100 * time.Microsecond)
	assert.Equal(t, 50*ms, r.Timeout())
	r.Sample(10 * time.Second)
	assert.Equal(t, 500*ms, r.Timeout())
}

func TestRTOVariationNeverVanishes(t *testing.T) { // rule G1
	r := newRTO(t, RTOConfig{Initial: 2 * ms, Min: 1})
	r.Sample(1)
	assert.Equal(t, 1+4*clockGranularity, r.Timeout())
}

func TestRTOBacksOffAndCollapsesOnMeasurement(t *testing.T) { // rules E2 and C3
	r := newRTO(t, RTOConfig{Max: 3 * time.Second})
	r.Backoff()
	assert.Equal(t, 2*time.Second, r.Timeout())
	r.Backoff()
	assert.Equal(t, 3*time.Second, r.Timeout(), "RTO.Max bounds the doubling")
	r.Sample(20 * ms)
	assert.Equal(t, 60*ms, r.Timeout())
}

func TestRTOIgnoresImpossibleMeasurements(t *testing.T) {
	r := newRTO(t, RTOConfig{})
	r.Sample(0)
	r.Sample(-ms)
	assert.Equal(t, DefaultRTOInitial, r.Timeout())
}

func TestRTOBoundsMustBeInOrder(t *testing.T) {
	for _, bad := range []RTOConfig{
		{Min: -1},
		{Min: 2 * time.Second, Initial: time.Second},
		{Initial: 2 * time.Second, Max: time.Second},
	} {
		_, err := NewRTO(bad)
		assert.ErrorContains(t, err, "min ≤ initial ≤ max", "%+v", bad)
	}
}
