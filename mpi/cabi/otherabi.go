package main

import "github.com/sctpmpi/sctpmpi/mpi/cabi/internal/handle"

// A library and a program that have been compiled with the mpi.h of two implementations can be linked all the same. Then one of them
// passes handles that mean nothing here, and should hear why.

// mpichTypes are the bits 26 to 29 of MPICH's handles, by their kind. The two bits above say where the object is: nowhere, for a null
// handle; among the predefined ones; or in one of two tables. Its files are addresses.
var mpichTypes = map[handle.Kind]uintptr{
	handle.Comm: 1, handle.Group: 2, handle.Datatype: 3, handle.Errhandler: 5, handle.Op: 6, handle.Info: 7, handle.Win: 8,
	handle.Request: 11, handle.Message: 11, handle.Session: 14,
}

const (
	mpichTypeShift = 26
	mpichTypeMask  = 15
	mpichPlace     = 30
	// noMPICH is set by the library with MPICH's ABI in a handle of the program that is none of that ABI, and noOpenMPI by that with Open MPI's.
	noMPICH   = 1 << 32
	noOpenMPI = 1 << 63
	// Predefined handles of the standard ABI are from opNull on, and below standardEnd.
	standardEnd = 0x1000
)

// otherABI says which mpi.h has a handle that is none here, and what to do; it is empty if no other has.
func otherABI(kind handle.Kind, h uintptr) string {
	const compiled = "the code that passes it has been compiled with "
	passed, compile := asPassed(h), "compile all parts of the program with mpicc --abi mpich"
	if h&noOpenMPI != 0 {
		compile = "compile all parts of the program with Open MPI's mpicc"
	}
	t, known := mpichTypes[kind]
	switch {
	case passed != h && passed >= opNull && passed < standardEnd:
		return compiled + "the mpi.h of the standard ABI: " + compile
	case h>>32 == 1:
		return ""
	case known && passed>>mpichTypeShift&mpichTypeMask == t && passed>>32 == 0 && (passed>>mpichPlace > 0 || passed == t<<mpichTypeShift):
		return compiled + "MPICH's mpi.h: " + compile
	case passed == h && (h>>32 > 1 || h >= standardEnd && h < handle.First):
		return "it is an address: if the code that passes it has been compiled with Open MPI's mpi.h, compile all parts of the program with this library's mpicc"
	}
	return ""
}

// asPassed is a handle as the program has passed it.
func asPassed(h uintptr) uintptr {
	if h&noOpenMPI != 0 {
		return h &^ noOpenMPI
	}
	if h>>32 == 1 {
		return h &^ noMPICH
	}
	return h
}

// noHandle is the error of a handle that is none. done is how those that there are end.
func noHandle(c class, kind handle.Kind, h uintptr, what, done string) error {
	if why := otherABI(kind, h); why != "" {
		return faultf(c, "%#x is no %s here: %s", asPassed(h), what, why)
	}
	return faultf(c, "%#x is no %s, or one that has been %s", asPassed(h), what, done)
}
