package attribute_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/attribute"
)

// TestDeletedInReverse shows the order of deletion, which MPI demands of MPI_COMM_SELF at Finalize.
func TestDeletedInReverse(t *testing.T) {
	var s attribute.Set
	var deleted []string
	k := func() *attribute.Key {
		return attribute.NewKey(nil, func(object, value any) error {
			deleted = append(deleted, fmt.Sprint(object, value))
			return nil
		})
	}
	a, b, c := k(), k(), k()
	require.NoError(t, s.Put("o", a, 1))
	require.NoError(t, s.Put("o", b, 2))
	require.NoError(t, s.Put("o", c, 3))
	require.NoError(t, s.Put("o", a, 4), "replaces 1, and is the last one now")
	require.NoError(t, s.Clear("o"))
	assert.Equal(t, []string{"o1", "o4", "o3", "o2"}, deleted)
	_, ok := s.Get(a)
	assert.False(t, ok)
	assert.ErrorIs(t, s.Delete("o", a), attribute.ErrNone)
}

func TestCopiesAreUpToTheKey(t *testing.T) {
	var s, duplicate attribute.Set
	none := attribute.NewKey(nil, nil)
	refuses := attribute.NewKey(func(_, _ any) (any, bool, error) { return nil, false, nil }, nil)
	doubles := attribute.NewKey(func(_, v any) (any, bool, error) { return 2 * v.(int), true, nil }, nil)
	for _, k := range []*attribute.Key{none, refuses, doubles} {
		require.NoError(t, s.Put("o", k, 21))
	}
	require.True(t, doubles.Free())
	require.False(t, doubles.Free())
	require.NoError(t, s.CopyTo("o", &duplicate), "also of keys that are freed")
	for k, want := range map[*attribute.Key]any{none: nil, refuses: nil, doubles: 42} {
		v, ok := duplicate.Get(k)
		assert.Equal(t, want, v)
		assert.Equal(t, want != nil, ok)
	}
}

func TestErrorsOfTheProgram(t *testing.T) {
	failure := errors.New("no")
	var s, duplicate attribute.Set
	k := attribute.NewKey(func(_, _ any) (any, bool, error) { return nil, false, failure }, func(_, _ any) error { return failure })
	require.NoError(t, s.Put("o", k, 1))
	assert.ErrorIs(t, s.CopyTo("o", &duplicate), failure)
	assert.ErrorIs(t, s.Delete("o", k), failure)
	assert.ErrorIs(t, s.Put("o", k, 2), failure)
	assert.ErrorIs(t, s.Clear("o"), failure)
	v, ok := s.Get(k)
	assert.True(t, ok)
	assert.Equal(t, 1, v)
}

// TestFunctionsThatDelete has functions that delete values delete more: what they delete is deleted once.
func TestFunctionsThatDelete(t *testing.T) {
	var s attribute.Set
	var first, second, last *attribute.Key
	calls := map[*attribute.Key]int{}
	first = attribute.NewKey(nil, func(_, _ any) error { calls[first]++; return nil })
	second = attribute.NewKey(nil, func(object, value any) error {
		calls[second]++
		v, ok := s.Get(second)
		assert.True(t, ok, "it is still there")
		assert.Equal(t, value, v)
		assert.ErrorIs(t, s.Delete(object, second), attribute.ErrDeleting)
		assert.ErrorIs(t, s.Put(object, second, 9), attribute.ErrDeleting)
		assert.ErrorIs(t, s.Clear(object), attribute.ErrDeleting)
		return nil
	})
	last = attribute.NewKey(nil, func(object, _ any) error { calls[last]++; return s.Delete(object, first) })
	for _, k := range []*attribute.Key{first, second, last} {
		require.NoError(t, s.Put("o", k, 1))
	}
	require.NoError(t, s.Clear("o"))
	assert.Equal(t, map[*attribute.Key]int{first: 1, second: 1, last: 1}, calls)
}
