package core

import (
	"unsafe"

	"github.com/sctpmpi/sctpmpi/internal/hostmem"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// AllocMem makes memory of n elements, all of them 0, nil if they have no bytes (MPI_ALLOC_MEM; MPI 4.1, section 9.2).
func AllocMem(op string, kind *Type, n int) (unsafe.Pointer, error) {
	if err := kind.Err(); err != nil {
		return nil, Wrong(op, err)
	}
	if bad := noRoom(op, kind, n); bad != nil {
		return nil, bad
	}
	size := n * int(kind.Extent())
	if size == 0 {
		return nil, nil
	}
	base, err := hostmem.Huge(size)
	if err != nil {
		return nil, mpierr.Because(err, op, rpi.ErrOther, "there is no memory of %d bytes: %v", size, err)
	}
	return base, nil
}

// FreeMem gives memory of AllocMem back.
func FreeMem(op string, base unsafe.Pointer) error {
	if !hostmem.FreeHuge(base) {
		return mpierr.Invalid(op, rpi.ErrArg, "the memory does not begin where AllocMem has made some, or has been given back before")
	}
	return nil
}
