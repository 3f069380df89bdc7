package mpi_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi"
)

// numbered returns a matrix whose elements are their places in it.
func numbered(height, width int) mpi.Matrix[int] {
	return mpi.Matrix[int]{Cells: sequence(0, height*width), Width: width}
}

type particle struct {
	Name  string
	Pos   struct{ X, Y float64 }
	Loads [3]int32
}

// A message has the numbers that the Data names, in its order, whatever lies between them. It is received as any memory that has
// the same, and only that is written to.
func TestDataMovesWhatItNames(t *testing.T) {
	m := numbered(4, 5)
	particles := []particle{{Name: "a", Loads: [3]int32{1, 2, 3}}, {Name: "b", Loads: [3]int32{4, 5, 6}}}
	particles[1].Pos.Y = 7
	cases := []struct {
		name string
		data mpi.Data
		want []int
	}{
		{"slice", mpi.Elements([]int{3, 1, 2}), []int{3, 1, 2}},
		{"rows", m.Rows(1, 2), []int{5, 6, 7, 8, 9, 10, 11, 12, 13, 14}},
		{"column", m.Columns(3, 1), []int{3, 8, 13, 18}},
		{"columns", m.Columns(0, 2), []int{0, 5, 10, 15, 1, 6, 11, 16}},
		{"block", m.Block(2, 1, 2, 3), []int{11, 12, 13, 16, 17, 18}},
		{"strided", mpi.Strided(m.Cells[1:], 3, 2, 4), []int{1, 2, 5, 6, 9, 10}},
		{"indexed", mpi.Indexed(m.Cells, mpi.Layout{Counts: []int{2, 0, 1}, Displs: []int{7, 0, 3}}), []int{7, 8, 3}},
		{"no elements", m.Columns(0, 0), []int{}},
		{"nothing", mpi.Data{}, []int{}},
	}
	ranks(t, 2, func(t *testing.T, world *mpi.Comm) {
		for _, test := range cases {
			name := test.name
			if world.Rank() == 0 {
				require.NoError(t, mpi.SendData(world, test.data, 1, 0), name)
				request, err := mpi.IssendData(world, test.data, 1, 1)
				require.NoError(t, err, name)
				wait(t, request)
				continue
			}
			got := make([]int, len(test.want)+1)
			status, err := mpi.Recv(world, got, 0, 0)
			require.NoError(t, err, name)
			require.Equal(t, mpi.Status{Source: 0, Tag: 0, Count: len(test.want), Bytes: 8 * len(test.want)}, status, name)
			require.Equal(t, test.want, got[:len(test.want)], name)
			// What is between stays.
			sparse := make([]int, 2*len(got))
			request, err := mpi.IrecvData(world, mpi.Strided(sparse, len(got), 1, 2), 0, 1)
			require.NoError(t, err, name)
			require.Equal(t, len(test.want), wait(t, request).Count, name)
			for i, n := range sparse {
				switch {
				case i%2 == 0 && i/2 < len(test.want):
					require.Equal(t, test.want[i/2], n, name)
				default:
					require.Zero(t, n, name)
				}
			}
		}
	})
	ranks(t, 1, func(t *testing.T, world *mpi.Comm) {
		loads := make([]int32, 4)
		_, err := mpi.SendrecvData(world, mpi.Fields(particles, "Loads[2]", "Loads[0]"), 0, 0, mpi.Elements(loads), 0, 0)
		require.NoError(t, err)
		require.Equal(t, []int32{3, 1, 6, 4}, loads)
		y := make([]float64, 2)
		_, err = mpi.SendrecvData(world, mpi.Fields(particles, "Pos.Y"), 0, 0, mpi.Elements(y), 0, 0)
		require.NoError(t, err)
		require.Equal(t, []float64{0, 7}, y)
	})
}

// Bytes take a message of any type, and send to a receive of any type.
func TestBytesMatchAllTypes(t *testing.T) {
	ranks(t, 1, func(t *testing.T, world *mpi.Comm) {
		raw := make([]byte, 16)
		_, err := mpi.SendrecvData(world, mpi.Elements([]float64{1, 2}), 0, 0, mpi.Bytes(raw), 0, 0)
		require.NoError(t, err)
		numbers := make([]float64, 2)
		status, err := mpi.SendrecvData(world, mpi.Bytes(raw), 0, 0, mpi.Elements(numbers), 0, 0)
		require.NoError(t, err)
		require.Equal(t, []float64{1, 2}, numbers)
		require.Equal(t, 2, status.Count)
		_, err = mpi.Sendrecv(world, raw, 0, 0, numbers, 0, 0)
		require.ErrorIs(t, err, mpi.ErrType)
	})
}

// A struct is received as its parts, and parts as structs. A message may end within one; then there is no number of them.
func TestMessagesMatchByTheirParts(t *testing.T) {
	type pair struct {
		ID     int32
		Weight float64
	}
	ranks(t, 1, func(t *testing.T, world *mpi.Comm) {
		points := make([][2]float64, 2)
		status, err := mpi.Sendrecv(world, []float64{1, 2, 3}, 0, 0, points, 0, 0)
		require.NoError(t, err)
		require.Equal(t, mpi.Status{Count: mpi.Undefined, Bytes: 24}, status)
		require.Equal(t, [][2]float64{{1, 2}, {3, 0}}, points)
		// The padding of a struct is not sent.
		status, err = mpi.Sendrecv(world, []pair{{1, 2}, {3, 4}}, 0, 0, make([]pair, 3), 0, 0)
		require.NoError(t, err)
		require.Equal(t, mpi.Status{Count: 2, Bytes: 24}, status)
		// The beginning of a struct.
		ids := []pair{{9, 9}, {9, 9}}
		_, err = mpi.Sendrecv(world, []int32{1}, 0, 0, ids, 0, 0)
		require.NoError(t, err)
		require.Equal(t, []pair{{1, 9}, {9, 9}}, ids)
		_, err = mpi.Sendrecv(world, []int32{1, 2}, 0, 0, ids, 0, 0)
		require.ErrorIs(t, err, mpi.ErrType)
		send, err := mpi.Isend(world, []float64{1, 2, 3}, 0, 0)
		require.NoError(t, err)
		_, _, err = mpi.RecvSlice[[2]float64](world, 0, 0)
		require.ErrorIs(t, err, mpi.ErrType)
		require.ErrorContains(t, err, "24 bytes from rank 0 with tag 0 are no whole number of elements of [2]float64, which have 16 bytes")
		wait(t, send)
	})
}

// Elements may be of any size. Those who probe for long ones are told their bytes only.
func TestLongElements(t *testing.T) {
	type long [70000]byte
	ranks(t, 1, func(t *testing.T, world *mpi.Comm) {
		out := make([]long, 2)
		out[1][69999] = 7
		request, err := mpi.Isend(world, out, 0, 0)
		require.NoError(t, err)
		status, err := world.Probe(0, 0)
		require.NoError(t, err)
		require.Equal(t, mpi.Status{Count: mpi.Undefined, Bytes: 140000}, status)
		got, status, err := mpi.RecvSlice[long](world, 0, 0)
		require.NoError(t, err)
		require.Equal(t, mpi.Status{Count: 2, Bytes: 140000}, status)
		require.True(t, got[1] == out[1])
		wait(t, request)
		require.NoError(t, mpi.Bcast(world, out, 0))
	})
}

// A matrix that is divided by rows is transposed by sending each rank some columns.
func TestTransposeByColumns(t *testing.T) {
	const size, height = 4, 2 // rows of each rank
	ranks(t, size, func(t *testing.T, world *mpi.Comm) {
		const width = size * height
		mine := mpi.Matrix[int]{Cells: sequence(world.Rank()*height*width, height*width), Width: width}
		turned := mpi.Matrix[int]{Cells: make([]int, height*width), Width: width}
		// Column i of all ranks is row i of the result, from left to right.
		require.NoError(t, mpi.AlltoallData(world, mine.Columns(0, width), mpi.Elements(turned.Cells)))
		for row := range height {
			for rank := range size {
				for i := range height {
					require.Equal(t, (rank*height+i)*width+world.Rank()*height+row, turned.Cells[rank*height*height+row*height+i])
				}
			}
		}
	})
}

// A collective operation on Data that does not wait, or is kept and started twice, moves what the one that waits moves: here columns of a
// matrix, which become rows.
func TestCollectiveFormsOnData(t *testing.T) {
	const size, root, height = 3, 1, 4
	type began = func(c *mpi.Comm, send, recv mpi.Data) (*mpi.Request, error)
	rooted := func(begin func(c *mpi.Comm, send, recv mpi.Data, root int) (*mpi.Request, error)) began {
		return func(c *mpi.Comm, send, recv mpi.Data) (*mpi.Request, error) { return begin(c, send, recv, root) }
	}
	operations := []struct {
		name          string
		columns, rows int // that are sent and received by a rank
		waits         func(c *mpi.Comm, send, recv mpi.Data) error
		begins, kept  began
	}{
		{
			"Bcast", 2, 0, func(c *mpi.Comm, send, _ mpi.Data) error { return mpi.BcastData(c, send, root) },
			func(c *mpi.Comm, send, _ mpi.Data) (*mpi.Request, error) { return mpi.IbcastData(c, send, root) },
			func(c *mpi.Comm, send, _ mpi.Data) (*mpi.Request, error) { return mpi.BcastDataInit(c, send, root) },
		},
		{
			"Gather", 1, size, func(c *mpi.Comm, send, recv mpi.Data) error { return mpi.GatherData(c, send, recv, root) },
			rooted(mpi.IgatherData), rooted(mpi.GatherDataInit),
		},
		{
			"Scatter", size, 1, func(c *mpi.Comm, send, recv mpi.Data) error { return mpi.ScatterData(c, send, recv, root) },
			rooted(mpi.IscatterData), rooted(mpi.ScatterDataInit),
		},
		{"Allgather", 1, size, mpi.AllgatherData, mpi.IallgatherData, mpi.AllgatherDataInit},
		{"Alltoall", size, size, mpi.AlltoallData, mpi.IalltoallData, mpi.AlltoallDataInit},
	}
	ranks(t, size, func(t *testing.T, world *mpi.Comm) {
		for _, operation := range operations {
			// moved is what is in memory after an operation on memory of that form.
			memory := mpi.Matrix[int]{Cells: make([]int, height*size), Width: size}
			rows := mpi.Matrix[int]{Cells: make([]int, size*height), Width: height}
			send, recv := memory.Columns(0, operation.columns), rows.Rows(0, operation.rows)
			moved := func(first int, run func() error) [][]int {
				copy(memory.Cells, sequence(first+100*world.Rank(), height*size))
				clear(rows.Cells)
				require.NoError(t, run(), operation.name)
				return [][]int{slices.Clone(memory.Cells), slices.Clone(rows.Cells)}
			}
			want := moved(1, func() error { return operation.waits(world, send, recv) })
			require.Equal(t, want, moved(1, func() error {
				wait(t, must(t)(operation.begins(world, send, recv)))
				return nil
			}), operation.name)
			kept := must(t)(operation.kept(world, send, recv))
			for _, first := range []int{1, 1001} {
				want = moved(first, func() error { return operation.waits(world, send, recv) })
				require.Equal(t, want, moved(first, func() error {
					require.NoError(t, kept.Start())
					wait(t, kept)
					return nil
				}), operation.name)
			}
			require.NoError(t, kept.Free())
		}
	})
}

// What does not lie within its slice is the error of the operation that is to use it.
func TestDataThatIsNotThere(t *testing.T) {
	m := numbered(4, 5)
	ranks(t, 1, func(t *testing.T, world *mpi.Comm) {
		for _, test := range []struct {
			data  mpi.Data
			class mpi.Class
			want  string
		}{
			{mpi.Strided(m.Cells, 3, 2, 10), mpi.ErrArg, "3 blocks of 2 elements, every 10, do not fit into the slice of 20"},
			{mpi.Strided(m.Cells, 1<<62, 1, 1<<62), mpi.ErrArg, "do not fit"},
			{mpi.Strided(m.Cells, 2, -1, 1), mpi.ErrArg, "none may be negative"},
			{m.Columns(4, 2), mpi.ErrArg, "matrix: columns: rows 0 to 3, columns 4 to 5 are not within 4 rows and 5 columns"},
			{m.Rows(-1, 2), mpi.ErrArg, "matrix: rows: rows -1 to 0"},
			{m.Block(3, 0, 2, 1), mpi.ErrArg, "rows 3 to 4"},
			{mpi.Matrix[int]{Cells: m.Cells, Width: 6}.Rows(0, 1), mpi.ErrArg, "20 elements cannot be rows of 6"},
			{mpi.Matrix[int]{Cells: m.Cells}.Rows(0, 1), mpi.ErrArg, "cannot be rows of 0"},
			{mpi.Indexed(m.Cells, mpi.Layout{Counts: []int{3}, Displs: []int{18}}), mpi.ErrArg, "part 0, 3 elements from 18 on"},
			{mpi.Indexed(m.Cells, mpi.Layout{Counts: []int{3}}), mpi.ErrArg, "1 count and 0 displacements"},
			{mpi.Fields([]particle{}, "Pos.Z"), mpi.ErrArg, `has no field "Z"`},
			{mpi.Fields([]particle{}, "Name"), mpi.ErrType, "type string cannot be sent"},
			{mpi.Fields([]particle{}), mpi.ErrArg, "no field of mpi_test.particle is named"},
			{mpi.Elements([]string{"a"}), mpi.ErrType, "type string cannot be sent"},
			{mpi.Matrix[string]{Cells: []string{"a"}, Width: 1}.Columns(0, 1), mpi.ErrType, "type string cannot be sent"},
		} {
			require.ErrorIs(t, test.data.Err(), test.class, test.want)
			err := mpi.SendData(world, test.data, 0, 0)
			require.ErrorIs(t, err, test.class, test.want)
			require.ErrorContains(t, err, "mpi.SendData: ")
			require.ErrorContains(t, err, test.want)
			_, err = mpi.IrecvData(world, test.data, 0, 0)
			require.ErrorIs(t, err, test.class, test.want)
		}
		require.NoError(t, m.Rows(4, 0).Err())
		require.Equal(t, 4*8, m.Columns(0, 1).Len())
	})
}

// The columns of a matrix are divided unevenly among ranks, and put together again elsewhere. Each rank has its part
// between other columns of a matrix of its own.
func TestUnevenColumns(t *testing.T) {
	const size, height, width, root = 4, 3, 8, 2
	layout := mpi.Layout{Counts: []int{2, 0, 3, 1}, Displs: []int{5, 0, 1, 0}} // columns 4 and 7 are no rank's
	ranks(t, size, func(t *testing.T, world *mpi.Comm) {
		me := world.Rank()
		columns, first := layout.Counts[me], layout.Displs[me]
		matrix := numbered(height, width)
		part := mpi.Matrix[int]{Cells: make([]int, height*(columns+2)), Width: columns + 2}
		all := mpi.Matrix[int]{Cells: make([]int, height*width), Width: width}
		turned := mpi.Matrix[int]{Cells: make([]int, width*height), Width: height}
		mine := part.Columns(1, columns)
		send, recv, rooted := mpi.Data{}, mpi.Data{}, mpi.Layout{}
		if me == root {
			send, recv, rooted = matrix.Columns(0, width), turned.Rows(0, width), layout
		}
		for _, nonblocking := range []bool{false, true} {
			clear(part.Cells)
			clear(all.Cells)
			clear(turned.Cells)
			if nonblocking {
				wait(t, must(t)(mpi.IscattervData(world, send, rooted, mine, root)))
				wait(t, must(t)(mpi.IgathervData(world, mine, recv, rooted, root)))
				wait(t, must(t)(mpi.IallgathervData(world, mine, all.Columns(0, width), layout)))
			} else {
				require.NoError(t, mpi.ScattervData(world, send, rooted, mine, root))
				require.NoError(t, mpi.GathervData(world, mine, recv, rooted, root))
				require.NoError(t, mpi.AllgathervData(world, mine, all.Columns(0, width), layout))
			}
			for row := range height {
				want := append([]int{0}, matrix.Cells[row*width+first:][:columns]...)
				require.Equal(t, append(want, 0), part.Cells[row*part.Width:][:part.Width])
				for column := range width {
					cell := matrix.Cells[row*width+column]
					if column == 4 || column == 7 {
						cell = 0
					}
					require.Equal(t, cell, all.Cells[row*width+column])
					if me == root {
						require.Equal(t, cell, turned.Cells[column*height+row])
					}
				}
			}
		}
		wrong := mpi.GathervData(world, mine, recv, mpi.Layout{Counts: []int{2, 0, 3, 4}}, root)
		if me == root {
			require.ErrorIs(t, wrong, mpi.ErrArg)
			require.ErrorContains(t, wrong, "the receive part of rank 3, 4 elements from 5 on, is not within the buffer of 8")
		}
	})
}
