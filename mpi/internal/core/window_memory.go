package core

import (
	"github.com/sctpmpi/sctpmpi/internal/hostmem"
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

// WinAllocate is WinCreate of new memory of n elements, which ranks of one host share: see window_near.go. The function that makes other
// memory is called if there may be so much and this rank cannot share any.
func (c *View) WinAllocate(op string, kind *Type, n, unit int, allocate func() Buffer) (*Window, error) {
	w, err := c.window(op, FlavorAllocate, kind, unit)
	if err != nil {
		return nil, err
	}
	bad := wrongUnit(op, unit)
	if bad == nil {
		bad = noRoom(op, kind, n)
	}
	var own neighbour
	if bad == nil && kind.Err() == nil {
		if bad = inOnePiece(op, Buffer{Type: kind}); bad == nil && !w.allocate(n, &own) {
			w.show(allocate())
		}
	}
	neighbours, err := w.tell(c.ctx, op, bad, own)
	if err == nil {
		err = w.meetNeighbours(c.ctx, op, neighbours)
	}
	if err != nil {
		w.abandon()
		return nil, err
	}
	return w, nil
}

// noRoom says why there cannot be memory of n elements, nil if there may be.
func noRoom(op string, kind *Type, n int) *mpierr.Error {
	size, most := max(kind.Extent(), 1), hostmem.Most()
	switch {
	case n < 0:
		return mpierr.Invalid(op, rpi.ErrCount, "%d elements: there must be 0 or more", n)
	case int64(n) > most/size:
		return mpierr.Invalid(op, rpi.ErrCount, "%d elements of %s: there is no room for them, as this host has %d bytes of memory, swap included", n, kind.Name(), most)
	}
	return nil
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
