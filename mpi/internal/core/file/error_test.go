package file

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// All ranks get the error of a file that cannot be opened, and one that says what was wrong.
func TestOpenFailsOnAllRanks(t *testing.T) {
	there := filepath.Join(t.TempDir(), "there")
	require.NoError(t, os.WriteFile(there, nil, 0o600))
	missing := filepath.Join(t.TempDir(), "missing")
	for name, c := range map[string]struct {
		path  string
		mode  func(rank int) Mode
		info  map[string]string
		class rpi.Class
		text  string
	}{
		"missing":          {missing, always(ReadOnly), nil, rpi.ErrNoSuchFile, "no such file"},
		"exists":           {there, always(WriteOnly | Create | Exclusive), nil, rpi.ErrFileExists, "file exists"},
		"directory":        {t.TempDir(), always(ReadOnly), nil, rpi.ErrBadFile, "no regular file"},
		"no way":           {there, always(Create), nil, rpi.ErrAMode, "must have one of"},
		"two ways":         {there, always(ReadOnly | ReadWrite), nil, rpi.ErrAMode, "must have one of"},
		"create to read":   {missing, always(ReadOnly | Create), nil, rpi.ErrAMode, "only read"},
		"sequential":       {there, always(ReadWrite | Sequential), nil, rpi.ErrAMode, "not both"},
		"unknown":          {there, always(ReadOnly | 1<<20), nil, rpi.ErrAMode, "0x100000"},
		"one rank's mode":  {there, func(rank int) Mode { return []Mode{ReadOnly, ReadWrite, ReadOnly}[rank] }, nil, rpi.ErrNotSame, "rank"},
		"one rank's error": {there, func(rank int) Mode { return []Mode{ReadOnly, 0, ReadOnly}[rank] }, nil, rpi.ErrAMode, "must have one of"},
		"hint":             {there, always(ReadOnly), map[string]string{hintBuffer: "much"}, rpi.ErrInfoValue, `"much"`},
	} {
		t.Run(name, func(t *testing.T) {
			ranks(t, 3, func(t *testing.T, comm Comm) {
				f, err := Open(comm, c.path, c.mode(comm.Rank()), c.info)
				assert.Nil(t, f)
				assert.ErrorIs(t, err, c.class)
				assert.ErrorContains(t, err, c.text)
			})
		})
	}
	require.NoFileExists(t, missing)
}

func always(m Mode) func(int) Mode { return func(int) Mode { return m } }

// What is wrong on one rank is an error of a collective operation on all, and the next ones still belong together.
func TestErrorOfOneRankIsToldToAll(t *testing.T) {
	opened(t, 3, func(t *testing.T, f *File) {
		rank := f.comm.Rank()
		all := Access{Write: true, Collective: true}
		offset := int64(0)
		if rank == 1 {
			offset = -7
		}
		_, err := f.Access(all, offset, text([]byte("x")))
		assert.ErrorIs(t, err, rpi.ErrArg)
		assert.ErrorContains(t, err, "mpi.File.WriteAtAll: invalid argument")
		assert.ErrorContains(t, err, "the offset is -7")
		if rank != 1 {
			assert.ErrorContains(t, err, "rank 1: ")
		}
		assert.ErrorIs(t, f.SetSize(int64(rank)), rpi.ErrNotSame)
		if rank == 2 {
			err = f.Sync()
		} else {
			err = f.SetAtomicity(true)
		}
		assert.ErrorIs(t, err, rpi.ErrNotSame)
		assert.ErrorContains(t, err, "called File.S")
		assert.False(t, f.Atomicity())
		write(t, f, Access{Collective: true}, int64(rank), string(rune('a'+rank)))
		assert.Equal(t, "abc", read(t, f, Access{Collective: true}, 0, 3))
	})
}

// An error that the operating system reports to one rank alone.
func TestErrorOfAnAggregatorIsToldToAll(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	ranks(t, 3, func(t *testing.T, comm Comm) {
		f, err := Open(comm, path, ReadWrite|Create, map[string]string{hintCollective: "true"})
		if !assert.NoError(t, err) {
			return
		}
		if comm.Rank() == 0 { // which is the only aggregator of so few bytes
			assert.NoError(t, f.os.Close())
		}
		for _, write := range []bool{true, false} {
			_, err = f.Access(Access{Write: write, Collective: true}, int64(comm.Rank()), text([]byte("x")))
			assert.Error(t, err)
			assert.ErrorContains(t, err, "closed")
		}
		_ = f.Close()
	})
}

func TestAccessesThatTheModeForbids(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(path, []byte("there"), 0o600))
	for _, c := range []struct {
		mode  Mode
		write bool
		class rpi.Class
	}{{ReadOnly, true, rpi.ErrReadOnly}, {WriteOnly, false, rpi.ErrAccess}} {
		ranks(t, 2, func(t *testing.T, comm Comm) {
			f, err := Open(comm, path, c.mode, nil)
			if !assert.NoError(t, err) {
				return
			}
			for _, collective := range []bool{false, true} {
				_, err := f.Access(Access{Write: c.write, Collective: collective}, 0, text([]byte("x")))
				assert.ErrorIs(t, err, c.class)
			}
			if c.mode == ReadOnly {
				assert.ErrorIs(t, f.SetSize(1), rpi.ErrReadOnly)
				assert.ErrorIs(t, f.Preallocate(1), rpi.ErrReadOnly)
			}
			assert.NoError(t, f.Close())
			assert.ErrorIs(t, f.Close(), rpi.ErrFile)
			_, err = f.Size()
			assert.ErrorIs(t, err, rpi.ErrFile)
		})
	}
}

// Views that the standard forbids.
func TestInvalidViews(t *testing.T) {
	number, b := datatype.Basic(datatype.Float64), datatype.Basic(datatype.Byte)
	for name, c := range map[string]struct {
		disp            int64
		etype, filetype *datatype.Type
		rep             Datarep
		class           rpi.Class
		text            string
	}{
		"displacement":   {-1, b, b, Native, rpi.ErrArg, "displacement is -1"},
		"current":        {Current, b, b, Native, rpi.ErrArg, "sequential"},
		"half an etype":  {0, number, made(datatype.Contiguous(12, b)), Native, rpi.ErrArg, "whole etypes"},
		"empty":          {0, b, made(datatype.Contiguous(0, b)), Native, rpi.ErrArg, "need some"},
		"no type":        {0, nil, b, Native, rpi.ErrType, "missing"},
		"negative":       {0, b, made(datatype.Hindexed([]int64{1}, []int64{-4}, b)), Native, rpi.ErrArg, "displacement of -4"},
		"decreasing":     {0, b, made(datatype.Indexed([]int64{1, 1}, []int64{9, 2}, b)), Native, rpi.ErrArg, "must not decrease"},
		"copies":         {0, b, made(datatype.Resized(made(datatype.Indexed([]int64{1, 1}, []int64{0, 9}, b)), 0, 4)), Native, rpi.ErrArg, "a copy of the filetype"},
		"overlap":        {0, b, made(datatype.Hvector(2, 1, 4, made(datatype.Contiguous(8, b)))), Native, rpi.ErrArg, "several times"},
		"copies overlap": {0, b, made(datatype.Resized(made(datatype.Contiguous(8, b)), 0, 4)), Native, rpi.ErrArg, "several times"},
		"representation": {0, b, b, "big", rpi.ErrDatarep, `"big" is none of`},
		"long":           {0, datatype.Basic(datatype.Long), datatype.Basic(datatype.Long), External32, rpi.ErrUnsupported, "8 bytes in memory and 4 in external32"},
	} {
		t.Run(name, func(t *testing.T) {
			opened(t, 2, func(t *testing.T, f *File) {
				err := f.SetView(c.disp, c.etype, c.filetype, c.rep)
				assert.ErrorIs(t, err, c.class)
				assert.ErrorContains(t, err, c.text)
			})
		})
	}
}

func TestInvalidMemory(t *testing.T) {
	opened(t, 1, func(t *testing.T, f *File) {
		number := datatype.Basic(datatype.Float64)
		assert.NoError(t, f.SetView(0, number, number, Native))
		for _, c := range []struct {
			memory Memory
			class  rpi.Class
			text   string
		}{
			{Memory{}, rpi.ErrType, "missing"},
			{of(datatype.Int64, make([]int64, 2)), rpi.ErrType, "int64 cannot be in a view whose etype is float64"},
			{text(make([]byte, 12)), rpi.ErrArg, "not a multiple of the 8"},
			{Memory{Count: 1, Type: number}, rpi.ErrBuffer, "nil"},
			{Memory{Count: -1, Type: number}, rpi.ErrCount, "the count is -1"},
		} {
			_, err := f.Access(Access{Write: true}, 0, c.memory)
			assert.ErrorIs(t, err, c.class)
			assert.ErrorContains(t, err, c.text)
		}
		_, err := f.Access(Access{}, 1<<60, of(datatype.Float64, make([]float64, 1)))
		assert.ErrorIs(t, err, rpi.ErrArg)
		assert.ErrorContains(t, err, "beyond what a file can have")
	})
}

func TestDelete(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	require.ErrorIs(t, Delete(path), rpi.ErrNoSuchFile)
	require.ErrorIs(t, Delete(t.TempDir()), rpi.ErrBadFile)
	ranks(t, 2, func(t *testing.T, comm Comm) {
		f, err := Open(comm, path, WriteOnly|Create|Exclusive|DeleteOnClose, nil)
		if assert.NoError(t, err) {
			assert.FileExists(t, path)
			_, err := agree(comm, callSync, nil)
			assert.NoError(t, err)
			assert.NoError(t, f.Close())
			assert.NoFileExists(t, path)
		}
	})
}
