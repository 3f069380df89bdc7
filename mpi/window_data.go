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

// GetAccumulateData is GetAccumulate of and to memory that need not be one piece, onto memory that need not be either
// (MPI_GET_ACCUMULATE with derived datatypes; section 12.3.4). See AccumulateData.
func (w *Win[T]) GetAccumulateData(data, result Data, op Op[T], target, disp int, layout Data) error {
	return public(w.core().GetAccumulateData("mpi.Win.GetAccumulateData", data.memory(), result.memory(), reduction(op), window.Place{Rank: target, Disp: disp}, layout.memory()))
}

// RputData is PutData with a request (MPI_RPUT with derived datatypes; section 12.3.5). See Rput.
func (w *Win[T]) RputData(data Data, target, disp int, layout Data) (*Request, error) {
	return newRequest(w.core().RputData("mpi.Win.RputData", data.memory(), window.Place{Rank: target, Disp: disp}, layout.memory()))
}

// RgetData is GetData with a request (MPI_RGET with derived datatypes; section 12.3.5). See Rget.
func (w *Win[T]) RgetData(data Data, target, disp int, layout Data) (*Request, error) {
	return newRequest(w.core().RgetData("mpi.Win.RgetData", data.memory(), window.Place{Rank: target, Disp: disp}, layout.memory()))
}

// RaccumulateData is AccumulateData with a request (MPI_RACCUMULATE with derived datatypes; section 12.3.5). See Rput.
func (w *Win[T]) RaccumulateData(data Data, op Op[T], target, disp int, layout Data) (*Request, error) {
	return newRequest(w.core().RaccumulateData("mpi.Win.RaccumulateData", data.memory(), reduction(op), window.Place{Rank: target, Disp: disp}, layout.memory()))
}

// RgetAccumulateData is GetAccumulateData with a request (MPI_RGET_ACCUMULATE with derived datatypes; section 12.3.5). See Rget.
func (w *Win[T]) RgetAccumulateData(data, result Data, op Op[T], target, disp int, layout Data) (*Request, error) {
	return newRequest(w.core().RgetAccumulateData("mpi.Win.RgetAccumulateData", data.memory(), result.memory(), reduction(op), window.Place{Rank: target, Disp: disp}, layout.memory()))
}
