package main

/*
#include "sctpmpi.h"

// Functions of the program are called by functions of the library above: invoke(fn, ...).

static inline int call_copy(void *invoke, void *fn, uintptr_t object, int keyval, void *extra, void *in, void *out, int *flag) {
	return ((int (*)(void *, uintptr_t, int, void *, void *, void *, int *))invoke)(fn, object, keyval, extra, in, out, flag);
}
static inline int call_delete(void *invoke, void *fn, uintptr_t object, int keyval, void *value, void *extra) {
	return ((int (*)(void *, uintptr_t, int, void *, void *))invoke)(fn, object, keyval, value, extra);
}
static inline int call_query(void *invoke, void *fn, void *extra, sctpmpi_status *status) {
	return ((int (*)(void *, void *, sctpmpi_status *))invoke)(fn, extra, status);
}
static inline int call_free(void *invoke, void *fn, void *extra) {
	return ((int (*)(void *, void *))invoke)(fn, extra);
}
static inline int call_cancel(void *invoke, void *fn, void *extra, int complete) {
	return ((int (*)(void *, void *, int))invoke)(fn, extra, complete);
}
*/
import "C"

import (
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/cabi/internal/handle"
)

// function is a function of the program: invoke calls fn. The null function has no invoke.
type function struct{ invoke, fn unsafe.Pointer }

// codeError is the error that a function of the program has returned as a code.
func codeError(code C.int) error {
	if code == 0 {
		return nil
	}
	return returned(code)
}

// copyAttribute calls a function that copies attributes.
func (f function) copyAttribute(object handle.Handle, keyval C.int, extra, value unsafe.Pointer) (copied unsafe.Pointer, keep bool, err error) {
	var flag C.int
	code := C.call_copy(f.invoke, f.fn, C.uintptr_t(object), keyval, extra, value, unsafe.Pointer(&copied), &flag)
	return copied, flag != 0, codeError(code)
}

// deleteAttribute calls a function that deletes attributes.
func (f function) deleteAttribute(object handle.Handle, keyval C.int, value, extra unsafe.Pointer) error {
	return codeError(C.call_delete(f.invoke, f.fn, C.uintptr_t(object), keyval, value, extra))
}

// query calls the function of a generalized request that fills in its status.
func (f function) query(extra unsafe.Pointer, status *C.sctpmpi_status) error {
	return codeError(C.call_query(f.invoke, f.fn, extra, status))
}

// free calls the function at the end of a generalized request.
func (f function) free(extra unsafe.Pointer) error {
	return codeError(C.call_free(f.invoke, f.fn, extra))
}

// cancel calls the function that cancels a generalized request.
func (f function) cancel(extra unsafe.Pointer, completed bool) error {
	return codeError(C.call_cancel(f.invoke, f.fn, extra, truth(completed)))
}
