package heartbeat

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

func nothing() bool   { return false }
func something() bool { return true }

func TestAPeerIsDeadAfterFourSilentBeats(t *testing.T) {
	var p Peer
	for _, want := range []State{Living, Doubtful, Living} {
		require.Equal(t, want, p.Check(nothing))
	}
	p.Hear()
	p.Answered(false)
	for _, want := range []State{Living, Living, Doubtful, Living, Dead} {
		require.Equal(t, want, p.Check(nothing))
	}
}

func TestAPeerThatAnswersLives(t *testing.T) {
	var p Peer
	for range 100 {
		require.Equal(t, Living, p.Check(nothing))
		require.Equal(t, Doubtful, p.Check(nothing))
		p.Answered(true)
		require.Equal(t, Living, p.Check(nothing))
	}
}

// rpi.Watchful: a peer is suspected when it has been silent for rpi.SuspectAfter, until it gives a sign of life.
func TestAPeerIsSuspectedAfterHalfOfTheTimeout(t *testing.T) {
	require.Equal(t, rpi.SuspectAfter(time.Minute), beats/2*NewClock(time.Minute).interval)
	for name, sign := range map[string]func(*Peer){
		"something comes":       (*Peer).Hear,
		"it answers when asked": func(p *Peer) { p.Answered(true) },
	} {
		var p Peer
		for _, want := range []bool{false, true, true} {
			p.Check(nothing)
			require.Equal(t, want, p.Suspected(nothing))
		}
		require.False(t, p.Suspected(something), "there is something to read")
		sign(&p)
		require.False(t, p.Suspected(nothing), name)
		p.Check(nothing)
		require.False(t, p.Suspected(nothing), name)
	}
}

func TestAPeerIsNotDeadWhileItsWordsAreUnread(t *testing.T) {
	var p Peer
	for range 100 {
		require.Equal(t, Living, p.Check(something))
	}
	require.Equal(t, Living, p.Check(nothing))
	require.Equal(t, Doubtful, p.Check(nothing))
}

func TestAPeerHearsSomethingAtEachBeatAtWhichNothingElseWasSent(t *testing.T) {
	var p Peer
	require.True(t, p.Quiet())
	p.Spoke()
	require.False(t, p.Quiet())
	require.True(t, p.Quiet())
}

func TestTheClockBeatsFourTimesInAPeerTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		c := NewClock(time.Minute)
		go c.Run(ctx, func() {})
		time.Sleep(time.Minute + time.Second)
		require.EqualValues(t, 4, c.Count())
		require.Zero(t, c.Paused())
		cancel()
	})
}

// A process that did not run says so where its peers may have given it up.
func TestAPauseIsNoticed(t *testing.T) {
	c := NewClock(time.Minute)
	require.Zero(t, c.paused(30*time.Second))
	require.Equal(t, 45*time.Second, c.paused(45*time.Second), "before the clock beats again")
	c.tick(70 * time.Second)
	require.Equal(t, 70*time.Second, c.paused(71*time.Second), "after it has")
	for now := 85 * time.Second; now < 125*time.Second; now += 15 * time.Second {
		c.tick(now)
	}
	require.Equal(t, 70*time.Second, c.paused(126*time.Second), "for a minute")
	require.Zero(t, c.paused(131*time.Second))
}

func TestAnErrorIsExplainedByAPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, broken := NewClock(time.Minute), errors.New("the end")
		require.Equal(t, broken, c.Explain(broken))
		time.Sleep(75 * time.Second)
		require.ErrorIs(t, c.Explain(broken), broken)
		require.ErrorContains(t, c.Explain(broken), "this rank did not run for 1m15s")
	})
}
