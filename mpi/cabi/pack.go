package main

// #include "sctpmpi.h"
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
func packing(b core.Buffer, memory unsafe.Pointer, size C.int64_t, position *C.int64_t, do func(b core.Buffer, at []byte) (n int, err error)) error {
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

func mpiPack(c *comm, in core.Buffer, out unsafe.Pointer, size C.int64_t, position *C.int64_t) error {
	return packing(in, out, size, position, func(b core.Buffer, at []byte) (int, error) {
		if err := fits(b.Len(), at); err != nil {
			return 0, err
		}
		_, err := b.AppendPacked("MPI_Pack", at[:0])
		return b.Len(), err
	})
}

func mpiUnpack(c *comm, in unsafe.Pointer, size C.int64_t, position *C.int64_t, out core.Buffer) error {
	return packing(out, in, size, position, func(b core.Buffer, at []byte) (int, error) {
		rest, err := b.TakePacked("MPI_Unpack", at)
		return len(at) - len(rest), err
	})
}

func mpiPackSize(c *comm, count int64, t *core.Type, size *C.int64_t) error {
	n, err := t.Bytes(count)
	*size = C.int64_t(n)
	return wrongType(err)
}

// external32 is the data representation of MPI_Pack_external, which has no other.
type external32 struct{}

func external(name *C.char) (as external32, err error) {
	if text := C.GoString(name); text != "external32" {
		err = faultf(errArg, "the data representation is %q: there is external32 only", text)
	}
	return as, err
}

func mpiPackExternal(_ external32, in core.Buffer, out unsafe.Pointer, size C.int64_t, position *C.int64_t) error {
	return packing(in, out, size, position, func(b core.Buffer, at []byte) (int, error) {
		n, err := b.ExternalLen("MPI_Pack_external")
		if err == nil {
			err = fits(n, at)
		}
		if err == nil {
			_, err = b.AppendExternal("MPI_Pack_external", at[:0])
		}
		return n, err
	})
}

func mpiUnpackExternal(_ external32, in unsafe.Pointer, size C.int64_t, position *C.int64_t, out core.Buffer) error {
	return packing(out, in, size, position, func(b core.Buffer, at []byte) (int, error) {
		rest, err := b.TakeExternal("MPI_Unpack_external", at)
		return len(at) - len(rest), err
	})
}

func mpiPackExternalSize(_ external32, count int64, t *core.Type, size *C.int64_t) error {
	n, err := t.ExternalSize(count)
	*size = C.int64_t(n)
	return wrongType(err)
}
