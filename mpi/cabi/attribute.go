package main

/*
#include <stdlib.h>
#include "sctpmpi.h"
*/
import "C"

import (
	"errors"
	"sync"
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/cabi/internal/handle"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/attribute"
)

var keyvals = handle.NewTable[keyval](handle.Keyval)

// keyval names an attribute of objects of a kind.
type keyval struct {
	*attribute.Key
	kind   handle.Kind
	number C.int // its handle
}

// The predefined attributes of communicators.
var predefinedAttributes = map[C.int]core.Predefined{
	501: core.TagUB, 502: core.IO, 503: core.Host, 504: core.WtimeIsGlobal, 505: core.AppNum, 506: core.LastUsedCode, 507: core.UniverseSize,
}

// createKeyval makes a keyval for objects of a kind. handleFor is the handle of such an object, as package attribute has it.
func createKeyval(kind handle.Kind, handleFor func(object any) handle.Handle, copying, deleting function, to *C.int, extra unsafe.Pointer) C.int {
	k := &keyval{kind: kind}
	var copies attribute.Copy
	var deletes attribute.Delete
	switch {
	case copying.invoke != nil:
		copies = func(object, value any) (any, bool, error) {
			return copying.copyAttribute(handleFor(object), k.number, extra, value.(unsafe.Pointer))
		}
	case copying.fn != nil: // MPI_..._DUP_FN
		copies = func(_, value any) (any, bool, error) { return value, true, nil }
	}
	if deleting.invoke != nil {
		deletes = func(object, value any) error {
			return deleting.deleteAttribute(handleFor(object), k.number, value.(unsafe.Pointer), extra)
		}
	}
	k.Key = attribute.NewKey(copies, deletes)
	h := keyvals.Add(k)
	if h == 0 {
		return fail(nil, tooMany("keyvals"))
	}
	k.number = C.int(h)
	k.Gone(func() { keyvals.Remove(h) })
	*to = k.number
	return 0
}

// keyvalOf is the keyval of objects of a kind with a number.
func keyvalOf(number C.int, kind handle.Kind) (*keyval, error) {
	if k := keyvals.Get(handle.Handle(number)); number > 0 && k != nil && k.kind == kind {
		return k, nil
	}
	return nil, faultf(errKeyval, "%d is no keyval for such an object, or one that has been freed", int(number))
}

// freeKeyval ends the use of a keyval for new attributes. Its number is that of the keyval until the last attribute is deleted:
// programs may have kept it.
func freeKeyval(number *C.int, kind handle.Kind) C.int {
	k, err := keyvalOf(*number, kind)
	if err != nil {
		return fail(nil, err)
	}
	k.Free()
	*number = 0 // MPI_KEYVAL_INVALID
	return 0
}

// commHandle is the handle of a communicator with attributes; MPI_COMM_NULL while it is being made.
func commHandle(object any) handle.Handle {
	if c := faceOf(object.(*core.Comm)); c != nil {
		return c.handle
	}
	return commNull
}

//export sctpmpi_Comm_create_keyval
func sctpmpi_Comm_create_keyval(invokeCopy, copyFn, invokeDelete, deleteFn unsafe.Pointer, to *C.int, extra unsafe.Pointer) C.int {
	return createKeyval(handle.Comm, commHandle, function{invokeCopy, copyFn}, function{invokeDelete, deleteFn}, to, extra)
}

//export sctpmpi_Comm_free_keyval
func sctpmpi_Comm_free_keyval(number *C.int) C.int { return freeKeyval(number, handle.Comm) }

//export sctpmpi_Comm_set_attr
func sctpmpi_Comm_set_attr(comm C.uintptr_t, number C.int, value unsafe.Pointer) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	k, err := keyvalOf(number, handle.Comm)
	if err != nil {
		return fail(c, err)
	}
	return fail(c, c.SetAttribute(k.Key, value))
}

//export sctpmpi_Comm_get_attr
func sctpmpi_Comm_get_attr(comm C.uintptr_t, number C.int, value unsafe.Pointer, flag *C.int) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	if p, ok := predefinedAttributes[number]; ok {
		return c.predefined(p, number, value, flag)
	}
	k, err := keyvalOf(number, handle.Comm)
	if err != nil {
		return fail(c, err)
	}
	v, ok, err := c.Attribute(k.Key)
	if *flag = truth(ok); ok {
		*(*unsafe.Pointer)(value) = v.(unsafe.Pointer)
	}
	return fail(c, err)
}

//export sctpmpi_Comm_delete_attr
func sctpmpi_Comm_delete_attr(comm C.uintptr_t, number C.int) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fail(nil, err)
	}
	k, err := keyvalOf(number, handle.Comm)
	if err != nil {
		return fail(c, err)
	}
	err = c.DeleteAttribute(k.Key)
	var code returned
	if err != nil && !errors.As(err, &code) {
		err = faultf(errKeyval, "the communicator has no such attribute")
	}
	return fail(c, err)
}

// predefinedValues are where the program finds the values of predefined attributes, as pointers to ints.
var predefinedValues struct {
	mu sync.Mutex
	at map[C.int]*C.int
}

// predefined passes the address of the value of a predefined attribute to the program.
func (c *comm) predefined(p core.Predefined, number C.int, to unsafe.Pointer, flag *C.int) C.int {
	v, ok, err := c.Predefined(p)
	if *flag = truth(ok); err != nil || !ok {
		return fail(c, err)
	}
	value := C.int(v)
	switch p {
	case core.Host, core.IO:
		value = rankFor(v)
	case core.LastUsedCode:
		value = C.int(additions.lastUsed())
	}
	all := &predefinedValues
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.at == nil {
		all.at = make(map[C.int]*C.int)
	}
	if all.at[number] == nil {
		all.at[number] = (*C.int)(C.malloc(C.size_t(unsafe.Sizeof(value))))
	}
	*all.at[number] = value
	*(*unsafe.Pointer)(to) = unsafe.Pointer(all.at[number])
	return 0
}
