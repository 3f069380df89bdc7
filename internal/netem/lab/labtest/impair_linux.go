package labtest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/internal/netem"
)

// Impair gives the lab's loopback conditions in the notation of netem.Parse, until the test ends. Each packet meets them
// once.
func Impair(tb testing.TB, conditions string) {
	tb.Helper()
	const device = "lo"
	c, err := netem.Parse(conditions)
	require.NoError(tb, err)
	require.NoError(tb, c.Apply(device))
	tb.Cleanup(func() { require.NoError(tb, netem.Conditions{}.Apply(device)) })
}
