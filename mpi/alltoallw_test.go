package mpi_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// place is memory of one element type or another for a number of values, which lie together, every third, or in a column.
type place struct {
	data mpi.Data
	get  func() []int
	set  func(values []int)
}

func newPlace(random *rand.Rand, kind, length int) place {
	switch kind {
	case 0:
		return placeOf[int](random, length)
	case 1:
		return placeOf[float32](random, length)
	}
	return placeOf[[2]int16](random, length)
}

func placeOf[T any](random *rand.Rand, length int) place {
	stride := 1 + random.IntN(3)
	memory := make([]T, stride*length)
	p := place{data: mpi.Elements(memory)}
	switch {
	case length == 0:
		p.data = mpi.Data{}
	case stride == 3:
		p.data = mpi.Strided(memory, length, 1, stride)
	case stride == 2:
		p.data = mpi.Matrix[T]{Cells: memory, Width: stride}.Columns(0, 1)
	}
	p.get = func() (values []int) {
		for i := range length {
			switch v := any(memory[i*stride]).(type) {
			case int:
				values = append(values, v)
			case float32:
				values = append(values, int(v))
			case [2]int16:
				values = append(values, int(v[0]))
			}
		}
		return values
	}
	p.set = func(values []int) {
		for i, v := range values {
			switch m := any(&memory[i*stride]).(type) {
			case *int:
				*m = v
			case *float32:
				*m = float32(v)
			case *[2]int16:
				*m = [2]int16{int16(v), int16(v)}
			}
		}
	}
	return p
}

// MPI 4.1, section 6.8: what goes from one rank to another has a length and a type of its own, and each of them its place in
// memory, in all forms of the operation.
func TestAlltoallw(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	for _, size := range []int{1, 2, 5} {
		ranks(t, size, func(t *testing.T, world *mpi.Comm) {
			me := world.Rank()
			random := rand.New(rand.NewPCG(seed, uint64(me)))
			for round := range 6 {
				between := func(from, to int) (kind, length int, values []int) {
					length = unequal(round, from, to) / 7
					for i := range length {
						values = append(values, (from*100+to*10+round+i)%30_000)
					}
					return (from + 2*to + round) % 3, length, values
				}
				out, in := make([]place, size), make([]place, size)
				send, recv := make([]mpi.Data, size), make([]mpi.Data, size)
				for i := range size {
					kind, length, values := between(me, i)
					out[i] = newPlace(random, kind, length)
					out[i].set(values)
					kind, length, _ = between(i, me)
					in[i] = newPlace(random, kind, length)
					send[i], recv[i] = out[i].data, in[i].data
				}
				switch round % 3 {
				case 0:
					require.NoError(t, mpi.Alltoallw(world, send, recv))
				case 1:
					wait(t, must(t)(mpi.Ialltoallw(world, send, recv)))
				case 2:
					r := must(t)(mpi.AlltoallwInit(world, send, recv))
					for range 2 {
						require.NoError(t, r.Start())
						wait(t, r)
					}
					require.NoError(t, r.Free())
				}
				for i := range size {
					_, _, values := between(i, me)
					equal(t, values, in[i].get())
				}
			}
		})
	}
}

// A halo exchange of a matrix that all ranks have a block of, rows and columns. All ends are neighbours: with one or two
// ranks in a direction both neighbours are the same.
func TestHaloExchange(t *testing.T) {
	const height, width = 3, 4
	for _, dims := range [][]int{{1, 1}, {2, 1}, {2, 3}} {
		ranks(t, dims[0]*dims[1], func(t *testing.T, world *mpi.Comm) {
			grid, err := world.CartCreate(dims, []bool{true, true}, true)
			require.NoError(t, err)
			_, _, coords, err := grid.CartGet()
			require.NoError(t, err)
			// value is that of a point, by its place in this rank's block. All points of the grid have different ones.
			rows, columns := dims[0]*height, dims[1]*width
			value := func(row, column int) int {
				row, column = (coords[0]*height+row+rows)%rows, (coords[1]*width+column+columns)%columns
				return row*columns + column
			}
			m := mpi.Matrix[int]{Cells: make([]int, (height+2)*(width+2)), Width: width + 2}
			for row := range height {
				for column := range width {
					m.Cells[(row+1)*m.Width+column+1] = value(row, column)
				}
			}
			require.NoError(t, mpi.NeighborAlltoallw(grid,
				[]mpi.Data{m.Block(1, 1, 1, width), m.Block(height, 1, 1, width), m.Block(1, 1, height, 1), m.Block(1, width, height, 1)},
				[]mpi.Data{m.Block(0, 1, 1, width), m.Block(height+1, 1, 1, width), m.Block(1, 0, height, 1), m.Block(1, width+1, height, 1)}))
			for row := -1; row <= height; row++ {
				for column := -1; column <= width; column++ {
					want := value(row, column)
					if (row < 0 || row == height) && (column < 0 || column == width) {
						want = 0 // corners are left alone
					}
					require.Equal(t, want, m.Cells[(row+1)*m.Width+column+1], "row %d, column %d", row, column)
				}
			}
		})
	}
}

// What is given for a neighbour beyond a border is not looked at.
func TestNothingBeyondTheBorder(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		line, err := world.CartCreate([]int{2}, nil, false)
		require.NoError(t, err)
		got, kept := []int{7}, []int{8}
		send, recv := []mpi.Data{{}, mpi.Elements([]int{line.Rank()})}, []mpi.Data{mpi.Elements(kept), mpi.Elements(got)}
		if line.Rank() == 1 {
			send, recv = []mpi.Data{send[1], mpi.Elements([]string{"no type to send"})}, []mpi.Data{recv[1], {}}
		}
		require.NoError(t, mpi.NeighborAlltoallw(line, send, recv))
		require.Equal(t, []int{1 - line.Rank()}, got)
		require.Equal(t, []int{8}, kept)
	})
}

func TestAlltoallwArguments(t *testing.T) {
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		v := make([]int, 4)
		two := mpi.Elements(v[:2])
		for text, call := range map[string]func() error{
			"1 send block for 2 ranks":                      func() error { return mpi.Alltoallw(world, make([]mpi.Data, 1), make([]mpi.Data, 2)) },
			"the receive blocks 0 and 1 overlap":            func() error { return mpi.Alltoallw(world, make([]mpi.Data, 2), []mpi.Data{two, two}) },
			"the receive block 1 and the send block 0 over": func() error { return mpi.Alltoallw(world, []mpi.Data{two, {}}, []mpi.Data{{}, two}) },
			"do not fit into the slice of 4": func() error {
				return mpi.Alltoallw(world, []mpi.Data{mpi.Strided(v, 3, 1, 2), {}}, make([]mpi.Data, 2))
			},
			"this rank sends itself": func() error {
				send, recv := make([]mpi.Data, 2), make([]mpi.Data, 2)
				send[world.Rank()], recv[world.Rank()] = two, mpi.Elements(make([]float64, 2))
				return mpi.Alltoallw(world, send, recv)
			},
		} {
			require.ErrorContains(t, call(), text)
			require.NoError(t, world.Barrier())
		}
	})
	// What ranks must agree on in pairs.
	for text, other := range map[string]mpi.Data{
		"sent elements of int64 where this rank expects elements of float64": mpi.Elements(make([]float64, 2)),
		"rank 0 sent 2 elements of int64 where this rank expects 1":          mpi.Elements(make([]int, 1)),
	} {
		disagreeing(t, 2, func(t *testing.T, world *mpi.Comm) {
			send, recv := make([]mpi.Data, 2), make([]mpi.Data, 2)
			if world.Rank() == 0 {
				send[1] = mpi.Elements(make([]int, 2))
			} else {
				recv[0] = other
			}
			err := mpi.Alltoallw(world, send, recv)
			if world.Rank() == 1 {
				require.ErrorContains(t, err, text)
			}
			require.NoError(t, world.Barrier())
		})
	}
}
