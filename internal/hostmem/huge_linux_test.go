package hostmem

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestHugeMemory(t *testing.T) {
	for _, size := range []int{1, 4096, hugePage, 5*hugePage + 3} {
		base, err := Huge(size)
		require.NoError(t, err)
		memory := unsafe.Slice((*byte)(base), size)
		assert.Zero(t, uintptr(base)%hugePage, "it begins with a huge page")
		assert.Equal(t, make([]byte, size), memory)
		memory[0], memory[size-1] = 1, 2
		assert.False(t, FreeHuge(unsafe.Add(base, 1)), "no memory begins there")
		assert.True(t, FreeHuge(base))
		assert.False(t, FreeHuge(base), "it has been given back")
	}
}

func TestHugeMemoryThatIsNotThere(t *testing.T) {
	_, err := Huge(1 << 50)
	require.ErrorContains(t, err, "cannot allocate memory")
}
