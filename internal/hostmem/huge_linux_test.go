package hostmem

import (
	"fmt"
	"os"
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

// A short piece does not take the memory of a huge page.
func TestShortHugeMemoryTakesWhatItHas(t *testing.T) {
	resident := func() (pages int) {
		text, err := os.ReadFile("/proc/self/statm")
		require.NoError(t, err)
		_, err = fmt.Sscan(string(text), new(int), &pages)
		require.NoError(t, err)
		return pages
	}
	const pieces, size = 64, 4096
	before := resident()
	for range pieces {
		base, err := Huge(size)
		require.NoError(t, err)
		defer FreeHuge(base)
		*(*byte)(base) = 1
	}
	assert.Less(t, (resident()-before)*os.Getpagesize(), pieces*hugePage/2)
}

func TestHugeMemoryThatIsNotThere(t *testing.T) {
	_, err := Huge(1 << 50)
	require.ErrorContains(t, err, "cannot allocate memory")
}
