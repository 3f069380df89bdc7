package info_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/info"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

func TestKeysStayInOrder(t *testing.T) {
	var i info.Info
	for _, k := range []string{"b", "a", "c", "a"} {
		require.NoError(t, i.Set("op", k, k+k))
	}
	d := i.Dup()
	require.NoError(t, i.Delete("op", "b"))
	assert.Equal(t, []string{"a", "c"}, i.Keys())
	assert.Equal(t, []string{"b", "a", "c"}, d.Keys())
	v, ok := d.Get("a")
	assert.True(t, ok)
	assert.Equal(t, "aa", v)
	_, ok = i.Get("b")
	assert.False(t, ok)
}

func TestErrorsNameTheLimit(t *testing.T) {
	var i info.Info
	assert.EqualError(t, i.Set("op", "", "x"), "op: invalid argument: a key of 0 bytes; there must be 1 to 255")
	assert.ErrorIs(t, i.Set("op", strings.Repeat("k", 256), "x"), rpi.ErrArg)
	assert.ErrorIs(t, i.Set("op", "k", strings.Repeat("v", 1024)), rpi.ErrArg)
	assert.EqualError(t, i.Delete("op", "k"), `op: invalid argument: there is no key "k"`)
	assert.ErrorIs(t, (*info.Info)(nil).Set("op", "k", "v"), rpi.ErrArg)
	assert.Empty(t, (*info.Info)(nil).Keys())
	assert.Empty(t, (*info.Info)(nil).Dup().Keys())
}
