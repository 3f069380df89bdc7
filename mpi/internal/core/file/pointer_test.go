package file

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Each record of a shared pointer goes to a place of its own, and all of them together are without gaps.
func TestSharedPointerGivesEachRankItsOwnPart(t *testing.T) {
	const n, each, size = 4, 50, 8
	path := filepath.Join(t.TempDir(), "file")
	ranks(t, n, func(t *testing.T, comm Comm) {
		f, err := Open(comm, path, WriteOnly|Create|Sequential, nil)
		if !assert.NoError(t, err) {
			return
		}
		record := strings.Repeat(string(rune('a'+comm.Rank())), size)
		for range each {
			write(t, f, Access{Pointer: Shared}, 0, record)
		}
		assert.NoError(t, f.Close())
	})
	file, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Len(t, file, n*each*size)
	records := make(map[string]int)
	for len(file) > 0 {
		records[string(file[:size])]++
		file = file[size:]
	}
	require.Equal(t, map[string]int{"aaaaaaaa": each, "bbbbbbbb": each, "cccccccc": each, "dddddddd": each}, records)
	left, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	require.Len(t, left, 1, "the hidden file of the pointer is gone")
}

func TestOrderedAccessesFollowTheRanks(t *testing.T) {
	opened(t, 3, func(t *testing.T, f *File) {
		a := Access{Pointer: Shared, Collective: true}
		mine := strings.Repeat(string(rune('a'+f.comm.Rank())), f.comm.Rank()+1)
		write(t, f, a, 0, mine)
		write(t, f, a, 0, mine)
		assert.Equal(t, "abbcccabbccc", read(t, f, Access{}, 0, 99))
		meet(t, f)
		assert.NoError(t, f.SeekShared(-6, io.SeekEnd))
		assert.Equal(t, mine, read(t, f, a, 0, len(mine)))
		at, err := f.PositionShared()
		assert.NoError(t, err)
		assert.EqualValues(t, 12, at)
	})
}

func TestRanksWithDifferentViewsHaveNoSharedPointer(t *testing.T) {
	opened(t, 2, func(t *testing.T, f *File) {
		bytes := datatype.Basic(datatype.Byte)
		assert.NoError(t, f.SetView(int64(f.comm.Rank()), bytes, bytes, Native))
		_, err := f.Access(Access{Pointer: Shared}, 0, text(make([]byte, 1)))
		assert.ErrorIs(t, err, rpi.ErrUnsupported)
		_, err = f.Access(Access{Pointer: Shared, Collective: true}, 0, text(make([]byte, 1)))
		assert.ErrorIs(t, err, rpi.ErrUnsupported)
	})
}

// Positions are in etypes of the view.
func TestSeek(t *testing.T) {
	opened(t, 1, func(t *testing.T, f *File) {
		assert.NoError(t, f.SetSize(100))
		number := datatype.Basic(datatype.Int32)
		every := made(datatype.Resized(number, 0, 16)) // of 7 numbers one ends behind the end of the file
		assert.NoError(t, f.SetView(2, number, every, Native))
		seek := func(offset int64, whence int) int64 {
			at, err := f.Seek(offset, whence)
			assert.NoError(t, err)
			return at
		}
		assert.EqualValues(t, 3, seek(3, io.SeekStart))
		assert.EqualValues(t, 5, seek(2, io.SeekCurrent))
		assert.EqualValues(t, 6, seek(-1, io.SeekEnd))
		at, err := f.ByteOffset(6)
		assert.NoError(t, err)
		assert.EqualValues(t, 98, at)
		n, err := f.Access(Access{Pointer: Individual}, 0, of(number.Kind(), make([]int32, 1)))
		assert.NoError(t, err)
		assert.EqualValues(t, 2, n, "two bytes of the last number are there")
		at, err = f.Position()
		assert.NoError(t, err)
		assert.EqualValues(t, 7, at)
		_, err = f.Seek(-8, io.SeekCurrent)
		assert.ErrorIs(t, err, rpi.ErrArg)
		_, err = f.Seek(0, 7)
		assert.ErrorIs(t, err, rpi.ErrArg)
	})
}

func TestAppendBeginsAtTheEnd(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(path, []byte("begin "), 0o600))
	ranks(t, 2, func(t *testing.T, comm Comm) {
		f, err := Open(comm, path, WriteOnly|Append, nil)
		if !assert.NoError(t, err) {
			return
		}
		at, err := f.Position()
		assert.NoError(t, err)
		assert.EqualValues(t, 6, at)
		write(t, f, Access{Pointer: Shared, Collective: true}, 0, string(rune('a'+comm.Rank())))
		assert.NoError(t, f.Close())
	})
	file, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "begin ab", string(file))
}

// A sequential file is seen from where the shared pointer is.
func TestViewOfSequentialFileBeginsAtTheCurrentPlace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(path, []byte("abcdef"), 0o600))
	ranks(t, 2, func(t *testing.T, comm Comm) {
		f, err := Open(comm, path, ReadOnly|Sequential, nil)
		if !assert.NoError(t, err) {
			return
		}
		ordered := Access{Pointer: Shared, Collective: true}
		assert.Equal(t, "abcdef"[comm.Rank():comm.Rank()+1], read(t, f, ordered, 0, 1))
		bytes := datatype.Basic(datatype.Byte)
		assert.ErrorIs(t, f.SetView(0, bytes, bytes, Native), rpi.ErrArg)
		assert.NoError(t, f.SetView(Current, bytes, bytes, Native))
		assert.Equal(t, "cdef"[comm.Rank():comm.Rank()+1], read(t, f, ordered, 0, 1))
		_, err = f.Access(Access{}, 0, text(make([]byte, 1)))
		assert.ErrorIs(t, err, rpi.ErrUnsupported)
		assert.NoError(t, f.Close())
	})
}

// The hidden file of the pointer cannot be made in every folder.
func TestSharedPointerNeedsAFolderToWriteTo(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may write to every folder")
	}
	folder := t.TempDir()
	path := filepath.Join(folder, "file")
	require.NoError(t, os.WriteFile(path, []byte("abc"), 0o600))
	require.NoError(t, os.Chmod(folder, 0o500))
	t.Cleanup(func() { require.NoError(t, os.Chmod(folder, 0o700)) }) // so that it can be removed
	ranks(t, 2, func(t *testing.T, comm Comm) {
		f, err := Open(comm, path, ReadOnly, nil)
		if !assert.NoError(t, err) {
			return
		}
		_, err = f.Access(Access{Pointer: Shared, Collective: true}, 0, text(make([]byte, 1)))
		assert.ErrorIs(t, err, rpi.ErrAccess)
		assert.ErrorContains(t, err, "the file of the shared pointer")
		assert.NoError(t, f.Close())
	})
}
