package main

/*
#include "sctpmpi.h"
*/
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
func fileBuffer(buf unsafe.Pointer, count C.int64_t, of C.uintptr_t) core.Buffer {
	if uintptr(buf) < noMemory {
		buf = nil
	}
	return core.Buffer{Addr: buf, Count: int(count), Type: fileType(of)}
}

// access reads or writes memory.
func access(h C.uintptr_t, a file.Access, offset C.int64_t, buf unsafe.Pointer, count C.int64_t, of C.uintptr_t, status *C.sctpmpi_status) C.int {
	return fileDo(h, func(f *fileObject) error {
		s, err := f.Do(a, int64(offset), fileBuffer(buf, count, of))
		if err == nil {
			give(status, s)
		}
		return err
	})
}

// iaccess is access that does not wait.
func iaccess(h C.uintptr_t, a file.Access, offset C.int64_t, buf unsafe.Pointer, count C.int64_t, of C.uintptr_t, request *C.uintptr_t) C.int {
	f, err := fileOf(h)
	if err != nil {
		return fileFail(nil, err)
	}
	a.Form = file.Nonblocking
	b := fileBuffer(buf, count, of)
	place, full := reserveRequest()
	if full != nil && !a.Collective {
		return fail(f, full)
	}
	if full != nil {
		b.Type = datatype.Refuse(datatype.ErrArg, "%v", full) // the other ranks would wait for this one
	}
	r, err := f.Start(a, int64(offset), b)
	if full != nil {
		return fail(f, full)
	}
	return giveReserved(f, request, place, r, err)
}

// begin is the first half of a split collective access.
func begin(h C.uintptr_t, a file.Access, offset C.int64_t, buf unsafe.Pointer, count C.int64_t, of C.uintptr_t) C.int {
	return fileDo(h, func(f *fileObject) error {
		a.Form = file.Split
		b := fileBuffer(buf, count, of)
		err := f.Begin(a, int64(offset), b)
		if err == nil {
			f.split.Store(&b)
		}
		return err
	})
}

// end is the second half.
func end(h C.uintptr_t, a file.Access, status *C.sctpmpi_status) C.int {
	return fileDo(h, func(f *fileObject) error {
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
	})
}
