package rx

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCloseReleasesAll(t *testing.T) {
	for _, option := range []func(*Config){partial, wholeOnly} {
		r := newRig(t, option)
		require.NoError(t, r.data(B|E, 0, 1, 0, "ready"))
		require.NoError(t, r.data(B, 1, 1, 1, "begun"))
		require.NoError(t, r.data(B|E, 4, 1, 3, "waiting"))
		require.NoError(t, r.data(0, 6, 1, 4, "in part"))
		require.NoError(t, r.data(B|U, 8, 2, 0, "loose"))
		require.NoError(t, r.data(U, 10, 2, 0, "later"))
		r.Close()
		r.requireEmpty()
	}
	r := newRig(t, interleaving)
	require.NoError(t, r.idata(B|U, 8, 2, 0, "begun"))
	require.NoError(t, r.idata(E|U, 8, 3, 10, "later"))
	r.Close()
	r.requireEmpty()
}
