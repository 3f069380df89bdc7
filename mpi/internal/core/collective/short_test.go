package collective

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/near"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// desk is a transport of rank 0 of two, whose peer posts on the board when this rank looks, or when it blocks.
type desk struct {
	still
	rpi.MemorySharer
	then      *rpi.Continuations
	peer      *near.Board
	mark      func() uint32 // of the call
	late      bool          // the peer posts when this rank blocks
	watched   rpi.Watched
	watches   int
	looked    time.Duration // as Look returns it
	blockedAt time.Duration // Looked of the request that this rank blocks for
}

func (d *desk) post() { d.peer.Post(0, d.mark(), nil) }

func (d *desk) Look(_ context.Context, q rpi.Quarry) time.Duration {
	if !d.late {
		d.post()
	}
	if q.Completed() {
		return 0
	}
	return d.looked
}

func (d *desk) Watch(w rpi.Watched)          { d.watched, d.watches = w, d.watches+1 }
func (d *desk) Unwatch(rpi.Watched)          { d.watched = nil }
func (d *desk) Rouse([]matching.Rank)        {}
func (d *desk) Lost() int                    { return 0 }
func (d *desk) HasMemory(matching.Rank) bool { return true }

func (d *desk) AwaitRequest(_ context.Context, r *rpi.Request, _ func(*rpi.Request) error) error {
	d.blockedAt = r.Looked
	d.post()
	w := d.watched
	d.watched = nil
	d.then.Enter()
	w.Take()
	d.then.Leave(true)
	return nil
}

// barrier runs a short barrier over d, and returns how many receives it has posted.
func barrier(t *testing.T, d *desk) (receives int) {
	memory := make([]byte, near.Size(2))
	d.peer = near.Open(memory, 1, 2)
	d.then = rpi.NewContinuations()
	p := &Process{Transport: d, Continuations: d.then}
	s := p.Open(pair{}, 0, 0, 2)
	s.Share(NewMemory(d, near.Open(memory, 0, 2), []matching.Rank{1}, func() {}))
	o, err := s.Begin(Barrier, Elements{Type: bytesType{}}, Blocking)
	require.NoError(t, err)
	before := len(d.receives)
	require.True(t, o.Agree(0, 0, 0))
	d.mark = func() uint32 {
		receives = len(d.receives) - before
		return uint32(o.mark)
	}
	require.True(t, o.Short(schedule.Part{}, schedule.Part{}))
	require.NoError(t, o.Do(t.Context()))
	return receives
}

func TestAShortOperationThatEndsWhileItsRankLooksIsNotWatched(t *testing.T) {
	d := new(desk)
	require.Zero(t, barrier(t, d), "there is a guard")
	require.Zero(t, d.watches)
}

func TestARankThatLooksInVainIsWatchedGuardedAndBlocks(t *testing.T) {
	d := &desk{late: true, looked: 7}
	require.Equal(t, 1, barrier(t, d), "guards")
	require.Equal(t, 1, d.watches)
	require.EqualValues(t, 7, d.blockedAt, "it spins no second time")
	require.Nil(t, d.watched)
}
