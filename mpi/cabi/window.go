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
func windowArguments(hints C.uintptr_t, size, unit C.int64_t, to *C.uintptr_t) (*info.Info, error) {
	if err := placed(to, winNull, nil); err != nil {
		return nil, err
	}
	switch {
	case size < 0:
		return nil, faultf(errSize, "a window of %d bytes", int64(size))
	case unit <= 0 || unit > math.MaxInt32:
		return nil, faultf(errDisp, "a displacement unit of %d bytes", int64(unit))
	}
	return infoOf(hints)
}

// noWindow ends the export of a function that makes a window, whose arguments are wrong.
func (c *comm) noWindow(wrong error) C.int {
	return c.refuse(collective.Dup, core.Blocking, wrong) // which is how core begins to make one
}

// bytesOf is memory as bytes.
func bytesOf(base unsafe.Pointer, size C.int64_t) core.Buffer {
	return core.Buffer{Addr: base, Count: int(size), Type: core.Basic(datatype.Byte)}
}

func mpiWinCreate(c *comm, base unsafe.Pointer, size, unit C.int64_t, info C.uintptr_t, to *C.uintptr_t) C.int {
	hints, err := windowArguments(info, size, unit, to)
	if err == nil && uintptr(base) < noMemory && size > 0 {
		err = faultf(errBuffer, "a window of %d bytes at address %#x", int64(size), uintptr(base))
	}
	if err != nil {
		return c.noWindow(err)
	}
	made, err := c.WinCreate("MPI_Win_create", core.FlavorCreate, bytesOf(base, size), int(unit))
	return giveWin(c, to, hints, made, nil, err)
}

func mpiWinAllocate(c *comm, size, unit C.int64_t, info C.uintptr_t, baseptr unsafe.Pointer, to *C.uintptr_t) C.int {
	hints, err := windowArguments(info, size, unit, to)
	if err != nil {
		return c.noWindow(err)
	}
	if baseptr == nil {
		return c.noWindow(errNoPlace)
	}
	base, err := allocate(size)
	if err != nil {
		return c.noWindow(err)
	}
	b := bytesOf(base, size)
	made, err := c.WinAllocate("MPI_Win_allocate", b.Type, b.Count, int(unit), func() core.Buffer { return b })
	if err == nil && made.Memory().Addr != base { // it is shared
		C.free(base)
		base = nil
	}
	code := giveWin(c, to, hints, made, base, err)
	if code == 0 {
		*(*unsafe.Pointer)(baseptr) = made.Memory().Addr
	}
	return code
}

func mpiWinAllocateShared(c *comm, size, unit C.int64_t, info C.uintptr_t, baseptr unsafe.Pointer, to *C.uintptr_t) C.int {
	hints, err := windowArguments(info, size, unit, to)
	if err != nil {
		return c.noWindow(err)
	}
	if baseptr == nil {
		return c.noWindow(errNoPlace)
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

func mpiWinCreateDynamic(c *comm, info C.uintptr_t, to *C.uintptr_t) C.int {
	hints, err := windowArguments(info, 0, 1, to)
	if err != nil {
		return c.noWindow(err)
	}
	made, err := c.WinCreateDynamic("MPI_Win_create_dynamic", core.Basic(datatype.Byte))
	return giveWin(c, to, hints, made, nil, err)
}

func mpiWinSharedQuery(w *win, rank int) (size, unit int, base uintptr, err error) {
	memory, unit, err := w.SharedQuery("MPI_Win_shared_query", rank)
	if err != nil {
		return 0, 0, 0, err
	}
	if base = uintptr(memory.Addr); rank >= 0 {
		base = w.place(memory, w.SharedBase(rank))
	}
	return memory.Count, unit, base, nil
}

func mpiWinAttach(w *win, base unsafe.Pointer, size C.int64_t) error {
	if size < 0 {
		return faultf(errSize, "%d bytes to be attached", int64(size))
	}
	_, err := w.Attach("MPI_Win_attach", bytesOf(base, size))
	return err
}

func mpiWinDetach(w *win, base unsafe.Pointer) error {
	return w.Detach("MPI_Win_detach", bytesOf(base, 0)) // only the address counts
}

func mpiWinFree(w *win, h *C.uintptr_t) error {
	if err := w.Free("MPI_Win_free"); err != nil {
		return err
	}
	windowFaces.Delete(w.Comm())
	windows.Remove(w.handle)
	C.free(unsafe.Pointer(w.values))
	C.free(w.allocated)
	*h = winNull
	return nil
}

func mpiWinGetGroup(w *win) *core.Group {
	c := w.Comm().View(context.Background())
	return c.Group()
}
