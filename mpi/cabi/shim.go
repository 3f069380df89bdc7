package main

// #include "sctpmpi.h"
import "C"

import "strings"

//go:generate go run ./internal/generate exports.h
//go:generate go run ./internal/generate exports.go

// The library has the code of an error for functions that it does not have, and says how long arrays are that the shims convert.

//export sctpmpi_unsupported
func sctpmpi_unsupported(function *C.char) C.int {
	name := C.GoString(function)
	instead := ""
	if strings.HasPrefix(name, "MPI_Comm_spawn") {
		instead = ": have the launcher start all programs, as in mpirun -n 1 ./manager : -n 8 ./worker"
	}
	return fail(nil, faultf(errUnsupported, "this version of the library has no %s%s", name, instead))
}

//export sctpmpi_peers
func sctpmpi_peers(comm C.uintptr_t, peers *C.int) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	*peers = C.int(c.Size())
	if c.Inter() {
		*peers = C.int(c.RemoteSize())
	}
	return 0
}

//export sctpmpi_neighbors
func sctpmpi_neighbors(comm C.uintptr_t, sources, destinations *C.int) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	s, d := c.NeighborCounts()
	*sources, *destinations = C.int(s), C.int(d)
	return 0
}
