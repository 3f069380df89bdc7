package main

// #include "sctpmpi.h"
import "C"

import (
	"strconv"
	"sync"
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/info"
)

// A library for Fortran that is built over the standard ABI tells MPI how its compiler represents data (MPI 5.0, chapter 20). The types
// of Fortran here are those of gfortran and its like: what a compiler has otherwise is refused.

// fortran is what has been told, each once.
var fortran struct {
	mu       sync.Mutex
	info     *info.Info
	booleans bool
}

const logicalSize = 4 // of MPI_LOGICAL

// fortranSizes are the bytes of the types without a size in their name.
var fortranSizes = []struct {
	key, name string
	bytes     int
}{
	{"mpi_logical_size", "MPI_LOGICAL", logicalSize}, {"mpi_integer_size", "MPI_INTEGER", 4}, {"mpi_real_size", "MPI_REAL", 4},
	{"mpi_double_precision_size", "MPI_DOUBLE_PRECISION", 8},
}

func mpiAbiGetInfo() (*info.Info, error) {
	known := new(info.Info)
	for _, key := range []string{"mpi_aint_size", "mpi_count_size", "mpi_offset_size"} {
		if err := known.Set("MPI_Abi_get_info", key, "8"); err != nil {
			return nil, err
		}
	}
	return known, nil
}

// mpiAbiGetFortranInfo gives what has been set, MPI_INFO_NULL if nothing has.
func mpiAbiGetFortranInfo(to *C.uintptr_t) C.int {
	fortran.mu.Lock()
	set := fortran.info
	fortran.mu.Unlock()
	if set == nil {
		*to = infoNull
		return 0
	}
	return giveInfo(nil, to, set.Dup(), nil)
}

func mpiAbiSetFortranInfo(i *givenInfo) error {
	for _, size := range fortranSizes {
		if v, ok := i.Get(size.key); ok && v != strconv.Itoa(size.bytes) {
			return faultf(errAbi, "%s is %s: %s has %d bytes here", size.key, v, size.name, size.bytes)
		}
	}
	fortran.mu.Lock()
	defer fortran.mu.Unlock()
	if fortran.info != nil {
		return faultf(errAbi, "it has been set already")
	}
	fortran.info = i.Dup()
	return nil
}

func mpiAbiGetFortranBooleans(size int, yes, no unsafe.Pointer, set *C.int) error {
	if yes == nil || no == nil {
		return faultf(errArg, "a logical value at no address")
	}
	fortran.mu.Lock()
	defer fortran.mu.Unlock()
	if *set = truth(fortran.booleans); !fortran.booleans {
		return nil
	}
	if size != logicalSize {
		return faultf(errArg, "a LOGICAL of %d bytes: it has been set to %d", size, logicalSize)
	}
	*(*uint32)(yes), *(*uint32)(no) = 1, 0
	return nil
}

func mpiAbiSetFortranBooleans(size int, yes, no unsafe.Pointer) error {
	switch {
	case yes == nil || no == nil:
		return faultf(errArg, "a logical value at no address")
	case size != logicalSize:
		return faultf(errAbi, "a LOGICAL of %d bytes: MPI_LOGICAL has %d here", size, logicalSize)
	case *(*uint32)(yes) != 1 || *(*uint32)(no) != 0:
		return faultf(errAbi, ".true. is %#x and .false. %#x: they are 1 and 0 here", *(*uint32)(yes), *(*uint32)(no))
	}
	fortran.mu.Lock()
	defer fortran.mu.Unlock()
	if fortran.booleans {
		return faultf(errAbi, "they have been set already")
	}
	fortran.booleans = true
	return nil
}
