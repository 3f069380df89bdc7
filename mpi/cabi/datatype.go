package main

// #include "sctpmpi.h"
import "C"

import (
	"errors"
	"sync/atomic"
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/cabi/internal/handle"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/attribute"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
)

// types are the datatypes that are not predefined, or are Fortran's by precision.
var types = handle.NewTable[datatypeObject](handle.Datatype)

// datatypeObject is a datatype as C programs see it. Several of them may have one type: it has been asked of what another one is made.
type datatypeObject struct {
	*core.Type
	handle     handle.Handle
	attributes attribute.Set
	predefined bool
	name       atomic.Pointer[string] // that the program has given: core's is for errors
}

// datatypeOf is the datatype with a handle.
func datatypeOf(h C.uintptr_t) (*datatypeObject, error) {
	if i := uintptr(h) - typeNull; i < uintptr(len(predefinedTypes)) && predefinedTypes[i] != nil {
		return predefinedTypes[i], nil
	}
	if t := types.Get(handle.Handle(h)); t != nil {
		return t, nil
	}
	if h == typeNull {
		return nil, faultf(errType, "the datatype is MPI_DATATYPE_NULL")
	}
	return nil, noHandle(errType, handle.Datatype, uintptr(h), "datatype", "freed")
}

// typeOf is the type of the datatype with a handle.
func typeOf(h C.uintptr_t) (*core.Type, error) {
	t, err := datatypeOf(h)
	if err != nil {
		return nil, err
	}
	return t.Type, nil
}

// giveType passes a new datatype to the program.
func giveType(to *C.uintptr_t, t *core.Type, err error) C.int {
	if err != nil {
		return fail(nil, wrongType(err))
	}
	if to == nil {
		return fail(nil, errNoPlace)
	}
	h, err := newHandle(&datatypeObject{Type: t})
	if err == nil {
		*to = C.uintptr_t(h)
	}
	return fail(nil, err)
}

// errNoPlace is the error of a null pointer where a result is to go.
var errNoPlace = faultf(errArg, "the address of a result is a null pointer")

func newHandle(t *datatypeObject) (handle.Handle, error) {
	t.handle = types.Add(t)
	if t.handle == 0 {
		return 0, tooMany("datatypes")
	}
	return t.handle, nil
}

// wrongType is an error of package datatype as one of this package.
func wrongType(err error) error {
	if err == nil {
		return nil
	}
	return core.Wrong("", err)
}

func mpiTypeCommit(t *datatypeObject) { t.Commit() }

func mpiTypeFree(t *datatypeObject, h *C.uintptr_t) error {
	if t.predefined {
		return faultf(errType, "%s is predefined, and cannot be freed", t.Name())
	}
	if err := t.attributes.Clear(t); err != nil {
		return err
	}
	types.Remove(t.handle)
	*h = typeNull
	return nil
}

func mpiTypeDup(t *datatypeObject) (C.uintptr_t, error) {
	made, err := datatype.Dup(t.Type)
	if err != nil {
		return 0, wrongType(err)
	}
	copied := &datatypeObject{Type: made}
	if _, err := newHandle(copied); err != nil {
		return 0, err
	}
	if err := t.attributes.CopyTo(t, &copied.attributes); err != nil {
		types.Remove(copied.handle)
		return 0, err
	}
	return C.uintptr_t(copied.handle), nil
}

func mpiTypeSetName(t *datatypeObject, name *C.char) error {
	if name == nil {
		return faultf(errArg, "the name is a null pointer")
	}
	text := C.GoString(name)
	text = text[:min(len(text), maxName)]
	t.name.Store(&text)
	return nil
}

// maxName is the longest name of an object (MPI_MAX_OBJECT_NAME, without the end).
const maxName = 127

func mpiTypeGetName(h C.uintptr_t) (string, error) {
	if h == typeNull {
		return "MPI_DATATYPE_NULL", nil
	}
	t, err := datatypeOf(h)
	if err != nil {
		return "", err
	}
	if given := t.name.Load(); given != nil {
		return *given, nil
	}
	if t.predefined {
		return t.Name(), nil
	}
	return "", nil
}

// typeHandle is the handle of a datatype with attributes.
func typeHandle(object any) handle.Handle { return object.(*datatypeObject).handle }

func mpiTypeSetAttr(t *datatypeObject, k *typeKeyval, value unsafe.Pointer) error {
	return t.attributes.Put(t, k.Key, value)
}

func mpiTypeGetAttr(t *datatypeObject, k *typeKeyval, value unsafe.Pointer, flag *C.int) {
	v, ok := t.attributes.Get(k.Key)
	giveAttribute(v, ok, value, flag)
}

func mpiTypeDeleteAttr(t *datatypeObject, k *typeKeyval) error {
	err := t.attributes.Delete(t, k.Key)
	if errors.Is(err, attribute.ErrNone) {
		err = faultf(errKeyval, "the datatype has no such attribute")
	}
	return err
}
