package rx

import "github.com/stretchr/testify/require"

// requireConsistent counts everything again, the slow way, and compares.
func (r *rig) requireConsistent() {
	r.t.Helper()
	all := account{limit: r.held.limit}
	buffers, partial := 0, 0
	perStream := map[*stream]int{}
	one := func(f *fragment) {
		all.bytes += len(f.payload)
		all.chunks++
		perStream[f.stream] += len(f.payload)
		if f.memory != nil {
			buffers++
		}
	}
	message := func(m *message) {
		for f := range m.prefix.All() {
			one(f)
		}
		for i, f := range m.later {
			one(f)
			require.True(r.t, i == 0 || before(m.later[i-1].pos, f.pos) < 0)
		}
	}
	ready, onHold := map[*stream]bool{}, map[*stream]bool{}
	for s := range r.ready.All() {
		ready[s] = true
	}
	for s := range r.onHold.All() {
		onHold[s] = true
	}
	readers := 1
	for s := range r.streams.Used() {
		if s.onHold {
			readers++
		}
		require.Equal(r.t, !s.ready.Empty() && !s.onHold, ready[s])
		require.Equal(r.t, !s.ready.Empty() && s.onHold, onHold[s])
		for f := range s.ready.All() {
			one(f)
		}
		for i, m := range s.ordered {
			message(m)
			require.True(r.t, i == 0 || s.ordered[i-1].seq-s.next < m.seq-s.next)
		}
		for i, m := range s.unordered {
			message(m)
			require.True(r.t, i == 0 || s.unordered[i-1].seq-s.floor < m.seq-s.floor)
		}
		partial += len(s.unordered)
	}
	for i, m := range r.unordered.messages {
		message(m)
		require.True(r.t, i == 0 || before(r.unordered.messages[i-1].next, m.next) < 0)
	}
	partial += len(r.unordered.messages)
	for _, f := range r.unordered.fragments {
		one(f)
	}
	for s := range r.streams.Used() {
		require.Equal(r.t, perStream[s], s.bytes)
		if limit := r.config.StreamLimit; limit > 0 {
			all.overdraft += max(s.bytes-limit, 0)
		}
	}
	open := 0
	for _, n := range r.follow.slots {
		if n.set {
			open++
		}
	}
	require.Equal(r.t, open, r.follow.open)
	require.Equal(r.t, all, r.held)
	require.Equal(r.t, partial, r.partial)
	require.Equal(r.t, buffers, r.buffers.out, "buffers")
	require.LessOrEqual(r.t, r.Held(), r.config.Buffer+readers<<16)
}
