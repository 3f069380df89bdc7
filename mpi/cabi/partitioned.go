package main

// #include "sctpmpi.h"
import "C"

import (
	"math"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/info"
)

func mpiPsendInit(c *comm, m memory, partitions, dest, tag int, _ *info.Info) (*core.Request, error) {
	b, err := partitioned(m, partitions)
	if err != nil {
		return nil, err
	}
	return c.PsendInit("MPI_Psend_init", b, partitions, dest, tag)
}

func mpiPrecvInit(c *comm, m memory, partitions, source, tag int, _ *info.Info) (*core.Request, error) {
	b, err := partitioned(m, partitions)
	if err != nil {
		return nil, err
	}
	return c.PrecvInit("MPI_Precv_init", b, partitions, source, tag)
}

// partitioned is the buffer of a partitioned operation: m is that of one partition.
func partitioned(m memory, n int) (core.Buffer, error) {
	count := int64(m.count)
	if n < 0 || n > 0 && count > math.MaxInt64/int64(n) {
		return core.Buffer{}, faultf(errCount, "%d partitions of %d elements", n, count)
	}
	return memory{m.addr, m.count * C.int64_t(n), m.datatype}.buffer()
}

func mpiPready(r *core.Request, partition int) error {
	return r.Pready("MPI_Pready", partition, partition)
}
func mpiPreadyRange(r *core.Request, low, high int) error {
	return r.Pready("MPI_Pready_range", low, high)
}

func mpiPreadyList(r *core.Request, list []int) error {
	for _, i := range list {
		if err := r.Pready("MPI_Pready_list", i, i); err != nil {
			return err
		}
	}
	return nil
}

func mpiParrived(r *core.Request, partition int) (bool, error) {
	if r == nil { // MPI_REQUEST_NULL
		return true, nil
	}
	return r.Parrived("MPI_Parrived", partition)
}
