package startup

import (
	"context"
	"testing"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
	"github.com/stretchr/testify/require"
)

// PMI_process_mapping is (vector,(first node, nodes, ranks on each),…).
func TestHostsByTheProcessMapping(t *testing.T) {
	for mapping, hosts := range map[string][]int32{
		"(vector,(0,1,4))":                {0, 0, 0, 0},
		"(vector, (0, 1, 4))":             {0, 0, 0, 0},
		"(vector,(3,1,2),(3,1,2))":        {3, 3, 3, 3},
		"(vector,(0,2,2))":                {0, 0, 1, 1},
		"(vector,(0,4,1))":                {0, 1, 2, 3},
		"(vector,(0,2,1))":                {0, 1, 0, 1},
		"(vector,(5,1,1),(1,1,3))":        {5, 1, 1, 1},
		"(vector,(0,1,1000000))":          {0, 0, 0, 0},
		"":                                nil,
		"(vector,)":                       nil,
		"(vector,())":                     nil,
		"(vector,(0,1))":                  nil,
		"(vector,(0,1,2),(0,1))":          nil,
		"(vector,(0,1,2),(0,":             nil,
		"(vector,(0,0,2))":                nil,
		"(vector,(0,1,0))":                nil,
		"(vector,(-1,1,4))":               nil,
		"(vector,(0,1,4000000000000000))": nil,
		"(list,(0,1,4))":                  nil,
	} {
		require.Equal(t, hosts, mappedHosts(mapping, 4), mapping)
	}
}

// counting is a launcher that counts questions.
type counting struct {
	alone
	size, questions int
}

func (c *counting) Size() int { return c.size }

func (c *counting) Hosts(context.Context) []int32 {
	c.questions++
	return nil
}

// mpirun has said it already.
func TestHostsOfMpirunTakeNoQuestion(t *testing.T) {
	t.Setenv(rpi.EnvLocalSize, "3")
	l := &counting{size: 3}
	require.True(t, OneHost(Hosts(t.Context(), l)))
	require.Zero(t, l.questions)
	l.size = 4
	require.False(t, OneHost(Hosts(t.Context(), l)))
	require.Equal(t, 1, l.questions)
}
