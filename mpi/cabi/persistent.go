package main

/*
#include "sctpmpi.h"
*/
import "C"

import "github.com/sctpmpi/sctpmpi/mpi/internal/core"

func mpiStart(r *core.Request) error { return r.Start("MPI_Start") }

//export sctpmpi_Startall
func sctpmpi_Startall(count C.int, requests *C.uintptr_t) C.int {
	s, err := requestsAt(requests, count)
	if err != nil {
		return fail(nil, err)
	}
	defer s.release()
	for _, r := range s.requests {
		if err := r.Start("MPI_Startall"); err != nil {
			return failRequest(r, err)
		}
	}
	return 0
}
