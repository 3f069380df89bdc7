package main

/*
#include "sctpmpi.h"
*/
import "C"

import (
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
)

// packed is the memory from a position of a buffer of packed data on.
func packed(memory unsafe.Pointer, size, position C.int64_t) ([]byte, error) {
	switch {
	case size < 0:
		return nil, faultf(errArg, "the buffer has %d bytes", int64(size))
	case position < 0 || position > size:
		return nil, faultf(errArg, "the position %d is not within the buffer of %d bytes", int64(position), int64(size))
	case uintptr(memory) < noMemory && size > 0:
		return nil, faultf(errBuffer, "the buffer of %d bytes is at address %#x", int64(size), uintptr(memory))
	}
	return unsafe.Slice((*byte)(unsafe.Add(memory, position)), size-position), nil
}

// packing packs elements, or takes them from packed data, with one of core's functions.
func packing(elements unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, memory unsafe.Pointer, size C.int64_t, position *C.int64_t,
	do func(b core.Buffer, at []byte) (n int, err error)) error {
	b, err := bufferOf(elements, count, datatype)
	if err != nil {
		return err
	}
	at, err := packed(memory, size, *position)
	if err != nil {
		return err
	}
	n, err := do(b, at)
	if err == nil {
		*position += C.int64_t(n)
	}
	return err
}

// fits says that n bytes do not fit into memory, nil if they do.
func fits(n int, at []byte) error {
	if n > len(at) {
		return faultf(errTruncate, "%d bytes are to be packed, and there is room for %d", n, len(at))
	}
	return nil
}

//export sctpmpi_Pack
func sctpmpi_Pack(in unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, out unsafe.Pointer, size C.int64_t, position *C.int64_t, comm C.uintptr_t) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	return fail(c, packing(in, count, datatype, out, size, position, func(b core.Buffer, at []byte) (int, error) {
		if err := fits(b.Len(), at); err != nil {
			return 0, err
		}
		_, err := b.AppendPacked("MPI_Pack", at[:0])
		return b.Len(), err
	}))
}

//export sctpmpi_Unpack
func sctpmpi_Unpack(in unsafe.Pointer, size C.int64_t, position *C.int64_t, out unsafe.Pointer, count C.int64_t, datatype, comm C.uintptr_t) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	return fail(c, packing(out, count, datatype, in, size, position, func(b core.Buffer, at []byte) (int, error) {
		rest, err := b.TakePacked("MPI_Unpack", at)
		return len(at) - len(rest), err
	}))
}

//export sctpmpi_Pack_size
func sctpmpi_Pack_size(count C.int64_t, datatype, comm C.uintptr_t, size *C.int64_t) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	t, err := typeOf(datatype)
	if err != nil {
		return fail(c, err)
	}
	n, err := t.Bytes(int64(count))
	*size = C.int64_t(n)
	return fail(c, wrongType(err))
}

// external checks the name of a data representation: MPI_Pack_external has one.
func external(name *C.char) error {
	if text := C.GoString(name); text != "external32" {
		return faultf(errArg, "the data representation is %q: there is external32 only", text)
	}
	return nil
}

//export sctpmpi_Pack_external
func sctpmpi_Pack_external(name *C.char, in unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, out unsafe.Pointer, size C.int64_t, position *C.int64_t) C.int {
	if err := external(name); err != nil {
		return fail(nil, err)
	}
	return fail(nil, packing(in, count, datatype, out, size, position, func(b core.Buffer, at []byte) (int, error) {
		n, err := b.ExternalLen("MPI_Pack_external")
		if err == nil {
			err = fits(n, at)
		}
		if err == nil {
			_, err = b.AppendExternal("MPI_Pack_external", at[:0])
		}
		return n, err
	}))
}

//export sctpmpi_Unpack_external
func sctpmpi_Unpack_external(name *C.char, in unsafe.Pointer, size C.int64_t, position *C.int64_t, out unsafe.Pointer, count C.int64_t, datatype C.uintptr_t) C.int {
	if err := external(name); err != nil {
		return fail(nil, err)
	}
	return fail(nil, packing(out, count, datatype, in, size, position, func(b core.Buffer, at []byte) (int, error) {
		rest, err := b.TakeExternal("MPI_Unpack_external", at)
		return len(at) - len(rest), err
	}))
}

//export sctpmpi_Pack_external_size
func sctpmpi_Pack_external_size(name *C.char, count C.int64_t, datatype C.uintptr_t, size *C.int64_t) C.int {
	if err := external(name); err != nil {
		return fail(nil, err)
	}
	t, err := typeOf(datatype)
	if err != nil {
		return fail(nil, err)
	}
	n, err := t.ExternalSize(int64(count))
	*size = C.int64_t(n)
	return fail(nil, wrongType(err))
}
