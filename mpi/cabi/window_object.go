package main

// #include "sctpmpi.h"
import "C"

import (
	"context"
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

func mpiWinSetAttr(w *win, k *winKeyval, value unsafe.Pointer) error {
	view := w.attributes()
	return view.SetAttribute(k.Key, value)
}

func mpiWinGetAttr(w *win, number C.int, value unsafe.Pointer, flag *C.int) error {
	if v, ok := w.predefined(number); ok {
		*flag, *(*uintptr)(value) = 1, v
		return nil
	}
	k, err := keyvalOf(number, handle.Win)
	if err != nil {
		return err
	}
	view := w.attributes()
	v, ok, err := view.Attribute(k.Key)
	giveAttribute(v, ok, value, flag)
	return err
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

func mpiWinDeleteAttr(w *win, k *winKeyval) error {
	view := w.attributes()
	return noAttribute("window", view.DeleteAttribute(k.Key))
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

func mpiWinSetInfo(w *win, hints *info.Info) error { return w.hint(hints) }

func mpiWinGetInfo(w *win) *info.Info {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.hints.Dup()
}

// maxObjectName is MPI_MAX_OBJECT_NAME, without the end.
const maxObjectName = 127

func mpiWinSetName(w *win, name string) error {
	if len(name) > maxObjectName {
		return faultf(errArg, "a name of %d bytes: there must be %d at most", len(name), maxObjectName)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.name = name
	return nil
}

func mpiWinGetName(h C.uintptr_t) (string, error) {
	if h == winNull {
		return "MPI_WIN_NULL", nil
	}
	w, err := winOf(h)
	if err != nil {
		return "", err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.name, nil
}
