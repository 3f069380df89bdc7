package main

/*
#include "sctpmpi.h"
*/
import "C"

import (
	"context"
	"errors"
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/cabi/internal/handle"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/info"
)

// What windows have as other objects do: attributes, hints, a name, an error handler. Attributes are those of the window's own
// communicator, with which they end.

// attributes is where the attributes of a window are.
func (w *win) attributes() core.View { return w.Comm().View(context.Background()) }

// winHandle is the handle of a window with attributes.
func winHandle(object any) handle.Handle {
	if w, ok := windowFaces.Load(object.(*core.Comm)); ok {
		return w.(*win).handle
	}
	return winNull
}

//export sctpmpi_Win_create_keyval
func sctpmpi_Win_create_keyval(invokeCopy, copyFn, invokeDelete, deleteFn unsafe.Pointer, to *C.int, extra unsafe.Pointer) C.int {
	return createKeyval(handle.Win, winHandle, function{invokeCopy, copyFn}, function{invokeDelete, deleteFn}, to, extra)
}

//export sctpmpi_Win_free_keyval
func sctpmpi_Win_free_keyval(number *C.int) C.int { return freeKeyval(number, handle.Win) }

//export sctpmpi_Win_set_attr
func sctpmpi_Win_set_attr(h C.uintptr_t, number C.int, value unsafe.Pointer) C.int {
	w, err := winOf(h)
	if err != nil {
		return fail(nil, err)
	}
	k, err := keyvalOf(number, handle.Win)
	if err != nil {
		return fail(w, err)
	}
	view := w.attributes()
	return fail(w, view.SetAttribute(k.Key, value))
}

//export sctpmpi_Win_get_attr
func sctpmpi_Win_get_attr(h C.uintptr_t, number C.int, value unsafe.Pointer, flag *C.int) C.int {
	w, err := winOf(h)
	if err != nil {
		return fail(nil, err)
	}
	if v, ok := w.predefined(number); ok {
		*flag, *(*uintptr)(value) = 1, v
		return 0
	}
	k, err := keyvalOf(number, handle.Win)
	if err != nil {
		return fail(w, err)
	}
	view := w.attributes()
	v, ok, err := view.Attribute(k.Key)
	if *flag = truth(ok); ok {
		*(*unsafe.Pointer)(value) = v.(unsafe.Pointer)
	}
	return fail(w, err)
}

// base is the address of this rank's memory.
func (w *win) base() uintptr { return w.place(w.Memory(), w.Base()) }

// place is the address of a rank's memory, which is at one if it has any. That of a rank without any is where its predecessor's ends in
// shared memory which is one piece, and nowhere in other.
func (w *win) place(memory core.Buffer, at uintptr) uintptr {
	if w.apart && memory.Count == 0 {
		return 0
	}
	return at
}

// predefined is the value of a predefined attribute: MPI_WIN_BASE is the address itself, the others are addresses of values.
func (w *win) predefined(number C.int) (uintptr, bool) {
	switch number {
	case 601:
		return w.base(), true
	case 602:
		return uintptr(unsafe.Pointer(&w.values.unit)), true
	case 603:
		return uintptr(unsafe.Pointer(&w.values.size)), true
	case 604:
		return uintptr(unsafe.Pointer(&w.values.flavor)), true
	case 605:
		return uintptr(unsafe.Pointer(&w.values.model)), true
	}
	return 0, false
}

//export sctpmpi_Win_delete_attr
func sctpmpi_Win_delete_attr(h C.uintptr_t, number C.int) C.int {
	w, err := winOf(h)
	if err != nil {
		return fail(nil, err)
	}
	k, err := keyvalOf(number, handle.Win)
	if err != nil {
		return fail(w, err)
	}
	view := w.attributes()
	err = view.DeleteAttribute(k.Key)
	var code returned
	if err != nil && !errors.As(err, &code) {
		err = faultf(errKeyval, "the window has no such attribute")
	}
	return fail(w, err)
}

// windowHints are the hints that windows know, and their values without a word of the program (MPI 4.1, section 12.2.1).
// None changes what is done.
var windowHints = map[string]string{
	"no_locks": "false", "accumulate_ordering": "rar,raw,war,waw", "accumulate_ops": "same_op_no_op", "same_size": "false",
	"same_disp_unit": "false", "alloc_shared_noncontig": "false",
}

// hint takes the hints that are known.
func (w *win) hint(hints *info.Info) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for key, value := range windowHints {
		if text, ok := hints.Get(key); ok {
			value = text
		} else if _, known := w.hints.Get(key); known {
			continue
		}
		if err := w.hints.Set("MPI_Win_set_info", key, value); err != nil {
			return err
		}
	}
	return nil
}

//export sctpmpi_Win_set_info
func sctpmpi_Win_set_info(h, info C.uintptr_t) C.int {
	w, err := winOf(h)
	if err != nil {
		return fail(nil, err)
	}
	hints, err := infoOf(info)
	if err != nil {
		return fail(w, err)
	}
	return fail(w, w.hint(hints))
}

//export sctpmpi_Win_get_info
func sctpmpi_Win_get_info(h C.uintptr_t, used *C.uintptr_t) C.int {
	w, err := winOf(h)
	if err != nil {
		return fail(nil, err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return giveInfo(w, used, w.hints.Dup(), nil)
}

// maxObjectName is MPI_MAX_OBJECT_NAME, without the end.
const maxObjectName = 127

//export sctpmpi_Win_set_name
func sctpmpi_Win_set_name(h C.uintptr_t, name *C.char) C.int {
	w, err := winOf(h)
	if err != nil {
		return fail(nil, err)
	}
	text := C.GoString(name)
	if len(text) > maxObjectName {
		return fail(w, faultf(errArg, "a name of %d bytes: there must be %d at most", len(text), maxObjectName))
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.name = text
	return 0
}

//export sctpmpi_Win_get_name
func sctpmpi_Win_get_name(h C.uintptr_t, name *C.char, room C.int64_t, length *C.int) C.int {
	if h == winNull {
		*length = textTo(name, room, "MPI_WIN_NULL")
		return 0
	}
	w, err := winOf(h)
	if err != nil {
		return fail(nil, err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	*length = textTo(name, room, w.name)
	return 0
}

//export sctpmpi_Win_set_errhandler
func sctpmpi_Win_set_errhandler(h, errhandler C.uintptr_t) C.int {
	w, err := winOf(h)
	return setErrhandler(w, err, errhandler)
}

//export sctpmpi_Win_get_errhandler
func sctpmpi_Win_get_errhandler(h C.uintptr_t, errhandler *C.uintptr_t) C.int {
	w, err := winOf(h)
	return getErrhandler(w, err, errhandler)
}

//export sctpmpi_Win_call_errhandler
func sctpmpi_Win_call_errhandler(h C.uintptr_t, errorcode C.int) C.int {
	w, err := winOf(h)
	return callErrhandler(w, err, errorcode)
}
