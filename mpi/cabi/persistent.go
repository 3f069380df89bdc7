package main

// #include "sctpmpi.h"
import "C"

import "github.com/sctpmpi/sctpmpi/mpi/internal/core"

func mpiStart(r *core.Request) error { return r.Start("MPI_Start") }

func mpiStartall(s *requestSet) C.int {
	for _, r := range s.requests {
		if err := r.Start("MPI_Startall"); err != nil {
			return failRequest(r, err)
		}
	}
	return 0
}
