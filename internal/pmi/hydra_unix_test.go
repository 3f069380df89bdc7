//go:build unix

package pmi

import (
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDeadRanksOfHydra(t *testing.T) {
	for list, want := range map[string][]int{
		"": nil, "3": {3}, "1,0,2": {1, 0, 2}, "4-6,1": {4, 5, 6, 1}, "x,-1,2-,7": {7}, "9,10,8-100": {9, 8}, "5-3": nil,
	} {
		require.Equal(t, want, parseDead(list, 10), list)
	}
}

// Hydra sends a signal, and has the list for those that ask.
func TestHydraTellsOfDeathsByASignal(t *testing.T) {
	t.Setenv(hydraVariable, "4")
	against(t, []string{
		"> cmd=get kvsname=k key=PMI_dead_processes", "< cmd=get_result rc=0 value=1",
		"> cmd=get kvsname=k key=PMI_dead_processes", "< cmd=get_result rc=0 value=1,3",
		"> cmd=finalize", "< cmd=finalize_ack",
	}, func(c *Client) {
		c.size = 4
		deaths := deathsOf(t, c)
		self, err := os.FindProcess(os.Getpid())
		require.NoError(t, err)
		for _, rank := range []int{1, 3} {
			require.NoError(t, self.Signal(syscall.SIGUSR1))
			require.Equal(t, rank, <-deaths)
		}
		require.NoError(t, c.Finalize(t.Context()))
	})
}
