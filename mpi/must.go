package mpi

import "github.com/sctpmpi/sctpmpi/mpi/internal/core"

// Must ends the job if err is not nil, for programs that have nothing better to do with an error: it prints err on standard error, ends
// the job as Comm.Abort does, with err as the reason that the launcher names, and exits with status 1. It may be called from any
// goroutine. As with log.Fatal, deferred functions do not run. Before Init and after Finalize it prints and exits.
//
// A rank of RunLocal, which is a goroutine of a test mostly, ends with err as if its fn had returned it. Call Must there from the
// goroutine of fn alone. Libraries return errors instead.
func Must(err error) { core.Must(err) }

// Must1 returns value, and is Must if err is not nil: sum := mpi.Must1(mpi.AllreduceValue(world, part, mpi.Sum)).
func Must1[T any](value T, err error) T {
	core.Must(err)
	return value
}

// Must2 returns both values, and is Must if err is not nil: value, status := mpi.Must2(mpi.RecvValue[int](world, 0, 0)).
func Must2[T, U any](value T, other U, err error) (T, U) {
	core.Must(err)
	return value, other
}
