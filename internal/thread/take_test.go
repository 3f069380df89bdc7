package thread

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestOneProcessorIsLeftToOthers(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	assert.True(t, Take())
	assert.True(t, Take())
	assert.False(t, Take())
	Give()
	assert.True(t, Take())
	Give()
	Give()
	assert.Zero(t, kept.Load())
	runtime.GOMAXPROCS(1)
	assert.False(t, Take())
}

func TestInACrowdNoThreadIsKept(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	Crowd(2)
	assert.True(t, Take())
	Give()
	Crowd(1)
	assert.False(t, Take())
	Crowd(-1)
	assert.True(t, Take())
	Give()
	Crowd(-2)
	assert.Zero(t, crowd.Load())
	assert.Zero(t, kept.Load())
}
