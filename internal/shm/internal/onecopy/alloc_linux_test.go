//go:build !race

package onecopy

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReadAllocatesNothing(t *testing.T) {
	p := startPeer(t)
	dst := make([]byte, 4096)
	require.Zero(t, testing.AllocsPerRun(100, func() {
		if _, err := p.Read(dst, p.memory); err != nil {
			panic(err)
		}
	}))
}

func TestPinsAreUsedAgainWithoutAllocation(t *testing.T) {
	p, b := new(Pin), make([]byte, 64)
	require.Zero(t, testing.AllocsPerRun(100, func() {
		p.Announce(b)
		p.Release()
	}))
}
