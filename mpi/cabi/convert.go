package main

// #include "sctpmpi.h"
import "C"

import (
	"math"
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
)

// Constants of the standard ABI for which package core has other numbers.
const (
	anyTag    = -2
	procNull  = -3
	undefined = -32766
)

// Stand-ins for numbers that mean something to core, but nothing in C: core refuses them.
const (
	noTag  = math.MinInt32
	noRank = math.MinInt32
)

// tagOf is a tag of the program as core has it. Core refuses one that is none of MPI's, and names it.
func tagOf(tag C.int) int {
	switch tag {
	case anyTag:
		return core.AnyTag
	case core.AnyTag:
		return noTag
	}
	return int(tag)
}

// rankOf is a rank of the program as core has it. Core refuses one that is none of MPI's, and names it.
func rankOf(rank C.int) int {
	switch rank {
	case procNull:
		return core.ProcNull
	case core.ProcNull:
		return noRank
	}
	return int(rank)
}

// rankFor is a rank of core as the program has it.
func rankFor(rank int) C.int {
	switch rank {
	case core.ProcNull:
		return procNull
	case core.Undefined:
		return undefined
	}
	return C.int(rank)
}

// noMemory is where memory may begin. Addresses below it, but 0, are constants of MPI.
const noMemory = 4096

// bufferOf is the memory of elements of a type.
func bufferOf(addr unsafe.Pointer, count C.int64_t, datatype C.uintptr_t) (core.Buffer, error) {
	if count == 0 && datatype == typeNull {
		return nothing, nil // as in other libraries
	}
	t, err := typeOf(datatype)
	if err != nil {
		return core.Buffer{}, err
	}
	if count < 0 {
		return core.Buffer{}, faultf(errCount, "the count is %d", int64(count))
	}
	if !t.Committed() {
		return core.Buffer{}, faultf(errType, "the datatype has not been committed")
	}
	if uintptr(addr)-1 < noMemory-1 { // MPI_BOTTOM is 0
		if count > 0 {
			return core.Buffer{}, faultf(errBuffer, "the buffer is at the address %#x, where there is no memory: MPI_IN_PLACE and the like are not possible here", uintptr(addr))
		}
		addr = nil
	}
	return core.Buffer{Addr: addr, Count: int(count), Type: t}, nil
}

// memory is a buffer as the program names it, before it is looked at.
type memory struct {
	addr     unsafe.Pointer
	count    C.int64_t
	datatype C.uintptr_t
}

func (m memory) buffer() (core.Buffer, error) { return bufferOf(m.addr, m.count, m.datatype) }

// at is as much memory at another address.
func (m memory) at(addr unsafe.Pointer) memory { return memory{addr, m.count, m.datatype} }

// give writes a status of core to that of the program, nil for MPI_STATUS_IGNORE. It leaves the error as it is.
func give(to *C.sctpmpi_status, s core.Status) {
	if to == nil {
		return
	}
	to.source, to.tag = rankFor(s.Source), C.int(s.Tag)
	if s.Tag == core.AnyTag {
		to.tag = anyTag
	}
	to.reserved[0], to.reserved[1], to.reserved[2] = C.int(uint32(s.Bytes)), C.int(uint64(s.Bytes)>>32), truth(s.Cancelled)
}

// truth is a logical value of C.
func truth(b bool) C.int {
	if b {
		return 1
	}
	return 0
}

// textTo writes a text and its end to memory of a size, as much as fits, and returns its length.
func textTo(out *C.char, room C.int64_t, text string) C.int {
	if out == nil || room <= 0 {
		return 0
	}
	to := unsafe.Slice((*byte)(unsafe.Pointer(out)), int(room))
	n := copy(to[:room-1], text)
	to[n] = 0
	return C.int(n)
}

// intsAt is a copy of an array of ints.
func intsAt(array *C.int, n C.int) ([]int, error) {
	if n < 0 || n > 0 && array == nil {
		return nil, faultf(errArg, "an array of %d elements", int(n))
	}
	list := make([]int, n)
	for i, v := range unsafe.Slice(array, n) {
		list[i] = int(v)
	}
	return list, nil
}

// intsTo writes ints to an array, as many as it has.
func intsTo(array *C.int, room C.int, list []int) {
	if array == nil {
		return
	}
	n := max(min(int(room), len(list)), 0)
	for i, to := 0, unsafe.Slice(array, n); i < n; i++ {
		to[i] = C.int(list[i])
	}
}

// truthsAt is a copy of an array of logical values.
func truthsAt(array *C.int, n C.int) ([]bool, error) {
	list, err := intsAt(array, n)
	if err != nil {
		return nil, err
	}
	truths := make([]bool, n)
	for i, v := range list {
		truths[i] = v != 0
	}
	return truths, nil
}
