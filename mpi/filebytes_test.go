package mpi_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// Each rank writes its line of a file by package fmt, and reads all of them by package io.
func ExampleFile_Bytes() {
	folder, err := os.MkdirTemp("", "mpi")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	err = mpi.RunLocal(3, func(world *mpi.Comm) error {
		f := mpi.Must1(mpi.OpenFile(world, filepath.Join(folder, "lines"), mpi.ReadWrite|mpi.Create, nil))
		const length = len("rank 0\n")
		mpi.Must1(fmt.Fprintf(io.NewOffsetWriter(f.Bytes(), int64(length*world.Rank())), "rank %d\n", world.Rank()))
		mpi.Must(world.Barrier())
		if world.Rank() == 0 {
			mpi.Must1(io.Copy(os.Stdout, io.NewSectionReader(f.Bytes(), 0, mpi.Must1(f.Size()))))
		}
		return f.Close()
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// rank 0
	// rank 1
	// rank 2
}

// FileBytes keep the contracts of io.ReaderAt and io.WriterAt, within views of bytes.
func TestFileBytes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	require.NoError(t, mpi.RunLocal(1, func(world *mpi.Comm) error {
		f := mpi.Must1(mpi.OpenFile(world, path, mpi.ReadWrite|mpi.Create, nil))
		n, err := f.Bytes().WriteAt([]byte("0123456789"), 0)
		require.NoError(t, err)
		require.Equal(t, 10, n)
		require.NoError(t, iotest.TestReader(io.NewSectionReader(f.Bytes(), 2, 8), []byte("23456789")))
		buffer := make([]byte, 4)
		n, err = f.Bytes().ReadAt(buffer, 8)
		require.Equal(t, 2, n)
		require.Equal(t, io.EOF, err)
		_, err = f.Bytes().ReadAt(buffer, -1)
		require.ErrorIs(t, err, mpi.ErrArg)
		mpi.Must(f.SetView(mpi.ViewStrided[byte](1, 1, 2))) // 1, 3, 5, 7, 9
		n, err = f.Bytes().ReadAt(buffer, 1)
		require.NoError(t, err)
		require.Equal(t, "3579", string(buffer[:n]))
		mpi.Must(f.SetView(mpi.ViewOf[int32](0)))
		_, err = f.Bytes().ReadAt(buffer, 0)
		require.EqualError(t, err, "mpi.FileBytes.ReadAt: invalid argument: the view of the file has elements of 4 bytes; set one of bytes, as FileView{} is")
		_, err = f.Bytes().WriteAt(buffer, 0)
		require.ErrorIs(t, err, mpi.ErrArg)
		return f.Close()
	}))
}
