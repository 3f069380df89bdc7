package mpi_test

import (
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// hintsOf makes an Info of keys and values.
func hintsOf(t testing.TB, pairs ...string) *mpi.Info {
	hints := new(mpi.Info)
	for i := 0; i < len(pairs); i += 2 {
		require.NoError(t, hints.Set(pairs[i], pairs[i+1]))
	}
	return hints
}

// The ranks write a matrix in blocks, and read it in rows, over every transport.
func TestMatrixInAFile(t *testing.T) {
	const side, n = 64, 4
	folder := t.TempDir()
	ranks(t, n, func(t *testing.T, world *mpi.Comm) {
		path := filepath.Join(folder, filepath.Base(t.Name()))
		f, err := mpi.OpenFile(world, path, mpi.ReadWrite|mpi.Create, hintsOf(t, "collective_buffering", "true"))
		require.NoError(t, err)
		const half = side / 2
		row, column := world.Rank()/2*half, world.Rank()%2*half
		block := mpi.ViewSubarray[int32](0, []int{side, side}, []int{half, half}, []int{row, column})
		require.NoError(t, f.SetView(block))
		// The block lies in memory between other numbers.
		memory := make([]int32, half*side)
		for i := range half {
			for j := range half {
				memory[i*side+j] = int32((row+i)*side + column + j)
			}
		}
		status, err := f.WriteAll(mpi.Strided(memory, half, half, side))
		require.NoError(t, err)
		require.Equal(t, half*half, status.Count)
		require.NoError(t, f.SetView(mpi.ViewOf[int32](0)))
		rows := make([]int32, side*side/n+1)
		first := world.Rank() * side * side / n
		status, err = f.ReadAtAll(int64(first), mpi.Elements(rows[:side*side/n]))
		require.NoError(t, err)
		require.Equal(t, side*side/n, status.Count)
		for i, x := range rows[:side*side/n] {
			require.EqualValues(t, first+i, x)
		}
		require.NoError(t, f.SetView(mpi.ViewIndexed[int32](0, mpi.Layout{Counts: []int{1, 2}, Displs: []int{1, 5}}, side)))
		_, err = f.ReadAtAll(0, mpi.Elements(rows[:6]))
		require.NoError(t, err)
		require.Equal(t, []int32{1, 5, 6, side + 1, side + 5, side + 6}, rows[:6], "of each row")
		require.NoError(t, f.SetView(mpi.ViewOf[int32](0)))
		r := must(t)(f.IreadAt(side*side-1, mpi.Elements(rows)))
		require.Equal(t, mpi.Status{Source: mpi.AnySource, Tag: mpi.AnyTag, Count: 1, Bytes: 4}, wait(t, r), "the file ends")
		r = must(t)(f.IwriteAtAll(int64(world.Rank()), mpi.Elements([]int32{7})))
		require.Equal(t, 1, wait(t, r).Count)
		require.ErrorIs(t, must(t)(f.IreadAtAll(0, mpi.Elements(rows[:n]))).Cancel(), mpi.ErrRequest)
		require.NoError(t, f.ReadAtAllBegin(0, mpi.Elements(rows[:n])))
		_, err = f.ReadAtAllEnd(mpi.Elements(rows[:n]))
		require.NoError(t, err)
		require.Equal(t, []int32{7, 7, 7, 7}, rows[:n])
		require.NoError(t, f.Close())
	})
}

// What is wrong with the data of one rank is told to all.
func TestFileErrors(t *testing.T) {
	folder := t.TempDir()
	require.NoError(t, mpi.RunLocal(3, func(world *mpi.Comm) error {
		_, err := mpi.OpenFile(nil, "file", mpi.ReadOnly, nil)
		assert.ErrorIs(t, err, mpi.ErrComm)
		_, err = mpi.OpenFile(world, filepath.Join(folder, "missing"), mpi.ReadOnly, nil)
		assert.ErrorIs(t, err, mpi.ErrNoSuchFile)
		f, err := mpi.OpenFile(world, filepath.Join(folder, "file"), mpi.ReadWrite|mpi.Create, nil)
		require.NoError(t, err)
		data := mpi.Elements([]float64{1})
		if world.Rank() == 1 {
			data = mpi.Elements([]string{"no"})
		}
		_, err = f.WriteAtAll(0, data)
		assert.ErrorIs(t, err, mpi.ErrType)
		assert.ErrorContains(t, err, "type string cannot be sent")
		view := mpi.ViewOf[int32](0)
		if world.Rank() == 2 {
			view = mpi.ViewStrided[int32](0, 3, 2)
		}
		err = f.SetView(view)
		assert.ErrorIs(t, err, mpi.ErrArg)
		assert.ErrorContains(t, err, "a block of 3 elements of each 2")
		assert.ErrorIs(t, f.SetView(mpi.ViewOf[[]int](0)), mpi.ErrType)
		assert.NoError(t, f.SetView(mpi.ViewOf[int32](0)))
		_, err = f.WriteAt(0, mpi.Elements([]float64{1}))
		assert.EqualError(t, err, "mpi.File.WriteAt: element types differ or cannot be sent: elements of float64 cannot be in a view whose etype is int32")
		_, err = f.IwriteAt(-1, mpi.Elements([]int32{1}))
		assert.ErrorIs(t, err, mpi.ErrArg)
		assert.ErrorIs(t, f.SetInfo(hintsOf(t, "cb_nodes", "few")), mpi.ErrInfoValue)
		assert.NoError(t, f.SetInfo(hintsOf(t, "cb_nodes", "2")))
		nodes, ok := f.Info().Get("cb_nodes")
		assert.True(t, ok)
		assert.Equal(t, "2", nodes)
		group, err := f.Group()
		assert.NoError(t, err)
		assert.Equal(t, 3, group.Size())
		assert.NoError(t, f.Close())
		_, err = f.Read(mpi.Data{})
		assert.ErrorIs(t, err, mpi.ErrFile)
		var none *mpi.File
		assert.ErrorIs(t, none.Close(), mpi.ErrFile)
		assert.ErrorIs(t, none.SetSize(1), mpi.ErrFile)
		_, err = none.Write(mpi.Elements([]byte("x")))
		assert.ErrorIs(t, err, mpi.ErrFile)
		_, err = none.Iread(mpi.Elements([]byte("x")))
		assert.ErrorIs(t, err, mpi.ErrFile)
		assert.ErrorIs(t, mpi.DeleteFile(filepath.Join(folder, "missing")), mpi.ErrNoSuchFile)
		return nil
	}))
}

type body struct {
	Name [4]byte
	At   [3]float64
	ID   int32
}

// Fields of structs, and structs with padding, are in the file without gaps.
func TestFieldsInAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	require.NoError(t, mpi.RunLocal(2, func(world *mpi.Comm) error {
		f, err := mpi.OpenFile(world, path, mpi.ReadWrite|mpi.Create|mpi.DeleteOnClose, nil)
		require.NoError(t, err)
		particles := make([]body, 10)
		for i := range particles {
			particles[i] = body{At: [3]float64{float64(i), float64(world.Rank())}, ID: int32(world.Rank()*10 + i)}
		}
		require.NoError(t, f.SetView(mpi.ViewOf[int32](0).External32()))
		_, err = f.WriteOrdered(mpi.Fields(particles, "ID"))
		require.NoError(t, err)
		all := make([]byte, 4*20)
		require.NoError(t, f.SetView(mpi.FileView{}))
		_, err = f.ReadAll(mpi.Bytes(all))
		require.NoError(t, err)
		for i := range 20 {
			require.Equal(t, []byte{0, 0, 0, byte(i)}, all[4*i:4*i+4])
		}
		require.NoError(t, f.SetView(mpi.ViewStrided[body](int64(world.Rank()*36), 1, 2)))
		_, err = f.WriteAll(mpi.Elements(particles))
		require.NoError(t, err)
		_, err = f.Size()
		require.NoError(t, err)
		got := make([]body, 10)
		_, err = f.ReadAtAll(0, mpi.Elements(got))
		require.NoError(t, err)
		require.Equal(t, particles, got)
		return f.Close()
	}))
}

// Random parts of a random file, by real collectives.
func TestRandomPartsOfAFile(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	path := filepath.Join(t.TempDir(), "file")
	const n = 5
	require.NoError(t, mpi.RunLocal(n, func(world *mpi.Comm) error {
		r := rand.New(rand.NewPCG(seed, 0)) // the same on all ranks
		f, err := mpi.OpenFile(world, path, mpi.ReadWrite|mpi.Create, hintsOf(t, "cb_buffer_size", "16384", "cb_nodes", "3"))
		require.NoError(t, err)
		for range 10 {
			length, blocks := 1+r.IntN(100), 1+r.IntN(50)
			require.NoError(t, f.SetView(mpi.ViewStrided[int64](int64(8*world.Rank()*length), length, n*length)))
			mine := make([]int64, length*blocks)
			base := r.Int64N(1000)
			for i := range mine {
				mine[i] = base + int64((i/length*n+world.Rank())*length+i%length)
			}
			at := int64(r.IntN(3))
			_, err := f.WriteAtAll(at*int64(length), mpi.Elements(mine))
			require.NoError(t, err)
			if _, err := f.Seek(at*int64(length), io.SeekStart); err != nil {
				return err
			}
			got := make([]int64, len(mine))
			request := must(t)(f.IreadAll(mpi.Elements(got)))
			require.Equal(t, len(mine), wait(t, request).Count)
			require.Equal(t, mine, got)
			require.NoError(t, f.SetView(mpi.ViewOf[int64](8*at*int64(n*length))))
			all := make([]int64, n*len(mine))
			_, err = f.Read(mpi.Elements(all))
			require.NoError(t, err)
			for i, x := range all {
				require.Equal(t, base+int64(i), x)
			}
			require.NoError(t, world.Barrier())
		}
		return f.Close()
	}))
	_, err := os.Stat(path)
	require.NoError(t, err)
}

// A collective operation of a file ends on all ranks though one has died. The others can go on by themselves.
func TestFileOfADeadRank(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	err := mpi.RunLocal(3, func(world *mpi.Comm) error {
		f, err := mpi.OpenFile(world, path, mpi.ReadWrite|mpi.Create, nil)
		require.NoError(t, err)
		if world.Rank() == 2 {
			return errDisk
		}
		_, err = f.WriteAll(mpi.Elements([]byte("xyz")))
		assert.ErrorIs(t, err, mpi.ErrProcFailed)
		assert.ErrorContains(t, err, "mpi.File.WriteAll: process failed: ")
		_, err = must(t)(f.IreadAll(mpi.Elements(make([]byte, 3)))).Wait(t.Context())
		assert.ErrorIs(t, err, mpi.ErrProcFailed)
		_, err = f.WriteAt(int64(world.Rank()), mpi.Elements([]byte("x")))
		assert.NoError(t, err)
		assert.ErrorIs(t, f.Close(), mpi.ErrProcFailed)
		return nil
	})
	require.ErrorIs(t, err, errDisk)
}
