package guard

import (
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi/seal"
)

// TestKeysChange: with the first datagrams and after some time, whichever end has the lower ID.
func TestKeysChange(t *testing.T) {
	for _, lower := range []bool{true, false} {
		a, b := pair(t, seal.AlwaysEncrypt)
		talk := func() {
			for range 2 {
				a.say("from a", b)
				b.say("from b", a)
			}
		}
		if !lower {
			a, b = newNode(t, 3, here, seal.AlwaysEncrypt), newNode(t, 2, there, seal.AlwaysEncrypt)
			require.NoError(t, a.Know(b.own, []netip.AddrPort{b.at}))
		}
		for epoch := range uint32(3) {
			a.now, b.now = a.now+rekeyTime, b.now+rekeyTime
			talk()
			require.Equal(t, epoch+1, a.epoch(b))
			require.Equal(t, epoch+1, b.epoch(a))
			talk()
			require.Equal(t, epoch+1, a.epoch(b), "not again so soon")
		}
	}
}

// TestManyRecordsChangeKeys, in both modes, whichever end sends them.
func TestManyRecordsChangeKeys(t *testing.T) {
	for _, policy := range []seal.Policy{seal.AlwaysAuth, seal.AlwaysEncrypt} {
		a, b := pair(t, policy)
		talk := func() {
			for range 2 {
				a.say("from a", b)
				b.say("from b", a)
			}
		}
		talk()
		before := a.epoch(b)
		require.Equal(t, policy == seal.AlwaysEncrypt, before == 1)
		a.now += rekeyTime - time.Second
		b.now = a.now
		talk()
		require.Equal(t, before, a.epoch(b))
		a.sessions[b.Guard.own.ID].records = rekeyRecords
		talk()
		require.Equal(t, before+1, a.epoch(b))
		require.Equal(t, before+1, b.epoch(a))
	}
}

// TestLostMessagesAreRepeated, at growing intervals, and only when something is sent.
func TestLostMessagesAreRepeated(t *testing.T) {
	a, b := pair(t, seal.AlwaysEncrypt)
	requests := 0
	for range 600 { // a minute
		b.opens(a.seal("hello", b), a, "hello")
		for _, _, ok := a.Next(); ok; _, _, ok = a.Next() {
			requests++
		}
		a.now += time.Minute / 600
		b.now = a.now
	}
	assert.InDelta(t, 18, requests, 3)
	require.Zero(t, a.epoch(b))
	a.now += longestPause
	b.now = a.now
	b.opens(a.seal("hello", b), a, "hello")
	request, _, _ := a.Next()
	b.refuses(request, a)
	_, _, answered := b.Next()
	require.False(t, answered, "the answer goes with what the socket sends next")
	b.seal("hello", a)
	_, _, answered = b.Next() // and that is lost
	require.True(t, answered)
	b.refuses(request, a) // a replay is not answered
	b.seal("hello", a)
	_, _, answered = b.Next()
	require.False(t, answered)
	a.now += longestPause
	a.say("hello", b)
	b.say("still with the old keys", a)
	require.EqualValues(t, 1, a.epoch(b))
	require.Zero(t, b.epoch(a))
	a.say("with the new ones", b)
	require.EqualValues(t, 1, b.epoch(a))
}

// TestBothEpochsCount for a while.
func TestBothEpochsCount(t *testing.T) {
	a, b := pair(t, seal.AlwaysEncrypt)
	early, late := a.seal("early", b), a.seal("late", b)
	fromB := make([][]byte, 2)
	a.say("hello", b)
	for i := range fromB {
		fromB[i] = b.seal("of b", a)
	}
	b.control(a)
	a.say("new", b)
	require.EqualValues(t, 1, b.epoch(a))
	b.opens(early, a, "early")
	a.now += time.Hour
	a.opens(fromB[0], b, "of b") // a has not heard anything of the new epoch
	a.opens(b.seal("new", a), b, "new")
	a.now += grace
	a.refuses(fromB[1], b)
	b.now += grace
	b.refuses(late, a)
	assert.EqualValues(t, 1, a.Stats().Stale)
	assert.EqualValues(t, 1, b.Stats().Stale)
	assert.Nil(t, b.sessions[a.Guard.own.ID].previous.opener, "forgotten")
}
