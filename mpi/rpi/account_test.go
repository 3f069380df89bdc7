package rpi

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAccount(t *testing.T) {
	var none *Account
	require.NoError(t, none.Add(1<<40))
	none.Remove(1 << 40)

	var a Account
	require.NoError(t, a.Add(1000))
	a.Limit(1500)
	require.ErrorIs(t, a.Add(500), ErrBuffer)
	require.NoError(t, a.Add(500-2*BufferedOverhead))
	require.EqualError(t, a.Add(0), "invalid buffer: buffered messages take 1500 bytes, 0 more, and 64 for each, would exceed the limit of 1500")
	var flush Request
	a.Flush(&flush)
	a.Remove(1000)
	require.False(t, flush.Completed())
	a.Remove(500 - 2*BufferedOverhead)
	require.True(t, flush.Completed())
	var idle Request
	a.Flush(&idle)
	require.True(t, idle.Completed())
	a.Limit(0)
	require.ErrorIs(t, a.Add(0), ErrBuffer)
	a.Limit(-1)
	require.NoError(t, a.Add(1<<20))
}
