package main

// #include "sctpmpi.h"
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

// ignored is the error of a status that is to be looked at, and is none.
func ignored(s *C.sctpmpi_status) error {
	if s == nil {
		return faultf(errArg, "the status is MPI_STATUS_IGNORE")
	}
	return nil
}

func mpiGetCount(status *C.sctpmpi_status, t *core.Type) (int64, error) {
	if err := ignored(status); err != nil {
		return 0, err
	}
	switch n, size := int64(bytesIn(status)), t.Size(); {
	case n == 0:
		return 0, nil
	case size == 0 || n%size != 0:
		return undefined, nil
	default:
		return n / size, nil
	}
}

func mpiGetElements(status *C.sctpmpi_status, t *core.Type) (int, error) {
	if err := ignored(status); err != nil {
		return 0, err
	}
	n := received(status).Elements(t)
	if n == core.Undefined {
		n = undefined
	}
	return n, nil
}

func mpiStatusSetElements(status *C.sctpmpi_status, t *core.Type, count int64) error {
	if status == nil || count < 0 {
		return faultf(errArg, "%d elements of a status", count)
	}
	bytes := count * t.Size()
	status.reserved[0], status.reserved[1] = C.int(uint32(bytes)), C.int(bytes>>32)
	return nil
}
