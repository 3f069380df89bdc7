package main

/*
#include "sctpmpi.h"
*/
import "C"

import (
	"math"
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
)

//export sctpmpi_Psend_init
func sctpmpi_Psend_init(buf unsafe.Pointer, partitions C.int, count C.int64_t, datatype C.uintptr_t, dest, tag C.int, comm, info C.uintptr_t, request *C.uintptr_t) C.int {
	c, b, err := partitionedOf(buf, partitions, count, datatype, comm, info)
	if err != nil {
		return fail(c, err)
	}
	return c.giveRequest(request, func() (*core.Request, error) {
		return c.PsendInit("MPI_Psend_init", b, int(partitions), rankOf(dest), tagOf(tag))
	})
}

//export sctpmpi_Precv_init
func sctpmpi_Precv_init(buf unsafe.Pointer, partitions C.int, count C.int64_t, datatype C.uintptr_t, source, tag C.int, comm, info C.uintptr_t, request *C.uintptr_t) C.int {
	c, b, err := partitionedOf(buf, partitions, count, datatype, comm, info)
	if err != nil {
		return fail(c, err)
	}
	return c.giveRequest(request, func() (*core.Request, error) {
		return c.PrecvInit("MPI_Precv_init", b, int(partitions), rankOf(source), tagOf(tag))
	})
}

// partitionedOf is the communicator and the buffer of a partitioned operation. count is that of a partition.
func partitionedOf(buf unsafe.Pointer, partitions C.int, count C.int64_t, datatype, of, info C.uintptr_t) (*comm, core.Buffer, error) {
	c, err := commOf(of)
	if err != nil {
		return nil, core.Buffer{}, err
	}
	if _, err := infoOf(info); err != nil {
		return c, core.Buffer{}, err
	}
	if partitions < 0 || partitions > 0 && count > math.MaxInt64/C.int64_t(partitions) {
		return c, core.Buffer{}, faultf(errCount, "%d partitions of %d elements", int(partitions), int64(count))
	}
	b, err := bufferOf(buf, C.int64_t(partitions)*count, datatype)
	return c, b, err
}

//export sctpmpi_Pready
func sctpmpi_Pready(partition C.int, request C.uintptr_t) C.int {
	return pready("MPI_Pready", partition, partition, request)
}

//export sctpmpi_Pready_range
func sctpmpi_Pready_range(low, high C.int, request C.uintptr_t) C.int {
	return pready("MPI_Pready_range", low, high, request)
}

//export sctpmpi_Pready_list
func sctpmpi_Pready_list(length C.int, partitions *C.int, request C.uintptr_t) C.int {
	list, err := intsAt(partitions, length)
	if err != nil {
		return fail(nil, err)
	}
	for _, i := range list {
		if code := pready("MPI_Pready_list", C.int(i), C.int(i), request); code != 0 {
			return code
		}
	}
	return 0
}

func pready(op string, low, high C.int, request C.uintptr_t) C.int {
	r, err := requestOf(request)
	if err != nil {
		return fail(nil, err)
	}
	return failRequest(r, r.Pready(op, int(low), int(high)))
}

//export sctpmpi_Parrived
func sctpmpi_Parrived(request C.uintptr_t, partition C.int, flag *C.int) C.int {
	r, err := requestOf(request)
	if err != nil {
		return fail(nil, err)
	}
	if r == nil { // MPI_REQUEST_NULL
		*flag = 1
		return 0
	}
	arrived, err := r.Parrived("MPI_Parrived", int(partition))
	*flag = truth(arrived)
	return failRequest(r, err)
}
