package sctprpi

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/sctpmpi/sctpmpi/sctprpi/engine/enginetest"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// longs are four long messages on their way to rank 1.
type longs struct {
	*simulated
	receives []*rpi.Request
}

const long = 16 << 20

func startLongs(s *simulated) *longs {
	l := &longs{simulated: s}
	for tag := range matching.Tag(4) {
		l.receives = append(l.receives, s.Post(rpi.OpRecv, tag, make([]byte, long)))
	}
	body := make([]byte, long)
	for tag := range matching.Tag(4) {
		s.Send(tag, body)
	}
	return l
}

// landed returns how much of each has arrived.
func (l *longs) landed() (all []uint64) {
	to := l.Ranks[1]
	to.Lock.Lock()
	defer to.Lock.Unlock()
	for _, r := range l.receives {
		all = append(all, r.Transport.Landed)
	}
	return all
}

// until lets time pass, and sees again and again how much more of one message has come
// than of another.
func (l *longs) until(done func() bool) (apart uint64) {
	l.T.Helper()
	begun := l.landed()
	require.True(l.T, l.World.Run(l.World.Now()+time.Minute, func() bool {
		if come := l.landed(); !slices.ContainsFunc(l.receives, (*rpi.Request).Completed) {
			for i := range come {
				come[i] -= begun[i]
			}
			apart = max(apart, slices.Max(come)-slices.Min(come))
		}
		return done()
	}))
	return apart
}

func (l *longs) completed() bool {
	return !slices.ContainsFunc(l.receives, func(r *rpi.Request) bool { return !r.Completed() })
}

// Long messages to one rank share the way.
func TestLongMessagesTakeTurns(t *testing.T) {
	l := startLongs(simulate(t, Options{}, enginetest.Conditions{Delay: 20 * time.Microsecond, Rate: 10e9}))
	apart := l.until(l.completed)
	t.Logf("at most %.2f fragments apart", float64(apart)/fragmentSize)
	assert.LessOrEqual(t, apart, uint64(2*fragmentSize))
}

// A short message is started behind long ones, of which any amount waits at this end. It arrives no
// later than a fragment after the bytes that are already on their way, which it cannot overtake:
// here the receive window limits those to a fragment too.
func TestShortMessageDoesNotWaitForLongOnes(t *testing.T) {
	const (
		rate     = 1e9
		travel   = 20 * time.Microsecond
		fragment = fragmentSize * 8 * time.Second / rate // the time of one
	)
	l := startLongs(simulate(t, Options{}, enginetest.Conditions{Delay: travel, Rate: rate},
		func(c *socket.Config) { c.ReceiveBuffer = 64 << 10 }))
	most := time.Duration(0)
	for n := range matching.Tag(50) {
		short := l.Post(rpi.OpRecv, 100+n, make([]byte, 8))
		l.until(func() bool { return l.landed()[0] > long/100*uint64(n+1) })
		begun := l.World.Now()
		l.Send(100+n, make([]byte, 8))
		l.until(short.Completed)
		took := l.World.Now() - begun - travel
		require.LessOrEqual(t, took, 2*fragment, "message %d", n)
		most = max(most, took)
	}
	t.Logf("50 took up to %v longer than the way, of which %v are for what was on it; a fragment takes %v", most, fragment, fragment)
	l.until(l.completed)
}

// The first long message finds out how much the network takes at once. Those after it need not begin anew: on a link of 20 Mbit/s with
// a round trip of 20 ms they take less than three round trips more than their bytes: one is for the announcement.
func TestLongMessagesBeginWhereTheOneBeforeHasGotTo(t *testing.T) {
	const (
		travel, rate = 10 * time.Millisecond, 20e6
		size         = 300 << 10
		bytes        = size * 8 * time.Second / rate
	)
	s := simulate(t, Options{}, enginetest.Conditions{Delay: travel, Rate: rate})
	took := func() time.Duration {
		begun := s.World.Now()
		r := s.Post(rpi.OpRecv, 1, make([]byte, size))
		s.Send(1, make([]byte, size))
		s.Run(r)
		return s.World.Now() - begun
	}
	first := took()
	for range 3 {
		took()
	}
	now := took()
	t.Logf("the first takes %v, the fifth %v; the bytes alone take %v", first, now, time.Duration(bytes))
	require.Less(t, now, bytes+6*travel)
	require.Less(t, now, first)
}

// A long message goes on when part of what is under way has been acknowledged. It does not wait for the rest, whose last packet may be
// an odd one, for which the acknowledgement is delayed.
func TestALongMessageGoesOnAsItIsAcknowledged(t *testing.T) {
	const (
		rate     = 1e9
		size     = 3 << 20
		bytes    = size * 8 * time.Second / rate
		ackDelay = 20 * time.Millisecond
	)
	s := simulate(t, Options{}, enginetest.Conditions{Delay: 10 * time.Microsecond, Rate: rate}, func(c *socket.Config) { c.AckDelay = ackDelay })
	for n := range 10 {
		begun := s.World.Now()
		r := s.Post(rpi.OpRecv, 1, make([]byte, size))
		s.Send(1, make([]byte, size))
		s.Run(r)
		require.Less(t, s.World.Now()-begun, bytes+ackDelay/2, "message %d", n)
	}
}
