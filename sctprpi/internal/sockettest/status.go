package sockettest

import (
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

var statusTests = []test{
	{rule: "Status of an idle association", run: func(s *suite) {
		a, b := s.pair(socket.Config{}, socket.Config{})
		for _, end := range []*assoc{a, b} {
			st := end.status()
			assert.True(s, st.Established)
			assert.Zero(s, st.Queued+st.Outstanding+st.Held)
			assert.Positive(s, st.PeerWindow)
			assert.Zero(s, st.BytesSent+st.BytesReceived)
			require.Len(s, st.Paths, 1)
			path := st.Paths[0]
			assert.Equal(s, end.upAddr, path.Addr)
			assert.True(s, path.Primary)
			assert.True(s, path.Up)
			assert.GreaterOrEqual(s, path.MTU, 500)
			assert.Positive(s, path.Window)
			assert.Zero(s, path.Flight)
			assert.Positive(s, path.RTO)
		}
	}},
	{rule: "before Up an association is not established", needs: []need{silence}, run: func(s *suite) {
		a := s.open(hasty).connect(s.missingPeer()...)
		_, sent := a.send(numbered(0, 0, 1000).copied())
		if st, err := a.e.Status(a.id); err == nil { // or it is over already
			require.NoError(s, sent)
			assert.False(s, st.Established)
			assert.Equal(s, 1000, st.Queued)
		}
		a.untilEnd()
	}},
	{rule: "counters count what has been sent and received", run: func(s *suite) {
		a, b := s.pair(socket.Config{}, socket.Config{})
		there, back := series(0, 100, 3000), series(1, 50, 700)
		s.exchange(a, b, loans(there), loans(back))
		for _, end := range []*assoc{a, b} {
			st := end.status()
			assert.Zero(s, st.Queued+st.Held)
			assert.Positive(s, st.PacketsSent)
			assert.Positive(s, st.PacketsReceived)
			assert.GreaterOrEqual(s, st.ChunksSent, uint64(50))
			assert.GreaterOrEqual(s, st.ChunksReceived, uint64(50))
			assert.LessOrEqual(s, st.Retransmissions, st.ChunksSent)
		}
		assert.EqualValues(s, 100*3000, b.status().BytesReceived)
		assert.EqualValues(s, 50*700, a.status().BytesReceived)
		if s.features.ZeroCopy { // all has been acknowledged, then
			assert.EqualValues(s, 100*3000, a.status().BytesSent)
			assert.EqualValues(s, 50*700, b.status().BytesSent)
		}
	}},
	{rule: "Status tells where unread data is", run: func(s *suite) {
		a, b := s.pair(socket.Config{}, narrow)
		const total = 100 * (10 << 10)
		a.mustSend(copies(series(0, 100, 10<<10))...)
		st := a.status()
		assert.Positive(s, st.Queued+st.Outstanding)
		assert.LessOrEqual(s, st.Queued+st.Outstanding, total)
		b.e.wait() // for the first of it
		assert.Positive(s, b.status().Held)
		b.untilReceived(100)
		assert.Zero(s, b.status().Held)
	}},
}

func (a *assoc) status() socket.Status {
	a.e.s.Helper()
	st, err := a.e.Status(a.id)
	require.NoError(a.e.s, err)
	return st
}
