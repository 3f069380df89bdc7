package main

/*
#include "sctpmpi.h"
*/
import "C"

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

//export sctpmpi_T_event_get_index
func sctpmpi_T_event_get_index(name *C.char, index *C.int) C.int {
	return inTool(func() class { return tellIndex(index, name, 0, nil) })
}
