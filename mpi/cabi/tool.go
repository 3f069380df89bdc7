package main

// #include "sctpmpi.h"
import "C"

import (
	"errors"
	"sync"

	"github.com/sctpmpi/sctpmpi/mpi/cabi/internal/handle"
)

// The tool information interface (MPI 4.1, section 15.3) shows the settings of the environment as control variables, and what the
// library counts as performance variables. It can be used before MPI_Init and after MPI_Finalize. Its functions return error
// classes, and call no error handler. All pointers to results may be NULL.

// tool is the interface while it is in use. Its functions hold the lock, and below it none but the transport's. Neither is held for
// long.
var tool struct {
	mu    sync.Mutex
	users int // calls of MPI_T_init_thread without their MPI_T_finalize
	// last is the last handle. A handle is a pointer for C, so there are enough of them: none is used again, and a stale one is
	// in no map.
	last     uintptr
	controls map[uintptr]*control
	sessions map[uintptr]*toolSession
	counting int // handles of performance variables in all sessions
}

// firstHandle is the first handle. Smaller numbers are enumerations and MPI_T_PVAR_ALL_HANDLES.
const firstHandle = 0x1000

// toolLimit is how many sessions there can be at a time, how many handles of control variables, and of performance variables.
const toolLimit = handle.Limit

// newToolHandle is a handle that there has not been before. The lock is held.
func newToolHandle() uintptr {
	tool.last++
	return firstHandle + tool.last
}

// enterTool takes the lock, if the interface is in use.
func enterTool() bool {
	tool.mu.Lock()
	if tool.users == 0 {
		tool.mu.Unlock()
		return false
	}
	return true
}

// toolCode is the code of an error of the interface: its class.
func toolCode(err error) C.int {
	var c class
	if err != nil && !errors.As(err, &c) {
		c = toolInvalid
	}
	return C.int(c)
}

//export sctpmpi_T_init_thread
func sctpmpi_T_init_thread(required C.int, provided *C.int) C.int {
	tool.mu.Lock()
	defer tool.mu.Unlock()
	if tool.users == 0 {
		tool.controls, tool.sessions, tool.counting = map[uintptr]*control{}, map[uintptr]*toolSession{}, 0
	}
	tool.users++
	tell(provided, min(required, threadMultiple))
	return 0
}

// mpiTFinalize ends the interface with its last user. All handles are stale then.
func mpiTFinalize() {
	if tool.users--; tool.users == 0 {
		tool.controls, tool.sessions = nil, nil
	}
}

// tell writes a result of which the program may not want to know.
func tell[T any](to *T, value T) {
	if to != nil {
		*to = value
	}
}

// tellText writes a text to memory of *length bytes, as much as fits, and how many bytes it needs with its end to *length
// (MPI 4.1, section 15.3.3).
func tellText(out *C.char, length *C.int, text string) {
	if length == nil {
		return
	}
	if *length > 0 {
		textTo(out, C.int64_t(*length), text)
	}
	*length = C.int(len(text) + 1)
}

// tellIndex finds a name among n, and writes its index.
func tellIndex(to *C.int, name *C.char, n int, matches func(i int, name string) bool) error {
	if name == nil || to == nil {
		return toolInvalid
	}
	text := C.GoString(name)
	for i := range n {
		if matches(i, text) {
			*to = C.int(i)
			return nil
		}
	}
	return toolInvalidName
}

// elementAt is an element of a list, if the index is in range.
func elementAt[T any](list []T, index C.int) (element T, err error) {
	if index < 0 || int(index) >= len(list) {
		return element, toolInvalidIndex
	}
	return list[index], nil
}
