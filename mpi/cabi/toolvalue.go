package main

// #include "sctpmpi.h"
import "C"

import (
	"slices"
	"unsafe"
)

// Constants of the standard ABI for variables.
const (
	verbosityUser  = 9  // MPI_T_VERBOSITY_USER_BASIC
	verbosityTuner = 17 // MPI_T_VERBOSITY_TUNER_BASIC
	bindNoObject   = 1
	scopeConstant  = 1
	classState     = 1
	classLevel     = 2
	classCounter   = 7
)

// valueType is the datatype of a variable, as its handle in the standard ABI.
type valueType uintptr

const (
	intValue    valueType = 0x209 // MPI_INT, of an enumeration
	countValue  valueType = 0x20f // MPI_UNSIGNED_LONG_LONG
	secondValue valueType = 0x214 // MPI_DOUBLE
	textValue   valueType = 0x243 // MPI_CHAR
)

// textRoom is how many bytes a text has at most, with its end.
const textRoom = 256

// count is how many elements a value has.
func (t valueType) count() C.int {
	if t == textValue {
		return textRoom
	}
	return 1
}

// writeValue writes a value to the program's memory: an int, a uint64, a float64 or a string, as the type says.
func writeValue(to unsafe.Pointer, value any) error {
	if to == nil {
		return toolInvalid
	}
	switch v := value.(type) {
	case int:
		*(*C.int)(to) = C.int(v)
	case uint64:
		*(*uint64)(to) = v
	case float64:
		*(*float64)(to) = v
	case string:
		textTo((*C.char)(to), textRoom, v)
	}
	return nil
}

// enumeration are the values of a variable that have names: from 0 on, in order.
type enumeration struct {
	name  string
	items []string
}

// The enumerations. The handle of one is its index plus 1.
var (
	switches     = &enumeration{"switch", []string{"off", "on"}}
	connectTimes = &enumeration{"connect", []string{"lazy", "eager"}}
	states       = &enumeration{"state", []string{"not initialized", "initialized", "finalized"}}
	enumerations = []*enumeration{switches, connectTimes, states}
)

// handle is that of an enumeration, MPI_T_ENUM_NULL if there is none.
func (e *enumeration) handle() C.uintptr_t { return C.uintptr_t(slices.Index(enumerations, e) + 1) }

// enumOf is the enumeration with a handle.
func enumOf(h C.uintptr_t) (*enumeration, error) {
	if h < 1 || int(h) > len(enumerations) {
		return nil, toolInvalidHandle
	}
	return enumerations[h-1], nil
}

func mpiTEnumGetInfo(e *enumeration) (num int, name string) { return len(e.items), e.name }

func mpiTEnumGetItem(e *enumeration, index C.int) (value C.int, name string, err error) {
	name, err = elementAt(e.items, index)
	return index, name, err
}
