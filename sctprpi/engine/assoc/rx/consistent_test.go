package rx

import "github.com/stretchr/testify/require"

// requireConsistent counts everything again, the slow way, and compares.
func (r *rig) requireConsistent() {
	r.t.Helper()
	var all account
	buffers, partial := 0, 0
	perStream := map[*stream]int{}
	one := func(f *fragment) {
		all.bytes += len(f.payload)
		all.chunks++
		perStream[f.stream] += len(f.payload)
		if f.buffer != nil {
			buffers++
		}
	}
	list := func(l fragmentList) {
		for f := l.head; f != nil; f = f.next {
			one(f)
		}
	}
	message := func(m *message) {
		list(m.prefix)
		for i, f := range m.later {
			one(f)
			require.True(r.t, i == 0 || before(m.later[i-1].pos, f.pos) < 0)
		}
	}
	ring := map[*stream]bool{}
	for s := r.ready.head; s != nil && !ring[s]; s = s.succ {
		ring[s] = true
		require.Same(r.t, s, s.succ.prev)
	}
	for _, s := range r.streams {
		if s == nil {
			continue
		}
		require.Equal(r.t, !s.ready.empty(), ring[s])
		list(s.ready)
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
	for i, m := range r.loose.messages {
		message(m)
		require.True(r.t, i == 0 || before(r.loose.messages[i-1].next, m.next) < 0)
	}
	partial += len(r.loose.messages)
	for _, f := range r.loose.fragments {
		one(f)
	}
	for _, s := range r.streams {
		if s != nil {
			require.Equal(r.t, perStream[s], s.bytes)
			if limit := r.config.StreamLimit; limit > 0 {
				all.overdraft += max(s.bytes-limit, 0)
			}
		}
	}
	require.Equal(r.t, all, r.held)
	require.Equal(r.t, partial, r.partial)
	require.Equal(r.t, buffers, r.buffers.out, "buffers")
	require.LessOrEqual(r.t, r.Held(), r.config.Buffer+1<<16)
}
