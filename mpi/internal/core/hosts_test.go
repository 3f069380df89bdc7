package core

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/group"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/schedule"
)

// Algorithms of two levels are for communicators with several hosts, of which one has several ranks.
func TestHostsOfCommunicators(t *testing.T) {
	p := &process{size: 6, hosts: []int32{0, 0, 4, 4, 4, 7}}
	for _, c := range []struct {
		group     []matching.Rank
		hosts     []int32
		twoLevels bool
	}{
		{group: []matching.Rank{0, 1, 2, 3, 4, 5}, hosts: p.hosts, twoLevels: true},
		{group: []matching.Rank{5, 2, 3}, hosts: []int32{7, 4, 4}, twoLevels: true},
		{group: []matching.Rank{4, 2, 3}, hosts: []int32{4, 4, 4}},
		{group: []matching.Rank{0, 2, 5}, hosts: []int32{0, 4, 7}},
		{group: []matching.Rank{3}, hosts: []int32{4}},
	} {
		comm := &Comm{process: p, group: group.Of(c.group)}
		require.Equal(t, c.hosts, comm.hosts())
		require.Equal(t, c.twoLevels, comm.ranks().Hosts != nil, c.group)
	}
	unknown := &Comm{process: &process{size: 6}, group: group.First(6)}
	require.Nil(t, unknown.hosts())
	require.Nil(t, unknown.ranks().Hosts)
}

// Reductions group by hosts only where that cannot be seen, unless the user allows more.
func TestReductionsGroupByHosts(t *testing.T) {
	rounded, exact := schedule.Op{Commutes: true}, schedule.Op{Commutes: true, Exact: true}
	c := &Comm{process: &process{}}
	require.Equal(t, rounded, c.grouping(Op{Op: rounded}))
	require.Equal(t, exact, c.grouping(Op{Op: exact}))
	c.process.regroups = true
	require.Equal(t, exact, c.grouping(Op{Op: rounded}))
}
