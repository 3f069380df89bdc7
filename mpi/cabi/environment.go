package main

// #include "sctpmpi.h"
import "C"

import (
	"os"
	"runtime"
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/info"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

func mpiGetLibraryVersion() string {
	return "sctpmpi " + rpi.Version() + " (" + runtime.Version() + ")"
}

func mpiGetProcessorName() (string, error) {
	host, err := os.Hostname()
	if err != nil {
		return "", faultf(errOther, "the name of this host: %v", err)
	}
	return host, nil
}

// mpiGetHwResourceInfo tells nothing (MPI 5.0, chapter 9): which parts of the hardware a process is bound to is not known here.
func mpiGetHwResourceInfo() *info.Info { return new(info.Info) }

func mpiErrorClass(code int) (C.int, error) {
	c, err := errorClass(code)
	return C.int(c), err
}

func mpiErrorString(code int) (string, error) { return errorString(code) }
func mpiAddErrorClass() (int, error)          { return additions.add(0) }

func mpiAddErrorCode(of int) (int, error) {
	if of <= 0 {
		return 0, faultf(errArg, "%d is no error class", of)
	}
	return additions.add(class(of))
}

func mpiAddErrorString(code int, text string) error { return additions.describe(code, text) }
func mpiRemoveErrorClass(class int) error           { return additions.remove(class, true) }
func mpiRemoveErrorCode(code int) error             { return additions.remove(code, false) }
func mpiRemoveErrorString(code int) error           { return additions.describe(code, "") }
func mpiGetAddress(location unsafe.Pointer) int64   { return int64(uintptr(location)) }
