package freelist

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestAnEmptyListHasNothingToGive(t *testing.T) {
	var l List[int]
	assert.Nil(t, l.Get())
}

func TestWhatWasPutInLastComesFirst(t *testing.T) {
	var l List[int]
	a, b := new(int), new(int)
	assert.True(t, l.Put(a, 2))
	assert.True(t, l.Put(b, 2))
	assert.Same(t, b, l.Get())
	assert.Same(t, a, l.Get())
	assert.Nil(t, l.Get())
}

func TestAFullListKeepsNothingMore(t *testing.T) {
	var l List[int]
	a := new(int)
	assert.True(t, l.Put(a, 1))
	assert.False(t, l.Put(new(int), 1))
	assert.Same(t, a, l.Get())
}

func TestAListThatHasGrownDoesNotAllocate(t *testing.T) {
	var l List[int]
	v := new(int)
	l.Put(v, 1)
	assert.Zero(t, testing.AllocsPerRun(100, func() { l.Put(l.Get(), 1) }))
}

func TestTakeMakesAValueIfThereIsNone(t *testing.T) {
	var l List[int]
	a := l.Take()
	assert.NotNil(t, a)
	l.Put(a, 1)
	assert.Same(t, a, l.Take())
}
