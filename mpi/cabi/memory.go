package main

/*
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "sctpmpi.h"

#define HUGE_PAGE ((size_t)2 << 20)

// aligned_memory is memory for any type and for a cache line of its own, all 0. Much of it is of huge pages where the system
// has them: ranks of one host copy long messages twice as fast then.
static void *aligned_memory(int64_t size) {
	void *p = NULL;
	size_t n = size > 0 ? (size_t)size : 1, whole = n / HUGE_PAGE * HUGE_PAGE;
	if (posix_memalign(&p, whole > 0 ? HUGE_PAGE : 64, n) != 0)
		return NULL;
#ifdef MADV_HUGEPAGE
	if (whole > 0)
		(void)madvise(p, whole, MADV_HUGEPAGE); // an offer
#endif
	return memset(p, 0, n);
}
*/
import "C"

import (
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/info"
)

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

func mpiAllocMem(size C.int64_t, _ *info.Info) (unsafe.Pointer, error) { return allocate(size) }
func mpiFreeMem(base unsafe.Pointer)                                   { C.free(base) }
