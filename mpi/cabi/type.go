package main

/*
#include "sctpmpi.h"
*/
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

//export sctpmpi_Type_commit
func sctpmpi_Type_commit(h *C.uintptr_t) C.int {
	t, err := datatypeOf(*h)
	if err == nil {
		t.Commit()
	}
	return fail(nil, err)
}

//export sctpmpi_Type_free
func sctpmpi_Type_free(h *C.uintptr_t) C.int {
	t, err := datatypeOf(*h)
	switch {
	case err != nil:
		return fail(nil, err)
	case t.predefined:
		return fail(nil, faultf(errType, "%s is predefined, and cannot be freed", t.Name()))
	}
	if err := t.attributes.Clear(t); err != nil {
		return fail(nil, err)
	}
	types.Remove(t.handle)
	*h = typeNull
	return 0
}

//export sctpmpi_Type_dup
func sctpmpi_Type_dup(h C.uintptr_t, to *C.uintptr_t) C.int {
	t, err := datatypeOf(h)
	if err != nil {
		return fail(nil, err)
	}
	made, err := datatype.Dup(t.Type)
	if err != nil {
		return fail(nil, wrongType(err))
	}
	copied := &datatypeObject{Type: made}
	if _, err := newHandle(copied); err != nil {
		return fail(nil, err)
	}
	if err := t.attributes.CopyTo(t, &copied.attributes); err != nil {
		types.Remove(copied.handle)
		return fail(nil, err)
	}
	*to = C.uintptr_t(copied.handle)
	return 0
}

//export sctpmpi_Type_set_name
func sctpmpi_Type_set_name(h C.uintptr_t, name *C.char) C.int {
	t, err := datatypeOf(h)
	switch {
	case err != nil:
	case name == nil:
		err = faultf(errArg, "the name is a null pointer")
	default:
		text := C.GoString(name)
		text = text[:min(len(text), maxName)]
		t.name.Store(&text)
	}
	return fail(nil, err)
}

// maxName is the longest name of an object (MPI_MAX_OBJECT_NAME, without the end).
const maxName = 127

//export sctpmpi_Type_get_name
func sctpmpi_Type_get_name(h C.uintptr_t, name *C.char, room C.int64_t, length *C.int) C.int {
	t, err := datatypeOf(h)
	if err != nil {
		if h != typeNull {
			return fail(nil, err)
		}
		*length = textTo(name, room, "MPI_DATATYPE_NULL")
		return 0
	}
	text := ""
	if given := t.name.Load(); given != nil {
		text = *given
	} else if t.predefined {
		text = t.Name()
	}
	*length = textTo(name, room, text)
	return 0
}

// typeHandle is the handle of a datatype with attributes.
func typeHandle(object any) handle.Handle { return object.(*datatypeObject).handle }

//export sctpmpi_Type_create_keyval
func sctpmpi_Type_create_keyval(invokeCopy, copyFn, invokeDelete, deleteFn unsafe.Pointer, to *C.int, extra unsafe.Pointer) C.int {
	return createKeyval(handle.Datatype, typeHandle, function{invokeCopy, copyFn}, function{invokeDelete, deleteFn}, to, extra)
}

//export sctpmpi_Type_free_keyval
func sctpmpi_Type_free_keyval(number *C.int) C.int { return freeKeyval(number, handle.Datatype) }

//export sctpmpi_Type_set_attr
func sctpmpi_Type_set_attr(h C.uintptr_t, number C.int, value unsafe.Pointer) C.int {
	t, k, err := typeAttribute(h, number)
	if err != nil {
		return fail(nil, err)
	}
	return fail(nil, t.attributes.Put(t, k.Key, value))
}

//export sctpmpi_Type_get_attr
func sctpmpi_Type_get_attr(h C.uintptr_t, number C.int, value unsafe.Pointer, flag *C.int) C.int {
	t, k, err := typeAttribute(h, number)
	if err != nil {
		return fail(nil, err)
	}
	v, ok := t.attributes.Get(k.Key)
	if *flag = truth(ok); ok {
		*(*unsafe.Pointer)(value) = v.(unsafe.Pointer)
	}
	return 0
}

//export sctpmpi_Type_delete_attr
func sctpmpi_Type_delete_attr(h C.uintptr_t, number C.int) C.int {
	t, k, err := typeAttribute(h, number)
	if err != nil {
		return fail(nil, err)
	}
	if err = t.attributes.Delete(t, k.Key); errors.Is(err, attribute.ErrNone) {
		err = faultf(errKeyval, "the datatype has no such attribute")
	}
	return fail(nil, err)
}

// typeAttribute is a datatype and a keyval for datatypes.
func typeAttribute(h C.uintptr_t, number C.int) (*datatypeObject, *keyval, error) {
	t, err := datatypeOf(h)
	if err != nil {
		return nil, nil, err
	}
	k, err := keyvalOf(number, handle.Datatype)
	return t, k, err
}
