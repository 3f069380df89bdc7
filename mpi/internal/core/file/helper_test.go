package file

import (
	"path/filepath"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
)

// of is the memory of a slice of a basic kind.
func of[T any](kind datatype.Kind, elements []T) Memory {
	return Memory{Addr: unsafe.Pointer(unsafe.SliceData(elements)), Count: int64(len(elements)), Type: datatype.Basic(kind)}
}

func text(b []byte) Memory { return of(datatype.Byte, b) }

// opened runs fn as n ranks that have a new file open.
func opened(t *testing.T, n int, fn func(t *testing.T, f *File)) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	ranks(t, n, func(t *testing.T, comm Comm) {
		f, err := Open(comm, path, ReadWrite|Create, nil)
		if assert.NoError(t, err) {
			fn(t, f)
			assert.NoError(t, f.Close())
		}
	})
}

// meet waits for all ranks.
func meet(t *testing.T, f *File) {
	t.Helper()
	_, err := agree(f.comm, callSync, nil)
	assert.NoError(t, err)
}

// write and read are accesses that must succeed, and read all bytes.
func write(t *testing.T, f *File, a Access, offset int64, data string) {
	t.Helper()
	a.Write = true
	n, err := f.Access(a, offset, text([]byte(data)))
	assert.NoError(t, err)
	assert.EqualValues(t, len(data), n)
}

func read(t *testing.T, f *File, a Access, offset int64, n int) string {
	t.Helper()
	b := make([]byte, n)
	got, err := f.Access(a, offset, text(b))
	assert.NoError(t, err)
	return string(b[:got])
}
