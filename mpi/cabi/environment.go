package main

/*
#include "sctpmpi.h"
*/
import "C"

import (
	"os"
	"runtime"
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

//export sctpmpi_Get_library_version
func sctpmpi_Get_library_version(out *C.char, room C.int64_t, length *C.int) C.int {
	*length = textTo(out, room, "sctpmpi "+rpi.Version()+" ("+runtime.Version()+")")
	return 0
}

//export sctpmpi_Get_processor_name
func sctpmpi_Get_processor_name(name *C.char, room C.int64_t, length *C.int) C.int {
	host, err := os.Hostname()
	if err != nil {
		return fail(nil, faultf(errOther, "the name of this host: %v", err))
	}
	*length = textTo(name, room, host)
	return 0
}

//export sctpmpi_Error_class
func sctpmpi_Error_class(errorcode C.int, errorclass *C.int) C.int {
	c, err := errorClass(int(errorcode))
	*errorclass = C.int(c)
	return fail(nil, err)
}

//export sctpmpi_Error_string
func sctpmpi_Error_string(errorcode C.int, out *C.char, room C.int64_t, length *C.int) C.int {
	text, err := errorString(int(errorcode))
	*length = textTo(out, room, text)
	return fail(nil, err)
}

//export sctpmpi_Add_error_class
func sctpmpi_Add_error_class(errorclass *C.int) C.int {
	number, err := additions.add(0)
	if err == nil {
		*errorclass = C.int(number)
	}
	return fail(nil, err)
}

//export sctpmpi_Add_error_code
func sctpmpi_Add_error_code(errorclass C.int, errorcode *C.int) C.int {
	if errorclass <= 0 {
		return fail(nil, faultf(errArg, "%d is no error class", int(errorclass)))
	}
	number, err := additions.add(class(errorclass))
	if err == nil {
		*errorcode = C.int(number)
	}
	return fail(nil, err)
}

//export sctpmpi_Add_error_string
func sctpmpi_Add_error_string(errorcode C.int, text *C.char) C.int {
	return fail(nil, additions.describe(int(errorcode), C.GoString(text)))
}

//export sctpmpi_Remove_error_class
func sctpmpi_Remove_error_class(errorclass C.int) C.int {
	return fail(nil, additions.remove(int(errorclass), true))
}

//export sctpmpi_Remove_error_code
func sctpmpi_Remove_error_code(errorcode C.int) C.int {
	return fail(nil, additions.remove(int(errorcode), false))
}

//export sctpmpi_Remove_error_string
func sctpmpi_Remove_error_string(errorcode C.int) C.int {
	return fail(nil, additions.describe(int(errorcode), ""))
}

//export sctpmpi_Get_address
func sctpmpi_Get_address(location unsafe.Pointer, address *C.int64_t) C.int {
	*address = C.int64_t(uintptr(location))
	return 0
}
