//go:build unix

package pmi

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzDead reads what a launcher says of the ranks that have died: each is named once, however long the list is.
func FuzzDead(f *testing.F) {
	f.Add("1,4-6", 10)
	f.Add("0-99999999999999999999,-1,3-", 4)
	f.Add("0-9,0-9,0-9", 10)
	f.Fuzz(func(t *testing.T, list string, size int) {
		size = max(0, min(size, 1000))
		seen := make(map[int]bool)
		for _, rank := range parseDead(list, size) {
			require.True(t, 0 <= rank && rank < size)
			require.False(t, seen[rank])
			seen[rank] = true
		}
	})
}
