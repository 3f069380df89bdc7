//go:build !race

package meeting

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRingingAllocatesNothing(t *testing.T) {
	d := doorbell(t)
	require.Zero(t, testing.AllocsPerRun(100, func() {
		if d.Ring() != nil || d.clear() != nil {
			panic("the doorbell is broken")
		}
	}))
}
