package rpi

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/matching"
)

func TestPartingErrorNamesThePeers(t *testing.T) {
	for text, peers := range map[string][]matching.Rank{
		"rank 3 of the job has not said that it is done":                                      {3},
		"ranks 3 and 5 of the job have not said that they are done":                           {3, 5},
		"ranks 1, 2, 3, 4, 5, 6, 7, 8 and 2 more of the job have not said that they are done": {1, 2, 3, 4, 5, 6, 7, 8, 9, 10},
	} {
		require.EqualError(t, &PartingError{Peers: peers}, text)
	}
}
