package mpi

import "reflect"

// Commutative declares that an operation of the program commutes: elements may be combined in any order, which is
// faster for long vectors (MPI_OP_CREATE with commute; MPI 4.1, section 6.9.5). All ranks must declare it, or none. The
// result is used in place of op:
//
//	merge := mpi.Commutative(func(left, right []Histogram) { … })
//	err := mpi.Allreduce(world, mine, all, merge)
func Commutative[T any](op Op[T]) Op[T] { return declare(op, true, false) }

// Commutes reports whether an operation may be combined in any order: one of this package, or one that Commutative has
// declared (MPI_OP_COMMUTATIVE; MPI 4.1, section 6.9.7).
func Commutes[T any](op Op[T]) bool { return op != nil && seen(op).Commutes }

// Background declares that an operation of the program may be called at any time, by any goroutine, several calls at
// once: also while the program is in no call of this package. So a nonblocking reduction goes on while the program
// computes, as one by an operation of this package does. The function must not call this package, nor wait.
func Background[T any](op Op[T]) Op[T] { return declare(op, false, true) }

// declare returns op as a function of its own for each set of properties, by whose code reduction knows them. Those that
// op has already stay.
func declare[T any](op Op[T], commutes, safe bool) Op[T] {
	if op == nil {
		return nil
	}
	known := seen(op)
	known.Combine, known.Reduction, known.Exact = nil, 0, false
	known.Commutes, known.Safe = known.Commutes || commutes, known.Safe || safe
	declared := Op[T](func(left, right []T) { op(left, right) }) // commutes
	switch {
	case known.Commutes && known.Safe:
		declared = func(left, right []T) { op(left, right) }
	case known.Safe:
		declared = func(left, right []T) { op(left, right) }
	}
	remember(reflect.ValueOf(declared).Pointer(), known)
	return declared
}
