package core

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/group"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// watchful is a transport that suspects ranks.
type watchful struct {
	rpi.Transport
	suspects []matching.Rank
}

func (w watchful) Suspected() []matching.Rank { return w.suspects }

// A communicator knows of those suspected ranks that are its own, or those of the other group; SCTPMPI_TRACE changes nothing.
func TestGetSuspectedIsOfTheCommunicator(t *testing.T) {
	own, other := group.Of([]matching.Rank{5, 3, 0}), group.Of([]matching.Rank{2, 6})
	for _, test := range []struct {
		transport rpi.Transport
		want      []int // in the job
	}{
		{watchful{suspects: []matching.Rank{1, 3, 4, 5, 6}}, []int{3, 5, 6}},
		{&traced{Transport: watchful{suspects: []matching.Rank{3}}}, []int{3}},
		{watchful{}, []int{}},
		{struct{ rpi.Transport }{}, []int{}}, // one that does not tell
	} {
		c := &Comm{process: &process{transport: test.transport}, group: own, peers: other}
		c.state.Store(ready)
		view := c.View(t.Context())
		g, err := view.GetSuspected("MPIX")
		require.NoError(t, err)
		got := []int{}
		for i := range g.Size() {
			got = append(got, int(g.members().Member(i)))
		}
		require.Equal(t, test.want, got)
	}
	var null View
	_, err := null.GetSuspected("MPIX")
	require.ErrorIs(t, err, rpi.ErrComm)
}

// What a rank says of a job that hangs names them first.
func TestAReportNamesSuspectedRanks(t *testing.T) {
	p := &process{everyone: group.First(8)}
	require.Equal(t, "suspected: rank 3 of the job", p.beside(&rpi.Snapshot{}, []matching.Rank{3}))
	s := rpi.Snapshot{Unexpected: []rpi.Unexpected{{Context: worldContext, Source: 1, Tag: 7, Messages: 1}}}
	require.Equal(t, "suspected: ranks 1, 4-6 of the job; unexpected: tag 7 from 1", p.beside(&s, []matching.Rank{1, 4, 5, 6}))
	require.Empty(t, p.beside(&rpi.Snapshot{}, nil))
}
