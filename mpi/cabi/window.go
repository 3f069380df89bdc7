package main

/*
#include <stdlib.h>
#include "sctpmpi.h"

// What MPI_Win_get_attr gives addresses of.
typedef struct {
	int64_t size;
	int unit, flavor, model;
} win_values;
*/
import "C"

import (
	"context"
	"math"
	"sync"
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/cabi/internal/handle"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/info"
)

var windows = handle.NewTable[win](handle.Win)

// windowFaces has the win of each window's communicator, for attributes and requests.
var windowFaces sync.Map

// win is a window as C programs see it (MPI 4.1, chapter 12).
type win struct {
	core.WindowView
	handling
	handle    handle.Handle
	mu        sync.Mutex // of what follows
	name      string
	hints     info.Info
	values    *C.win_values
	allocated unsafe.Pointer // by MPI_Win_allocate
	apart     bool           // memory of several ranks need not be one piece, as the program has said when it made the window
}

func (w *win) object() (handle.Kind, handle.Handle) { return handle.Win, w.handle }

// The constants of the first flavor of windows, and of the memory model: what a rank and the others see is one memory.
const (
	firstFlavor  = 311
	modelUnified = 321
)

// winOf is the window with a handle.
func winOf(h C.uintptr_t) (*win, error) {
	if w := windows.Get(handle.Handle(h)); w != nil {
		return w, nil
	}
	if h == winNull {
		return nil, faultf(errWin, "the window is MPI_WIN_NULL")
	}
	return nil, noHandle(errWin, handle.Win, uintptr(h), "window", "freed")
}

// giveWin passes a new window of a communicator to the program.
func giveWin(c *comm, to *C.uintptr_t, hints *info.Info, made *core.Window, allocated unsafe.Pointer, err error) C.int {
	if err != nil {
		C.free(allocated)
		return fail(c, err)
	}
	w := &win{WindowView: made.View(context.Background()), allocated: allocated}
	apart, _ := hints.Get("alloc_shared_noncontig")
	w.apart = apart == "true"
	// After an error the window stays, as freeing it takes all ranks.
	if err := w.hint(hints); err != nil {
		return fail(c, err)
	}
	if w.handle = windows.Add(w); w.handle == 0 {
		return fail(c, tooMany("windows"))
	}
	w.values = (*C.win_values)(C.malloc(C.sizeof_win_values))
	*w.values = C.win_values{size: C.int64_t(w.Memory().Count), unit: C.int(w.Unit()), flavor: firstFlavor + C.int(w.Flavor()), model: modelUnified}
	windowFaces.Store(w.Comm(), w)
	*to = C.uintptr_t(w.handle)
	return 0
}

// windowArguments checks what all functions that make windows get.
func windowArguments(of, hints C.uintptr_t, size, unit C.int64_t, to *C.uintptr_t) (*comm, *info.Info, error) {
	c, err := commOf(of)
	if err != nil {
		return nil, nil, err
	}
	if err := placed(to, winNull, nil); err != nil {
		return c, nil, err
	}
	switch {
	case size < 0:
		return c, nil, faultf(errSize, "a window of %d bytes", int64(size))
	case unit <= 0 || unit > math.MaxInt32:
		return c, nil, faultf(errDisp, "a displacement unit of %d bytes", int64(unit))
	}
	known, err := infoOf(hints)
	return c, known, err
}

// noWindow ends the export of a function that makes a window, whose arguments are wrong. c is nil if the communicator is.
func noWindow(c *comm, wrong error) C.int {
	if c == nil {
		return fail(nil, wrong)
	}
	return c.refuse(collective.Dup, core.Blocking, wrong) // which is how core begins to make one
}

// bytesOf is memory as bytes.
func bytesOf(base unsafe.Pointer, size C.int64_t) core.Buffer {
	return core.Buffer{Addr: base, Count: int(size), Type: core.Basic(datatype.Byte)}
}

//export sctpmpi_Win_create
func sctpmpi_Win_create(base unsafe.Pointer, size, unit C.int64_t, info, comm C.uintptr_t, to *C.uintptr_t) C.int {
	c, hints, err := windowArguments(comm, info, size, unit, to)
	if err != nil {
		return noWindow(c, err)
	}
	if uintptr(base) < noMemory && size > 0 {
		return noWindow(c, faultf(errBuffer, "a window of %d bytes at address %#x", int64(size), uintptr(base)))
	}
	made, err := c.WinCreate("MPI_Win_create", core.FlavorCreate, bytesOf(base, size), int(unit))
	return giveWin(c, to, hints, made, nil, err)
}

//export sctpmpi_Win_allocate
func sctpmpi_Win_allocate(size, unit C.int64_t, info, comm C.uintptr_t, baseptr unsafe.Pointer, to *C.uintptr_t) C.int {
	c, hints, err := windowArguments(comm, info, size, unit, to)
	if err != nil {
		return noWindow(c, err)
	}
	if baseptr == nil {
		return noWindow(c, errNoPlace)
	}
	base, err := allocate(size)
	if err != nil {
		return noWindow(c, err)
	}
	made, err := c.WinCreate("MPI_Win_allocate", core.FlavorAllocate, bytesOf(base, size), int(unit))
	code := giveWin(c, to, hints, made, base, err)
	if code == 0 {
		*(*unsafe.Pointer)(baseptr) = base
	}
	return code
}

//export sctpmpi_Win_allocate_shared
func sctpmpi_Win_allocate_shared(size, unit C.int64_t, info, comm C.uintptr_t, baseptr unsafe.Pointer, to *C.uintptr_t) C.int {
	c, hints, err := windowArguments(comm, info, size, unit, to)
	if err != nil {
		return noWindow(c, err)
	}
	if baseptr == nil {
		return noWindow(c, errNoPlace)
	}
	made, err := c.WinAllocateShared("MPI_Win_allocate_shared", core.Basic(datatype.Byte), int(size), int(unit))
	if err != nil {
		return fail(c, err)
	}
	code := giveWin(c, to, hints, made, nil, nil)
	if w, err := winOf(*to); code == 0 && err == nil {
		*(*uintptr)(baseptr) = w.base()
	}
	return code
}

//export sctpmpi_Win_create_dynamic
func sctpmpi_Win_create_dynamic(info, comm C.uintptr_t, to *C.uintptr_t) C.int {
	c, hints, err := windowArguments(comm, info, 0, 1, to)
	if err != nil {
		return noWindow(c, err)
	}
	made, err := c.WinCreateDynamic("MPI_Win_create_dynamic", core.Basic(datatype.Byte))
	return giveWin(c, to, hints, made, nil, err)
}

//export sctpmpi_Win_shared_query
func sctpmpi_Win_shared_query(h C.uintptr_t, rank C.int, size, unit *C.int64_t, baseptr unsafe.Pointer) C.int {
	w, err := winOf(h)
	if err != nil {
		return fail(nil, err)
	}
	memory, of, err := w.SharedQuery("MPI_Win_shared_query", rankOf(rank))
	if err != nil {
		return fail(w, err)
	}
	*size, *unit = C.int64_t(memory.Count), C.int64_t(of)
	*(*uintptr)(baseptr) = uintptr(memory.Addr)
	if rank >= 0 {
		*(*uintptr)(baseptr) = w.place(memory, w.SharedBase(int(rank)))
	}
	return 0
}

//export sctpmpi_Win_attach
func sctpmpi_Win_attach(h C.uintptr_t, base unsafe.Pointer, size C.int64_t) C.int {
	w, err := winOf(h)
	if err != nil {
		return fail(nil, err)
	}
	if size < 0 {
		return fail(w, faultf(errSize, "%d bytes to be attached", int64(size)))
	}
	_, err = w.Attach("MPI_Win_attach", bytesOf(base, size))
	return fail(w, err)
}

//export sctpmpi_Win_detach
func sctpmpi_Win_detach(h C.uintptr_t, base unsafe.Pointer) C.int {
	w, err := winOf(h)
	if err != nil {
		return fail(nil, err)
	}
	return fail(w, w.Detach("MPI_Win_detach", bytesOf(base, 0))) // only the address counts
}

//export sctpmpi_Win_free
func sctpmpi_Win_free(h *C.uintptr_t) C.int {
	w, err := winOf(*h)
	if err != nil {
		return fail(nil, err)
	}
	if err := w.Free("MPI_Win_free"); err != nil {
		return fail(w, err)
	}
	windowFaces.Delete(w.Comm())
	windows.Remove(w.handle)
	C.free(unsafe.Pointer(w.values))
	C.free(w.allocated)
	*h = winNull
	return 0
}

//export sctpmpi_Win_get_group
func sctpmpi_Win_get_group(h C.uintptr_t, to *C.uintptr_t) C.int {
	w, err := winOf(h)
	if err != nil {
		return fail(nil, err)
	}
	c := w.Comm().View(context.Background())
	return giveGroup(w, to, c.Group(), nil, nil)
}
