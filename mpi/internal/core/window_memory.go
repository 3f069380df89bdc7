package core

import (
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Flavor says where the memory of a window comes from (MPI 4.1, section 12.2.6).
type Flavor uint8

// The flavors.
const (
	FlavorCreate   Flavor = iota // the program has had it before
	FlavorAllocate               // it was made for the window
	FlavorDynamic                // Attach adds it
	FlavorShared                 // it was made for the window, and all ranks can use it directly
)

// Flavor says where its memory comes from.
func (w *Window) Flavor() Flavor { return w.flavor }

// Memory is the memory of this rank; a dynamic window has none.
func (w *Window) Memory() Buffer { return w.memory }

// Unit is how many bytes a displacement in the memory of this rank counts.
func (w *Window) Unit() int { return w.unit }

// WinCreate makes a window of memory of all ranks, with displacements in units of so many bytes. All ranks pass the same type;
// the units may differ.
func (c *View) WinCreate(op string, f Flavor, memory Buffer, unit int) (*Window, error) {
	w, err := c.window(op, f, memory.Type, unit)
	if err != nil {
		return nil, err
	}
	bad := wrongUnit(op, unit)
	if bad == nil && memory.Type.Err() == nil { // else that is what fails
		bad = inOnePiece(op, memory)
	}
	if bad == nil && memory.Type.Err() == nil {
		w.show(memory)
	}
	return w.made(c.ctx, op, bad)
}

// show makes memory that of this rank.
func (w *Window) show(memory Buffer) {
	w.memory = memory
	w.Show(memory.solid(), w.unit)
}

func wrongUnit(op string, unit int) *mpierr.Error {
	if unit <= 0 {
		return mpierr.Invalid(op, rpi.ErrDisp, "a displacement counts %d bytes: it must be 1 or more", unit)
	}
	return nil
}
