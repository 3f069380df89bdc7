package endpoint

import (
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/engine/internal/assoc"
	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// see checks that events come in an order that package socket allows.
func (a *actor) see(n int) {
	t := a.s.t
	for i := range a.events[:n] {
		e := &a.events[i]
		l := a.seen[e.Assoc]
		if l == nil {
			l = new(life)
			a.seen[e.Assoc] = l
		}
		require.False(t, l.ended, "%v after the end", e.Kind)
		switch e.Kind {
		case socket.Up:
			require.False(t, l.up, "Up twice")
			l.up = true
		case socket.Lost, socket.Aborted:
			l.ended = true
		case socket.Closed:
			require.True(t, l.up, "Closed before Up")
			l.ended = true
		case socket.Released:
			owner := e.Owner.(*int)
			require.True(t, a.lent[owner], "released twice")
			delete(a.lent, owner)
		case socket.Writable:
		case socket.Data:
			require.True(t, l.up, "Data before Up")
			require.Equal(t, e.Broken, len(e.Payload) == 0)
		default:
			require.True(t, l.up, "%v before Up", e.Kind)
		}
		e.Release()
	}
}

// maxHeld is what an association may hold: the receive buffer and a chunk more.
const maxHeld = 2*stageBuffer + 1500

// maxLent is how many buffers an association may have: those of two receive buffers, one
// of them from before a restart, and of the send buffer. Each counts 256 bytes at least.
const maxLent = 2*(maxHeld/256+1) + stageBuffer/256

// check checks what must be so whatever has happened, when there is nothing to send.
func (a *actor) check() {
	t := a.s.t
	strangers := a.host.Config.MaxUnauthenticated
	require.LessOrEqual(t, a.Associations()-a.unauthenticated, stageAssocs+strangers)
	if strangers > 0 {
		require.LessOrEqual(t, a.backlog.Len(), strangers)
		require.LessOrEqual(t, a.backlog.Len(), a.unauthenticated)
	}
	require.LessOrEqual(t, a.pool.Lent(), maxLent*a.Associations())
	require.Zero(t, a.replies.batch.Len())
	tags, peers, running := 0, 0, 0
	for id, en := range a.byID {
		require.Equal(t, id, en.ID())
		status := en.Status()
		require.LessOrEqual(t, status.Held, maxHeld)
		if !status.Interleaving { // else the bytes of lent messages do not count
			require.LessOrEqual(t, status.Queued+status.Outstanding, stageBuffer)
		}
		if en.State() == assoc.Closed {
			require.Empty(t, en.peers)
			require.Equal(t, -1, en.slot)
			continue
		}
		require.Same(t, en, a.byTag[en.LocalTag()])
		tags++
		for _, p := range en.peers {
			require.Same(t, en, a.byPeer[p])
			peers++
		}
		at, runs := en.Deadline()
		require.Equal(t, runs, en.slot >= 0, "its timers are known")
		if runs {
			running++
			require.Same(t, en, a.timers[en.slot])
			require.LessOrEqual(t, en.deadline, at, "Expire comes in time")
			require.Greater(t, at, a.s.now-1, "a timer that has run out has been handled")
		}
	}
	require.Len(t, a.byTag, tags)
	require.Len(t, a.byPeer, peers)
	require.Len(t, a.timers, running)
}
