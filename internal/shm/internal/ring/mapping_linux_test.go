package ring

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

var twoMappings = []mapping{{"two mappings", func(t *testing.T, size int) (writing, reading []byte) {
	file := memfd(t, size)
	defer file.Close()
	return mapped(t, file, size), mapped(t, file, size)
}}}

// memfd makes a file in memory.
func memfd(t testing.TB, size int) *os.File {
	t.Helper()
	fd, err := unix.MemfdCreate("ring", unix.MFD_CLOEXEC)
	require.NoError(t, err)
	file := os.NewFile(uintptr(fd), "ring")
	require.NoError(t, file.Truncate(int64(size)))
	return file
}

// mapped maps a file until the test ends.
func mapped(t testing.TB, file *os.File, size int) []byte {
	t.Helper()
	mem, err := unix.Mmap(int(file.Fd()), 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, unix.Munmap(mem)) })
	return mem[:size:size]
}

// peerMemory maps what the peer has been given by the process that started it.
func peerMemory() ([]byte, error) {
	return unix.Mmap(3, 0, bothSize, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
}
