package mpi

import (
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
)

// AllocMem makes memory of n elements, all zero, for long messages and windows (MPI_ALLOC_MEM; MPI 4.1, section 9.2). T is as for Send.
// On Linux it is of huge pages where the system has them: ranks of one host copy messages of a MiB out of it and into it up to twice
// as fast as with make. FreeMem gives it back, not the garbage collector.
//
// Errors: ErrCount if n is negative, or this host has not so much memory; ErrType.
func AllocMem[T any](n int) ([]T, error) {
	base, err := core.AllocMem("mpi.AllocMem", datatypeOf[T](), n)
	switch {
	case err != nil:
		return nil, public(err)
	case base == nil: // no bytes
		return make([]T, n), nil
	}
	return unsafe.Slice((*T)(base), n), nil
}

// FreeMem gives memory of AllocMem back, a slice that begins with its first element (MPI_FREE_MEM). No operation may still use it, and a
// program that touches it later ends. ErrArg: AllocMem has not made it, or it has been given back before.
func FreeMem[T any](memory []T) error {
	if len(memory) == 0 || unsafe.Sizeof(memory[0]) == 0 {
		return nil
	}
	return public(core.FreeMem("mpi.FreeMem", unsafe.Pointer(unsafe.SliceData(memory))))
}
