package main

/*
#include <stdlib.h>
#include <string.h>
#include "sctpmpi.h"

// aligned_memory is memory for any type and for a cache line of its own, all 0.
static void *aligned_memory(int64_t size) {
	void *p = NULL;
	size_t n = size > 0 ? (size_t)size : 1;
	return posix_memalign(&p, 64, n) == 0 ? memset(p, 0, n) : NULL;
}
*/
import "C"

import "unsafe"

// allocate is memory of a size, for C.free.
func allocate(size C.int64_t) (unsafe.Pointer, error) {
	if size < 0 {
		return nil, faultf(errSize, "memory of %d bytes", int64(size))
	}
	p := C.aligned_memory(size)
	if p == nil {
		return nil, faultf(errNoMem, "there is no memory of %d bytes", int64(size))
	}
	return p, nil
}

//export sctpmpi_Alloc_mem
func sctpmpi_Alloc_mem(size C.int64_t, info C.uintptr_t, baseptr unsafe.Pointer) C.int {
	if _, err := infoOf(info); err != nil {
		return fail(nil, err)
	}
	p, err := allocate(size)
	if err == nil {
		*(*unsafe.Pointer)(baseptr) = p
	}
	return fail(nil, err)
}

//export sctpmpi_Free_mem
func sctpmpi_Free_mem(base unsafe.Pointer) C.int {
	C.free(base)
	return 0
}
