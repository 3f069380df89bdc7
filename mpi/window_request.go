package mpi

import (
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/window"
)

// Rput is Put with a request, which completes when buf may be used again (MPI_RPUT; MPI 4.1, section 12.3.5). As all
// operations with a request it needs an epoch of Lock or LockAll. That it is complete at the target is only known after
// Flush or the end of the epoch, as its errors there are.
func (w *Win[T]) Rput(buf []T, target, disp int) (*Request, error) {
	return newRequest(w.core().Rput("mpi.Win.Rput", view(buf), window.Place{Rank: target, Disp: disp}))
}

// Rget is Get with a request, which completes when buf has the data (MPI_RGET; section 12.3.5). It returns the errors
// of the target.
func (w *Win[T]) Rget(buf []T, target, disp int) (*Request, error) {
	return newRequest(w.core().Rget("mpi.Win.Rget", view(buf), window.Place{Rank: target, Disp: disp}))
}

// Raccumulate is Accumulate with a request (MPI_RACCUMULATE; section 12.3.5). See Rput.
func (w *Win[T]) Raccumulate(buf []T, op Op[T], target, disp int) (*Request, error) {
	return newRequest(w.core().Raccumulate("mpi.Win.Raccumulate", view(buf), reduction(op), window.Place{Rank: target, Disp: disp}))
}

// RgetAccumulate is GetAccumulate with a request, which completes when result has the old values (MPI_RGET_ACCUMULATE;
// section 12.3.5). See Rget.
func (w *Win[T]) RgetAccumulate(buf, result []T, op Op[T], target, disp int) (*Request, error) {
	return newRequest(w.core().RgetAccumulate("mpi.Win.RgetAccumulate", view(buf), view(result), reduction(op), window.Place{Rank: target, Disp: disp}))
}
