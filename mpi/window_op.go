package mpi

// Replace takes the right value (MPI_REPLACE; MPI 4.1, section 12.3.4): Accumulate with it is a Put that is atomic for each
// element. It is for one-sided operations.
func Replace[T any](left, right []T) { copy(left, right) }

// NoOp keeps the left value (MPI_NO_OP; section 12.3.4): GetAccumulate and FetchAndOp with it are a Get that is atomic for each
// element. It is for one-sided operations.
func NoOp[T any]([]T, []T) {}
