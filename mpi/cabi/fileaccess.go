package main

// #include "sctpmpi.h"
import "C"

import (
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/file"
)

// fileType is the datatype with a handle. If there is none package file finds that out, so that the other ranks of a collective
// operation hear of it.
func fileType(h C.uintptr_t) *core.Type {
	t, err := typeOf(h)
	if err != nil {
		return datatype.Refuse(datatype.ErrType, "%v", err)
	}
	return t
}

// fileBuffer is the memory of an access, of which package file finds out what is wrong, too.
func fileBuffer(m memory) core.Buffer {
	if uintptr(m.addr) < noMemory {
		m.addr = nil
	}
	return core.Buffer{Addr: m.addr, Count: int(m.count), Type: fileType(m.datatype)}
}

// These are for all reads and writes: a says which one it is.

func mpiFileAccess(f *fileObject, a file.Access, offset int64, m memory, status *C.sctpmpi_status) error {
	s, err := f.Do(a, offset, fileBuffer(m))
	if err == nil {
		give(status, s)
	}
	return err
}

// mpiFileIaccess is mpiFileAccess that does not wait.
func mpiFileIaccess(f *fileObject, a file.Access, offset int64, m memory, request *C.uintptr_t) C.int {
	a.Form = file.Nonblocking
	b := fileBuffer(m)
	place, full := reserveRequest()
	if full != nil && !a.Collective {
		return fail(f, full)
	}
	if full != nil {
		b.Type = datatype.Refuse(datatype.ErrArg, "%v", full) // the other ranks would wait for this one
	}
	r, err := f.Start(a, offset, b)
	if full != nil {
		return fail(f, full)
	}
	return giveReserved(f, request, place, r, err)
}

// mpiFileBegin is the first half of a split collective access.
func mpiFileBegin(f *fileObject, a file.Access, offset int64, m memory) error {
	a.Form = file.Split
	b := fileBuffer(m)
	err := f.Begin(a, offset, b)
	if err == nil {
		f.split.Store(&b)
	}
	return err
}

// mpiFileEnd is the second half.
func mpiFileEnd(f *fileObject, a file.Access, _ unsafe.Pointer, status *C.sctpmpi_status) error {
	a.Form = file.Split
	b := f.split.Swap(nil)
	if b == nil {
		b = &core.Buffer{Type: core.Basic(datatype.Byte)} // nothing is under way, which End says
	}
	s, err := f.End(a, *b)
	if err == nil {
		give(status, s)
	}
	return err
}
