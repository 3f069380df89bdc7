package mpi

import (
	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
)

// Matrix is a matrix whose rows, of Width elements each, lie one after the other in a slice. Its methods make Data of parts of it
// (MPI_TYPE_VECTOR, MPI_TYPE_CREATE_SUBARRAY; MPI 4.1, section 5.1). Rows and columns count from 0.
//
//	m := mpi.Matrix[float64]{cells, width}
//	err := mpi.SendData(c, m.Columns(0, 1), left, 0)
type Matrix[T any] struct {
	Cells []T
	Width int
}

// Rows is n rows from the one with the number first on. Where a collective operation divides them among ranks it divides rows.
func (m Matrix[T]) Rows(first, n int) Data {
	if d, wrong := m.outside("rows", first, n, 0, m.Width); wrong {
		return d
	}
	return blocks(m.Cells[first*m.Width:], n, m.Width, m.Width)
}

// Columns is n columns from the one with the number first on, one after the other: all of the first, from top to bottom, then all
// of the second. Where a collective operation divides them among ranks it divides columns.
func (m Matrix[T]) Columns(first, n int) Data {
	height := m.height()
	if d, wrong := m.outside("columns", 0, height, first, n); wrong {
		return d
	}
	b := view(m.Cells[first:])
	if b.Type.Err() != nil || n == 0 || height == 0 {
		b.Count = 0
		return Data{b}
	}
	column, err := datatype.Vector(int64(height), 1, int64(m.Width), b.Type)
	if err == nil {
		column, err = datatype.Resized(column, 0, b.Type.Extent())
	}
	return dataOf(b, n, column, err)
}

// Block is a rectangle of height rows and width columns, whose first element is in the given row and column, row by row.
func (m Matrix[T]) Block(row, column, height, width int) Data {
	if d, wrong := m.outside("block", row, height, column, width); wrong || height == 0 || width == 0 {
		return d
	}
	return blocks(m.Cells[row*m.Width+column:], height, width, m.Width)
}

func (m Matrix[T]) height() int {
	if m.Width <= 0 {
		return 0
	}
	return len(m.Cells) / m.Width
}

// outside returns the error of a part of m if it does not lie within it, or m is no matrix.
func (m Matrix[T]) outside(what string, row, height, column, width int) (Data, bool) {
	rows := m.height()
	switch {
	case m.Width < 0 || m.Width*rows != len(m.Cells):
		return wrong(datatype.ErrArg, "matrix: %s cannot be rows of %d", plural(len(m.Cells), "element"), m.Width), true
	case row < 0 || height < 0 || column < 0 || width < 0 || row > rows || height > rows-row || column > m.Width || width > m.Width-column:
		return wrong(datatype.ErrArg, "matrix: %s: rows %d to %d, columns %d to %d are not within %d rows and %d columns",
			what, row, row+height-1, column, column+width-1, rows, m.Width), true
	}
	return Data{core.Buffer{Type: datatypeOf[T]()}}, false
}
