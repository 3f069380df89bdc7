package monitor

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// TestWaitingDoesWhatIsLeft: what a goroutine has left to do may be what it waits for.
func TestWaitingDoesWhatIsLeft(t *testing.T) {
	left, done := false, false
	work := func() {}
	lock := New(func() { work() })
	l := NewLife(lock)
	work = func() {
		if left {
			left, done = false, true
			l.Changed()
		}
	}
	lock.Lock()
	left = true
	for !done {
		l.Wait()
	}
	lock.Unlock()
}

func TestAWaitEndsWithItsContext(t *testing.T) {
	lock := New(nil)
	l := NewLife(lock)
	ctx, cancel := context.WithCancel(t.Context())
	defer l.WakeAtEnd(ctx)()
	lock.Lock()
	go cancel()
	for ctx.Err() == nil {
		l.Wait()
	}
	lock.Unlock()
	require.Error(t, ctx.Err())
}

// job is a transport that is connected, or parted, with the peers of which that has been said.
type job struct {
	*Life
	lock           *Lock
	ready          map[matching.Rank]bool
	failed         error
	begun, dropped int
	partsWhenOver  int
}

func newJob() *job {
	lock := New(nil)
	return &job{Life: NewLife(lock), lock: lock, ready: make(map[matching.Rank]bool)}
}

func (j *job) say(rank matching.Rank) {
	j.lock.Lock()
	defer j.lock.Unlock()
	j.ready[rank] = true
	j.Changed()
}

func (j *job) connect(ctx context.Context) error {
	return j.Connect(ctx, 2, func(rank matching.Rank) (bool, error) { return j.ready[rank], j.failed })
}

func (j *job) close(ctx context.Context) error {
	part := func() (missed []matching.Rank, done bool) {
		if j.Over {
			j.partsWhenOver++
		}
		for rank := range matching.Rank(2) {
			if !j.ready[rank] {
				missed = append(missed, rank)
			}
		}
		return missed, len(missed) == 0
	}
	return j.Close(ctx, func() { j.begun++ }, part, j.kill)
}

func (j *job) kill() { j.Kill(func() {}, func() { j.dropped++ }) }

func TestConnectWaitsForAllPeers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := newJob()
		done := make(chan error, 1)
		go func() { done <- j.connect(t.Context()) }()
		for rank := range matching.Rank(2) {
			synctest.Wait()
			require.Empty(t, done)
			j.say(rank)
		}
		require.NoError(t, <-done)
		j.failed = errors.New("gone")
		require.Equal(t, j.failed, j.connect(t.Context()))
	})
}

func TestConnectEndsWithItsContextAndWithTheTransport(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for ends, end := range map[string]func(j *job, cancel func()){
			"rank 0 of the job":   func(_ *job, cancel func()) { cancel() },
			rpi.ErrClosed.Error(): func(j *job, _ func()) { j.kill() },
		} {
			j := newJob()
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan error, 1)
			go func() { done <- j.connect(ctx) }()
			synctest.Wait()
			end(j, cancel)
			require.ErrorContains(t, <-done, ends)
			cancel()
		}
	})
}

func TestCloseWaitsForAllPeersAndThenKills(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := newJob()
		done := make(chan error, 1)
		go func() { done <- j.close(t.Context()) }()
		for rank := range matching.Rank(2) {
			synctest.Wait()
			require.Empty(t, done)
			require.True(t, j.Closing)
			j.say(rank)
		}
		require.NoError(t, <-done)
		require.True(t, j.Over)
		require.Error(t, j.Context.Err())
		require.NoError(t, j.close(t.Context()))
		j.kill()
		require.Equal(t, []int{1, 1}, []int{j.begun, j.dropped})
	})
}

func TestCloseNamesThePeersThatItHasNotPartedWith(t *testing.T) {
	j := newJob()
	j.say(0)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var missed *rpi.PartingError
	require.ErrorAs(t, j.close(ctx), &missed)
	require.Equal(t, []matching.Rank{1}, missed.Peers)
	require.True(t, j.Over)
}

func TestCloseEndsWhenTheTransportIsKilled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := newJob()
		done := make(chan error, 1)
		go func() { done <- j.close(t.Context()) }()
		synctest.Wait()
		j.kill()
		require.NoError(t, <-done)
		require.Equal(t, 1, j.dropped)
		require.Zero(t, j.partsWhenOver, "there is nothing left to part with")
	})
}

// Nothing is given up while a goroutine takes in messages.
func TestKillDropsWhenAllGoroutinesHaveEnded(t *testing.T) {
	l, ended := NewLife(New(nil)), false
	l.Go(func() {
		<-l.Context.Done()
		l.Progress.Lock()
		defer l.Progress.Unlock()
		ended = true
	})
	l.Kill(func() { require.Error(t, l.Context.Err()) }, func() { require.True(t, ended) })
}
