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

// failuresAttribute is Open MPI's MPI_FT: whether a program can go on when ranks have died.
const failuresAttribute = 508

// handleOf is the handle of an object with attributes, as package attribute has it, by its kind.
var handleOf = map[handle.Kind]func(object any) handle.Handle{handle.Comm: commHandle, handle.Win: winHandle, handle.Datatype: typeHandle}

// mpiCreateKeyval makes a keyval for objects of a kind.
func mpiCreateKeyval(kind handle.Kind, copying, deleting function, to *C.int, extra unsafe.Pointer) error {
	k, handleFor := &keyval{kind: kind}, handleOf[kind]
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
		return tooMany("keyvals")
	}
	k.number = C.int(h)
	k.Gone(func() { keyvals.Remove(h) })
	*to = k.number
	return nil
}

// keyvalOf is the keyval of objects of a kind with a number.
func keyvalOf(number C.int, kind handle.Kind) (*keyval, error) {
	if k := keyvals.Get(handle.Handle(number)); number > 0 && k != nil && k.kind == kind {
		return k, nil
	}
	return nil, faultf(errKeyval, "%d is no keyval for such an object, or one that has been freed", int(number))
}

// A keyval is for objects of one kind.
type (
	commKeyval = keyval
	winKeyval  = keyval
	typeKeyval = keyval
)

func commKeyvalOf(number C.int) (*keyval, error) { return keyvalOf(number, handle.Comm) }
func winKeyvalOf(number C.int) (*keyval, error)  { return keyvalOf(number, handle.Win) }
func typeKeyvalOf(number C.int) (*keyval, error) { return keyvalOf(number, handle.Datatype) }

// mpiFreeKeyval ends the use of a keyval for new attributes. Its number is that of the keyval until the last attribute is deleted:
// programs may have kept it.
func mpiFreeKeyval(kind handle.Kind, number *C.int) error {
	k, err := keyvalOf(*number, kind)
	if err != nil {
		return err
	}
	k.Free()
	*number = 0 // MPI_KEYVAL_INVALID
	return nil
}

// commHandle is the handle of a communicator with attributes; MPI_COMM_NULL while it is being made.
func commHandle(object any) handle.Handle {
	if c := faceOf(object.(*core.Comm)); c != nil {
		return c.handle
	}
	return commNull
}

func mpiCommSetAttr(c *comm, k *commKeyval, value unsafe.Pointer) error {
	return c.SetAttribute(k.Key, value)
}

func mpiCommGetAttr(c *comm, number C.int, value unsafe.Pointer, flag *C.int) error {
	if p, ok := predefinedAttributes[number]; ok {
		return c.predefined(p, number, value, flag)
	}
	if number == failuresAttribute {
		*flag = 1
		predefinedValues.give(number, 1, value)
		return nil
	}
	k, err := keyvalOf(number, handle.Comm)
	if err != nil {
		return err
	}
	v, ok, err := c.Attribute(k.Key)
	giveAttribute(v, ok, value, flag)
	return err
}

// giveAttribute passes an attribute to the program, if there is one.
func giveAttribute(v any, ok bool, to unsafe.Pointer, flag *C.int) {
	if *flag = truth(ok); ok {
		*(*unsafe.Pointer)(to) = v.(unsafe.Pointer)
	}
}

func mpiCommDeleteAttr(c *comm, k *commKeyval) error {
	return noAttribute("communicator", c.DeleteAttribute(k.Key))
}

// noAttribute is the error of an attribute that is to be deleted: that there is none, unless the program's function has another.
func noAttribute(of string, err error) error {
	var code returned
	if err != nil && !errors.As(err, &code) {
		return faultf(errKeyval, "the %s has no such attribute", of)
	}
	return err
}

// values are where the program finds the values of predefined attributes, as pointers to ints.
type values struct {
	mu sync.Mutex
	at map[C.int]*C.int
}

var predefinedValues = values{at: make(map[C.int]*C.int)}

// give passes the address of an attribute's value to the program.
func (all *values) give(number, value C.int, to unsafe.Pointer) {
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.at[number] == nil {
		all.at[number] = (*C.int)(C.malloc(C.size_t(unsafe.Sizeof(value))))
	}
	*all.at[number] = value
	*(*unsafe.Pointer)(to) = unsafe.Pointer(all.at[number])
}

// predefined passes the address of the value of a predefined attribute to the program.
func (c *comm) predefined(p core.Predefined, number C.int, to unsafe.Pointer, flag *C.int) error {
	v, ok, err := c.Predefined(p)
	if *flag = truth(ok); err != nil || !ok {
		return err
	}
	value := C.int(v)
	switch p {
	case core.Host, core.IO:
		value = rankFor(v)
	case core.LastUsedCode:
		value = C.int(additions.lastUsed())
	}
	predefinedValues.give(number, value, to)
	return nil
}
