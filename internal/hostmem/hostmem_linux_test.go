package hostmem

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

func TestMemoryIsSharedAndFixed(t *testing.T) {
	const size = 3*step + 5
	fd, memory, err := New("test", size)
	require.NoError(t, err)
	defer unix.Close(fd)
	defer Unmap(memory)
	require.Len(t, memory, size)
	other, err := Map(fd, size)
	require.NoError(t, err)
	defer Unmap(other)
	memory[size-1] = 7
	assert.EqualValues(t, 7, other[size-1])
	assert.ErrorIs(t, unix.Ftruncate(fd, 1), unix.EPERM)
	assert.ErrorIs(t, unix.Ftruncate(fd, 2*size), unix.EPERM)
	_, err = Map(fd, size+1)
	assert.ErrorIs(t, err, ErrUnfit)
}

func TestMoreThanTheHostHasIsRefused(t *testing.T) {
	_, _, err := New("test", math.MaxInt&^(step-1))
	assert.ErrorIs(t, err, ErrNoRoom)
}

// Others take memory while a file gets its own.
func TestMemoryThatRunsOutOnTheWay(t *testing.T) {
	fd, err := create("test")
	require.NoError(t, err)
	defer unix.Close(fd)
	const size = 4 * lookAfter
	looks := 0
	left := func() (int64, string) {
		looks++
		return int64(size - looks*lookAfter/2*3 + lookAfter/2*3), "a host" // half as much again goes to others
	}
	assert.EqualError(t, allocate(fd, size, left), "not enough memory left for 268435456 bytes of shared memory: a host has 234881024 bytes")
	assert.Equal(t, 2, looks)
	var stat unix.Stat_t
	require.NoError(t, unix.Fstat(fd, &stat))
	assert.EqualValues(t, lookAfter, stat.Blocks*512, "it goes on no further")
}
