package rpi

import (
	"bytes"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

func TestTouchMeetsTheFault(t *testing.T) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	memory, err := unix.Mmap(-1, 0, 4*pageSize, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	require.NoError(t, err)
	defer unix.Munmap(memory)
	copy(memory, bytes.Repeat([]byte{7}, len(memory)))
	TouchToRead(nil)
	TouchToWrite(nil)
	TouchToRead(memory)
	TouchToWrite(memory)
	assert.Equal(t, len(memory), bytes.Count(memory, []byte{7}), "what was there stays")

	last := memory[3*pageSize:]
	require.NoError(t, unix.Mprotect(last, unix.PROT_READ))
	part := memory[100 : 3*pageSize+10] // whose last page has no byte at a whole number of pages
	TouchToRead(part)
	assert.Panics(t, func() { TouchToWrite(part) })
	require.NoError(t, unix.Mprotect(last, unix.PROT_NONE))
	assert.Panics(t, func() { TouchToRead(part) })
}
