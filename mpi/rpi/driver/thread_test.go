package driver

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestOneProcessorIsLeftToOthers(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	assert.True(t, takeThread())
	assert.True(t, takeThread())
	assert.False(t, takeThread())
	giveThread()
	assert.True(t, takeThread())
	giveThread()
	giveThread()
	assert.Zero(t, kept.Load())
	runtime.GOMAXPROCS(1)
	assert.False(t, takeThread())
}

func TestWithManyRanksNoThreadIsKept(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	AddRanks(2)
	assert.True(t, takeThread())
	giveThread()
	AddRanks(1)
	assert.False(t, takeThread())
	AddRanks(-1)
	assert.True(t, takeThread())
	giveThread()
	AddRanks(-2)
	assert.Zero(t, ranks.Load())
	assert.Zero(t, kept.Load())
}
