package handle_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/cabi/internal/handle"
)

func TestHandlesAreInts(t *testing.T) {
	ints := handle.NewTable[int](handle.Keyval)
	for i := range 3 {
		h := ints.Add(&i)
		assert.GreaterOrEqual(t, h, handle.First)
		assert.Positive(t, int32(h))
		assert.Equal(t, &i, ints.Get(h))
	}
}

func TestWrongHandlesHaveNoObject(t *testing.T) {
	comms, requests := handle.NewTable[int](handle.Comm), handle.NewTable[int](handle.Request)
	n := 1
	c, r := comms.Add(&n), requests.Add(&n)
	for _, h := range []handle.Handle{0, 1, 0x101, c + 1, c + handle.Limit, r, 1 << 31, ^handle.Handle(0)} {
		assert.Nil(t, comms.Get(h), "%#x", h)
		assert.Nil(t, comms.Remove(h), "%#x", h)
	}
}

// A freed handle is found out though its place is used again, until that has happened as often as there are generations.
func TestFreedHandles(t *testing.T) {
	table := handle.NewTable[int](handle.Request)
	n := 1
	first := table.Add(&n)
	assert.Same(t, &n, table.Remove(first))
	for range 127 {
		assert.Nil(t, table.Get(first))
		assert.Nil(t, table.Remove(first))
		h := table.Add(&n)
		assert.NotEqual(t, first, h)
		table.Remove(h)
	}
	assert.Equal(t, first, table.Add(&n))
}

func TestLimit(t *testing.T) {
	table := handle.NewTable[int](handle.Request)
	n := 1
	var last handle.Handle
	for range handle.Limit {
		last = table.Add(&n)
	}
	require.NotZero(t, last)
	assert.Zero(t, table.Add(&n))
	table.Remove(last)
	assert.NotZero(t, table.Add(&n))
	assert.Zero(t, table.Add(&n))
}

// A handle can be had before its object is made, so that it is known that there is one.
func TestReservedHandles(t *testing.T) {
	table := handle.NewTable[int](handle.Request)
	n := 1
	h := table.Reserve()
	assert.Nil(t, table.Get(h))
	assert.Nil(t, table.Remove(h))
	table.Put(h, &n)
	assert.Same(t, &n, table.Get(h))
	table.Remove(h)

	h = table.Reserve()
	table.GiveBack(h)
	assert.Nil(t, table.Get(h))
	assert.Equal(t, h, table.Reserve(), "it can be had again")
	for range handle.Limit - 1 {
		require.NotZero(t, table.Reserve())
	}
	assert.Zero(t, table.Reserve())
	table.GiveBack(h)
	assert.NotZero(t, table.Reserve())
}

// Threads that add and remove at the same time have objects of their own.
func TestThreads(t *testing.T) {
	table := handle.NewTable[int](handle.Request)
	var all sync.WaitGroup
	for thread := range 4 {
		all.Go(func() {
			var mine [8]handle.Handle
			for i := range 2000 {
				at := &mine[i%len(mine)]
				if *at != 0 {
					assert.Equal(t, thread, *table.Remove(*at))
				}
				*at = table.Add(&thread)
				assert.Equal(t, thread, *table.Get(*at))
			}
		})
	}
	all.Wait()
}

func TestNothingIsAllocated(t *testing.T) {
	table := handle.NewTable[int](handle.Request)
	n := 1
	table.Remove(table.Add(&n))
	assert.Zero(t, testing.AllocsPerRun(100, func() { table.Remove(table.Add(&n)) }))
}
