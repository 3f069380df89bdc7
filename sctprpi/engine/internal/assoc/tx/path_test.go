package tx

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

func TestRetransmissionOnAnotherPath(t *testing.T) { // RFC 9260, sections 6.4 and 6.4.1
	r := newRig(t)
	second, err := r.AddPath(rigChunk)
	require.NoError(t, err)
	_, none := r.Retransmission()
	assert.False(t, none)
	r.queue(2)
	r.send(0)
	assert.Equal(t, 2*rigChunk, r.Path(0).Flight)

	var expired bool
	for !expired {
		_, expired = r.expire()
	}
	from, ok := r.Retransmission()
	require.True(t, ok)
	assert.Equal(t, PathID(0), from)
	assert.Zero(t, r.Path(0).Flight)

	chunks := r.Next(nil, 2e9, second, rigChunk)
	require.Len(t, chunks, 1)
	assert.True(t, chunks[0].Retransmission)
	r.Next(nil, 2e9, second, rigChunk)
	assert.Equal(t, 2*rigChunk, r.Path(second).Flight, "the outstanding counts of both are adjusted")
	p := r.sack(3e9, 1001)
	assert.True(t, p.Paths.Has(second))
	assert.False(t, p.Paths.Has(0), "the path that it was last sent on is credited")
	assert.True(t, r.Drained())
}

func TestPathsHaveTheirOwnWindowsAndTimers(t *testing.T) { // RFC 9260, section 7.2
	r := newRig(t, func(c *Config) { c.NewController = NewNewReno })
	second, err := r.AddPath(rigChunk)
	require.NoError(t, err)
	r.queue(40)
	r.send(0)
	window := r.Path(0).Window
	for len(r.Next(nil, 0, second, rigChunk)) > 0 {
	}
	require.Equal(t, r.Path(0).Flight, r.Path(second).Flight)
	r.sack(50*ms, 1000)
	assert.Greater(t, r.Path(0).Window, window)
	assert.Equal(t, window, r.Path(second).Window)
	assert.NotZero(t, r.Path(0).SRTT)
	assert.Zero(t, r.Path(second).SRTT)
	assert.Equal(t, DefaultRTOInitial, r.paths[second].t3)
}

func TestPathsOfDifferentLengthAreNotLoss(t *testing.T) {
	r := newRig(t)
	second, err := r.AddPath(rigChunk)
	require.NoError(t, err)
	r.queue(20)
	r.packet(0) // 1000, on the long path
	for range 19 {
		r.Next(nil, 0, second, rigChunk)
	}
	r.sack(ms, 999, 2, 20)
	assert.Zero(t, r.control.losses)
	_, lost := r.Retransmission()
	assert.False(t, lost)
}

func TestChunksKeepTheirSizeWhenTheMTUShrinks(t *testing.T) { // RFC 9260, section 6.9
	r := newRig(t)
	r.queue(3)
	r.send(0)
	r.SetMaxChunk(0, 516)
	r.sack(10*ms, 999, 2, 2)
	r.queue(1)
	for expired := false; !expired; {
		_, expired = r.expire()
	}
	assert.Empty(t, r.Next(nil, 2e9, 0, 500), "not with something else in the packet")
	chunks := r.Next(nil, 2e9, 0, 516)
	require.Len(t, chunks, 1)
	assert.Equal(t, rigChunk, chunks[0].Size(), "alone, for IP to fragment")
	r.sack(3e9, 1002)
	chunks = r.Next(nil, 3e9, 0, 516)
	require.Len(t, chunks, 1)
	assert.Equal(t, 500, chunks[0].Len(), "new ones have the new size")
}

func TestFragmentsFitEveryPath(t *testing.T) { // RFC 9260, section 6.9: AMDCS
	r := newRig(t)
	_, err := r.AddPath(216)
	require.NoError(t, err)
	r.queue(1)
	assert.Equal(t, 200, r.Next(nil, 0, 0, rigChunk)[0].Len())
}

func TestPathsAreBounded(t *testing.T) {
	r := newRig(t)
	_, err := r.AddPath(10)
	assert.ErrorContains(t, err, "at least")
	for range MaxPaths - 1 {
		_, err := r.AddPath(1 << 20)
		require.NoError(t, err)
	}
	_, err = r.AddPath(1000)
	assert.ErrorContains(t, err, "more than 64")
}

func TestHeartbeatsMoveTheTimeout(t *testing.T) { // RFC 9260, section 8.3
	r := newRig(t)
	r.Sample(0, 100*ms)
	assert.Equal(t, 300*ms, r.Path(0).RTO)
	r.Backoff(0)
	assert.Equal(t, 600*ms, r.Path(0).RTO)
}

func TestConfigIsChecked(t *testing.T) {
	for want, c := range map[string]Config{
		"outbound streams": {},
		"scheduler":        {Streams: 1, Scheduler: socket.Weighted + 1},
		"send buffer":      {Streams: 1, SendBuffer: -1},
		"burst":            {Streams: 1, MaxBurst: -1},
		"SACK delay":       {Streams: 1, MaxAckDelay: -1},
		"RTO bounds":       {Streams: 1, RTO: RTOConfig{Min: -1}},
	} {
		_, err := New(c)
		assert.ErrorContains(t, err, want)
	}
}
