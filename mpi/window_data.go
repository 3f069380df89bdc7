package mpi

import "github.com/sctpmpi/sctpmpi/mpi/internal/core/window"

// PutData is Put of memory that need not be one piece, to memory that need not be either (MPI_PUT with derived datatypes;
// MPI 4.1, section 12.3.1). The target's memory from the element disp on is laid out as that of layout is from its
// beginning; only the layout of layout is used, not its memory: w.PutData(mpi.Elements(column), 1, 0,
// mpi.Strided(w.Memory(), 10, 1, 10)), where all ranks have matrices of one shape. The zero Data is a layout of one piece.
// The basic parts of both must be the same, in number and type: ErrType.
//
// Memory that is not one piece is copied, and goes in messages of some KiB. Errors as for Put.
func (w *Win[T]) PutData(data Data, target, disp int, layout Data) error {
	return public(w.core().PutData("mpi.Win.PutData", data.memory(), window.Place{Rank: target, Disp: disp}, layout.memory()))
}

// GetData is Get to memory that need not be one piece, from memory that need not be either (MPI_GET with derived
// datatypes; section 12.3.2). See PutData.
func (w *Win[T]) GetData(data Data, target, disp int, layout Data) error {
	return public(w.core().GetData("mpi.Win.GetData", data.memory(), window.Place{Rank: target, Disp: disp}, layout.memory()))
}

// AccumulateData is Accumulate of memory that need not be one piece, onto memory that need not be either (MPI_ACCUMULATE
// with derived datatypes; section 12.3.4). Both must be made of one basic type, which is T's. See PutData.
func (w *Win[T]) AccumulateData(data Data, op Op[T], target, disp int, layout Data) error {
	return public(w.core().AccumulateData("mpi.Win.AccumulateData", data.memory(), reduction(op), window.Place{Rank: target, Disp: disp}, layout.memory()))
}
