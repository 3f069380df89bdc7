package main

/*
#include "sctpmpi.h"
*/
import "C"

import "github.com/sctpmpi/sctpmpi/mpi/internal/core"

// received is the status of the program as core has it. What the program has written into it stays as it is.
func received(s *C.sctpmpi_status) core.Status {
	source, tag := int(s.source), int(s.tag)
	if s.source == procNull {
		source = core.ProcNull
	}
	if s.tag == anyTag {
		tag = core.AnyTag
	}
	return core.Status{Source: source, Tag: tag, Bytes: bytesIn(s), Cancelled: s.reserved[2] != 0}
}

// bytesIn is how many bytes a message has.
func bytesIn(s *C.sctpmpi_status) int {
	return int(int64(uint32(s.reserved[0])) | int64(s.reserved[1])<<32)
}

//export sctpmpi_Get_count
func sctpmpi_Get_count(status *C.sctpmpi_status, datatype C.uintptr_t, count *C.int64_t) C.int {
	t, err := typeOf(datatype)
	if err != nil {
		return fail(nil, err)
	}
	if status == nil {
		return fail(nil, faultf(errArg, "the status is MPI_STATUS_IGNORE"))
	}
	switch n, size := int64(bytesIn(status)), t.Size(); {
	case n == 0:
		*count = 0
	case size == 0 || n%size != 0:
		*count = undefined
	default:
		*count = C.int64_t(n / size)
	}
	return 0
}

//export sctpmpi_Get_elements
func sctpmpi_Get_elements(status *C.sctpmpi_status, datatype C.uintptr_t, count *C.int64_t) C.int {
	t, err := typeOf(datatype)
	if err != nil {
		return fail(nil, err)
	}
	if status == nil {
		return fail(nil, faultf(errArg, "the status is MPI_STATUS_IGNORE"))
	}
	if n := received(status).Elements(t); n == core.Undefined {
		*count = undefined
	} else {
		*count = C.int64_t(n)
	}
	return 0
}

//export sctpmpi_Status_set_elements
func sctpmpi_Status_set_elements(status *C.sctpmpi_status, datatype C.uintptr_t, count C.int64_t) C.int {
	t, err := typeOf(datatype)
	if err != nil {
		return fail(nil, err)
	}
	if status == nil || count < 0 {
		return fail(nil, faultf(errArg, "%d elements of a status", int64(count)))
	}
	bytes := int64(count) * t.Size()
	status.reserved[0], status.reserved[1] = C.int(uint32(bytes)), C.int(bytes>>32)
	return 0
}
