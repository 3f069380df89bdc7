package file

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Many operations are under way at once, on more goroutines than there are workers.
func TestNonblockingAccesses(t *testing.T) {
	const each = 40
	opened(t, 3, func(t *testing.T, f *File) {
		rank, size := f.comm.Rank(), f.comm.Size()
		var under sync.WaitGroup
		start := func(a Access, offset int64, m Memory) {
			under.Add(1)
			_, err := f.Start(a, offset, m, func(bytes int64, err error) {
				defer under.Done()
				assert.NoError(t, err)
				assert.EqualValues(t, 1, bytes)
			})
			if !assert.NoError(t, err) {
				under.Done()
			}
		}
		finish := func() {
			under.Wait()
			meet(t, f)
		}
		for i := range each {
			b := []byte{byte('a' + rank)}
			start(Access{Write: true, Collective: i%2 == 0, Form: Nonblocking}, int64(i*size+rank), text(b))
		}
		finish()
		assert.Equal(t, strings.Repeat("abc", each), read(t, f, Access{}, 0, 3*each))
		got := make([]byte, each)
		for i := range each {
			start(Access{Collective: i%3 == 0, Pointer: Individual, Form: Nonblocking}, 0, text(got[i:i+1]))
		}
		finish()
		assert.Equal(t, strings.Repeat("abc", each)[:each], string(got))
	})
}

func TestSplitCollectives(t *testing.T) {
	opened(t, 2, func(t *testing.T, f *File) {
		a := Access{Write: true, Collective: true, Form: Split}
		assert.NoError(t, f.Begin(a, int64(f.comm.Rank()), text([]byte{byte('a' + f.comm.Rank())})))
		err := f.Begin(Access{Collective: true, Form: Split}, 0, text(make([]byte, 2)))
		assert.ErrorIs(t, err, rpi.ErrOther)
		_, err = f.End(Access{Collective: true, Form: Split})
		assert.ErrorContains(t, err, "mpi.File.ReadAtAllEnd: the operation has not been begun")
		n, err := f.End(a)
		assert.NoError(t, err)
		assert.EqualValues(t, 1, n)
		assert.Equal(t, "ab", read(t, f, Access{}, 0, 9))
	})
}

// In atomic mode a read sees a write as a whole or not at all, though it has many pieces.
func TestAtomicMode(t *testing.T) {
	const n, pieces, rounds = 4, 200, 30
	opened(t, n, func(t *testing.T, f *File) {
		assert.NoError(t, f.SetAtomicity(true))
		b := datatype.Basic(datatype.Byte)
		assert.NoError(t, f.SetView(0, b, made(datatype.Resized(b, 0, 50)), Native))
		data := make([]byte, pieces)
		for i := range rounds {
			if f.comm.Rank()%2 == 0 {
				write(t, f, Access{}, 0, strings.Repeat(string(rune('a'+(i+f.comm.Rank())%26)), pieces))
				continue
			}
			got, err := f.Access(Access{}, 0, text(data))
			assert.NoError(t, err)
			if got > 0 {
				assert.Equal(t, string(bytes.Repeat(data[:1], pieces)), string(data[:got]))
			}
		}
	})
}

// With sieving writes ranks write what lies between their pieces too, and must not undo the writes of others.
func TestSievingWritesLeaveOthersAlone(t *testing.T) {
	const n, pieces, rounds = 4, 500, 10
	path := filepath.Join(t.TempDir(), "file")
	ranks(t, n, func(t *testing.T, comm Comm) {
		f, err := Open(comm, path, WriteOnly|Create, map[string]string{hintSieveWrite: "enable"})
		if !assert.NoError(t, err) {
			return
		}
		assert.True(t, f.readable)
		b := datatype.Basic(datatype.Byte)
		assert.NoError(t, f.SetView(int64(comm.Rank()), b, made(datatype.Resized(b, 0, n)), Native))
		for i := range rounds {
			write(t, f, Access{Pointer: Individual}, 0, strings.Repeat(string(rune('a'+comm.Rank()+i)), pieces))
		}
		assert.NoError(t, f.Close())
	})
	file, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Len(t, file, n*pieces*rounds)
	for i, b := range file {
		require.Equal(t, byte('a'+i%n+i/n/pieces), b, "byte %d", i)
	}
}

// The bytes of external32, by hand (section 14.5.2).
func TestExternal32(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	type record struct {
		N int32
		X float64
		C int16
	}
	wanted := []byte{
		0, 0, 0, 1, 0x3f, 0xf8, 0, 0, 0, 0, 0, 0, 0xff, 0xfe,
		0, 0, 1, 0, 0xc0, 0, 0, 0, 0, 0, 0, 0, 0, 3,
	}
	memory := made(datatype.Struct([]int64{1, 1, 1}, []int64{0, int64(unsafe.Offsetof(record{}.X)), int64(unsafe.Offsetof(record{}.C))},
		[]*datatype.Type{datatype.Basic(datatype.Int32), datatype.Basic(datatype.Float64), datatype.Basic(datatype.Int16)}))
	packed := made(datatype.Struct([]int64{1, 1, 1}, []int64{0, 4, 12},
		[]*datatype.Type{datatype.Basic(datatype.Int32), datatype.Basic(datatype.Float64), datatype.Basic(datatype.Int16)}))
	packed = made(datatype.Resized(packed, 0, 14))
	for _, collective := range []bool{false, true} {
		ranks(t, 2, func(t *testing.T, comm Comm) {
			f, err := Open(comm, path, ReadWrite|Create, map[string]string{hintCollective: "true"})
			if !assert.NoError(t, err) {
				return
			}
			assert.NoError(t, f.SetView(0, packed, packed, External32))
			records := [...]record{{1, 1.5, -2}, {256, -2, 3}}
			mine := Memory{Addr: unsafe.Pointer(&records[comm.Rank()]), Count: 1, Type: memory}
			_, err = f.Access(Access{Write: true, Collective: collective}, int64(comm.Rank()), mine)
			assert.NoError(t, err)
			meet(t, f)
			file, err := os.ReadFile(path)
			assert.NoError(t, err)
			assert.Equal(t, wanted, file)
			got := [...]record{{}, {}, {N: 7}}
			n, err := f.Access(Access{Collective: collective}, 0, Memory{Addr: unsafe.Pointer(&got), Count: 3, Type: memory})
			assert.NoError(t, err)
			assert.EqualValues(t, 28, n)
			assert.Equal(t, [...]record{records[0], records[1], {N: 7}}, got, "what is not in the file keeps its value")
			assert.NoError(t, f.Close())
		})
	}
}

func TestSizes(t *testing.T) {
	opened(t, 2, func(t *testing.T, f *File) {
		size := func() int64 {
			n, err := f.Size()
			assert.NoError(t, err)
			meet(t, f)
			return n
		}
		assert.NoError(t, f.Preallocate(3000))
		assert.EqualValues(t, 3000, size())
		assert.NoError(t, f.Preallocate(10))
		assert.EqualValues(t, 3000, size(), "it does not become shorter")
		assert.NoError(t, f.SetSize(5))
		assert.EqualValues(t, 5, size())
		assert.NoError(t, extend(f.os, 100))
		assert.EqualValues(t, 100, size())
		assert.NoError(t, f.Sync())
		assert.ErrorIs(t, f.SetSize(-1), rpi.ErrArg)
		info := f.Info()
		assert.Equal(t, "automatic", info[hintCollective])
		assert.NoError(t, f.SetInfo(map[string]string{hintCollective: "false", "unknown": "ignored"}))
		assert.Equal(t, "false", f.Info()[hintCollective])
	})
}

// Bytes that a reader's view has several times.
func TestReadersMayOverlap(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(path, []byte("abcdefgh"), 0o600))
	ranks(t, 2, func(t *testing.T, comm Comm) {
		f, err := Open(comm, path, ReadOnly, nil)
		if !assert.NoError(t, err) {
			return
		}
		b := datatype.Basic(datatype.Byte)
		four := made(datatype.Contiguous(4, b))
		assert.NoError(t, f.SetView(0, b, made(datatype.Hvector(3, 1, 2, four)), Native))
		for _, collective := range []bool{false, true} {
			assert.Equal(t, "abcdcdefefgh", read(t, f, Access{Collective: collective}, 0, 12))
		}
		at, err := f.Seek(0, 2)
		assert.NoError(t, err)
		assert.EqualValues(t, 12, at)
		assert.NoError(t, f.Close())
	})
}

// Views that are too irregular to be told to all ranks. It runs alone, as it changes a bound for all files.
func TestViewsThatOthersDoNotKnow(t *testing.T) {
	defer func(most int64) { mostViews = most }(mostViews)
	mostViews = 10
	opened(t, 3, func(t *testing.T, f *File) {
		assert.NoError(t, f.SetInfo(map[string]string{hintCollective: "true"}))
		b := datatype.Basic(datatype.Byte)
		every := made(datatype.Resized(b, 0, 3))
		assert.NoError(t, f.SetView(int64(f.comm.Rank()), b, every, Native))
		write(t, f, Access{Collective: true}, 0, strings.Repeat(string(rune('a'+f.comm.Rank())), 50))
		assert.Equal(t, strings.Repeat(string(rune('a'+f.comm.Rank())), 40), read(t, f, Access{Collective: true}, 10, 99))
		_, err := f.Access(Access{Pointer: Shared}, 0, text(make([]byte, 1)))
		assert.ErrorIs(t, err, rpi.ErrUnsupported)
	})
}

// While all workers are busy, a goroutine that waits for an access carries it out, once.
func TestAnAccessIsCarriedOutByWhatWaitsForIt(t *testing.T) {
	opened(t, 1, func(t *testing.T, f *File) {
		busy := make(chan struct{})
		for range workers.limit {
			workers.start(func() { <-busy })
		}
		times := 0
		p, err := f.Start(Access{Write: true, Form: Nonblocking}, 0, text([]byte("abc")), func(bytes int64, err error) {
			assert.NoError(t, err)
			assert.EqualValues(t, 3, bytes)
			times++
		})
		require.NoError(t, err)
		require.Zero(t, times)
		p.Help()
		require.Equal(t, 1, times)
		require.Equal(t, "abc", read(t, f, Access{}, 0, 3))
		close(busy)
		p.Help()
		require.Equal(t, 1, times)
	})
}
