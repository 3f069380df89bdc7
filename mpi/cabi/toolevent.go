package main

/*
#include "sctpmpi.h"
*/
import "C"

import "unsafe"

// There are no events and no sources of events, which an implementation may do without (MPI 4.1, section 15.3.8): every index is
// out of range, every name unknown and every handle invalid.

func none(c class) C.int { return inTool(func() class { return c }) }

func noneOf(num *C.int) C.int {
	return inTool(func() class {
		tell(num, 0)
		return success
	})
}

//export sctpmpi_T_event_get_num
func sctpmpi_T_event_get_num(num *C.int) C.int { return noneOf(num) }

//export sctpmpi_T_source_get_num
func sctpmpi_T_source_get_num(num *C.int) C.int { return noneOf(num) }

//export sctpmpi_T_event_get_info
func sctpmpi_T_event_get_info(index C.int, name *C.char, nameLength, verbosity *C.int, datatypes *C.uintptr_t, displacements *C.int64_t,
	elements *C.int, enumtype, info *C.uintptr_t, desc *C.char, descLength, bind *C.int) C.int {
	return none(toolInvalidIndex)
}

//export sctpmpi_T_event_get_index
func sctpmpi_T_event_get_index(name *C.char, index *C.int) C.int {
	return inTool(func() class { return tellIndex(index, name, 0, nil) })
}

//export sctpmpi_T_event_handle_alloc
func sctpmpi_T_event_handle_alloc(index C.int, object unsafe.Pointer, info C.uintptr_t, registration *C.uintptr_t) C.int {
	return none(toolInvalidIndex)
}

//export sctpmpi_T_event_handle_free
func sctpmpi_T_event_handle_free(registration C.uintptr_t, data, invoke, fn unsafe.Pointer) C.int {
	return none(toolInvalidHandle)
}

//export sctpmpi_T_event_handle_get_info
func sctpmpi_T_event_handle_get_info(registration C.uintptr_t, info *C.uintptr_t) C.int {
	return none(toolInvalidHandle)
}

//export sctpmpi_T_event_handle_set_info
func sctpmpi_T_event_handle_set_info(registration, info C.uintptr_t) C.int {
	return none(toolInvalidHandle)
}

//export sctpmpi_T_event_register_callback
func sctpmpi_T_event_register_callback(registration C.uintptr_t, safety C.int, info C.uintptr_t, data, invoke, fn unsafe.Pointer) C.int {
	return none(toolInvalidHandle)
}

//export sctpmpi_T_event_callback_get_info
func sctpmpi_T_event_callback_get_info(registration C.uintptr_t, safety C.int, info *C.uintptr_t) C.int {
	return none(toolInvalidHandle)
}

//export sctpmpi_T_event_callback_set_info
func sctpmpi_T_event_callback_set_info(registration C.uintptr_t, safety C.int, info C.uintptr_t) C.int {
	return none(toolInvalidHandle)
}

//export sctpmpi_T_event_set_dropped_handler
func sctpmpi_T_event_set_dropped_handler(registration C.uintptr_t, invoke, fn unsafe.Pointer) C.int {
	return none(toolInvalidHandle)
}

//export sctpmpi_T_event_read
func sctpmpi_T_event_read(instance C.uintptr_t, index C.int, buffer unsafe.Pointer) C.int {
	return none(toolInvalidHandle)
}

//export sctpmpi_T_event_copy
func sctpmpi_T_event_copy(instance C.uintptr_t, buffer unsafe.Pointer) C.int {
	return none(toolInvalidHandle)
}

//export sctpmpi_T_event_get_timestamp
func sctpmpi_T_event_get_timestamp(instance C.uintptr_t, timestamp *C.int64_t) C.int {
	return none(toolInvalidHandle)
}

//export sctpmpi_T_event_get_source
func sctpmpi_T_event_get_source(instance C.uintptr_t, index *C.int) C.int {
	return none(toolInvalidHandle)
}

//export sctpmpi_T_source_get_info
func sctpmpi_T_source_get_info(index C.int, name *C.char, nameLength *C.int, desc *C.char, descLength, ordering *C.int,
	ticks, most *C.int64_t, info *C.uintptr_t) C.int {
	return none(toolInvalidIndex)
}

//export sctpmpi_T_source_get_timestamp
func sctpmpi_T_source_get_timestamp(index C.int, timestamp *C.int64_t) C.int {
	return none(toolInvalidIndex)
}
