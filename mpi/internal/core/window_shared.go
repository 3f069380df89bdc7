package core

import (
	"os"
	"reflect"
	"unsafe"

	"github.com/sctpmpi/sctpmpi/internal/hostmem"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/window"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// share is what a rank tells the others before they share memory.
type share struct {
	Host               uint64
	Process, Len, Unit int64
}

var (
	shareType  = datatype.OfGo(reflect.TypeFor[share]())
	ticketType = datatype.OfGo(reflect.TypeFor[window.Ticket]())
)

// WinAllocateShared makes a window of memory that all ranks can use directly. Each has n elements of it, one rank's after
// the other's. Displacements are in units of so many bytes, which may differ.
func (c *View) WinAllocateShared(op string, kind *Type, n, unit int) (*Window, error) {
	w, err := c.window(op, FlavorShared, kind, unit)
	if err != nil {
		return nil, err
	}
	own := w.comm.View(c.ctx)
	if w.segment, err = w.share(&own, op, n); err != nil {
		w.abandon()
		return nil, renamed(op, err)
	}
	w.Share(w.segment)
	w.memory = w.part(own.rank)
	for rank := range w.firsts {
		w.Near(rank, w.segment, rank, w.part(rank).solid(), w.units[rank])
	}
	made, err := w.made(c.ctx, op, nil)
	w.Meets()
	w.segment.Shared()
	return made, err
}

// share makes the memory of all ranks.
func (w *Window) share(c *View, op string, n int) (*window.Segment, error) {
	all := make([]share, c.group.Size())
	mine := share{window.Host(), int64(os.Getpid()), int64(n), int64(w.unit)}
	o, err := c.begin(collective.Allgather, Blocking, shareType)
	if err != nil {
		return nil, err
	}
	size := int(w.kind.Extent())
	o.Require(wrongUnit(op, w.unit))
	if err := inOnePiece(op, Buffer{Type: w.kind}); err != nil {
		o.Require(err)
	} else if n < 0 || int64(n) > hostmem.AddressSpace/int64(size) {
		o.Require(mpierr.Invalid(op, rpi.ErrCount, "%d elements of %s: there must be 0 or more, and room for them", n, w.kind.Name()))
	}
	c.allgather(o, Of(shareType, []share{mine}), Of(shareType, all))
	if err := o.Do(c.ctx); err != nil {
		return nil, err
	}
	within := true
	for rank, s := range all {
		if s.Host != all[0].Host {
			return nil, mpierr.Invalid(op, rpi.ErrRMAShared, "rank %d is on another host than rank 0: SplitType gives the ranks of a host a communicator", rank).About(rank)
		}
		within = within && s.Process == all[0].Process
		w.firsts, w.units = append(w.firsts, w.elements), append(w.units, int(s.Unit))
		w.elements += int(s.Len)
	}
	size *= w.elements
	tickets := make([]window.Ticket, 1)
	var segment *window.Segment
	if c.rank == 0 {
		segment, tickets[0], err = window.NewSegment(size, len(all), len(all), within)
	}
	if _, failed := c.Bcast(Blocking, Of(ticketType, tickets), 0); failed != nil {
		if segment != nil {
			segment.Close()
		}
		return nil, failed
	}
	if c.rank != 0 && tickets[0] != (window.Ticket{}) { // rank 0 says why, if there is none
		segment, err = window.OpenSegment(tickets[0], size, len(all), len(all))
	}
	var may *mpierr.Error
	if err != nil {
		may = mpierr.Because(err, op, rpi.ErrRMAShared, "%v", err)
	}
	view := w.View(c.ctx)
	if failed := view.barrier(op, may); failed != nil {
		if segment != nil {
			segment.Close()
		}
		return nil, failed
	}
	return segment, nil
}

// SharedQuery returns the memory of a rank in a window of WinAllocateShared, and how many bytes a displacement in it counts.
// ProcNull is the first rank that has any.
func (w *WindowView) SharedQuery(op string, rank int) (memory Buffer, unit int, err error) {
	if err := w.valid(op); err != nil {
		return Buffer{}, 0, err
	}
	switch {
	case w.segment == nil:
		return Buffer{}, 0, mpierr.Invalid(op, rpi.ErrWin, "the window is not of WinAllocateShared")
	case rank == ProcNull:
		for rank = 0; rank < len(w.firsts)-1 && w.part(rank).Count == 0; rank++ {
		}
	case rank < 0 || rank >= len(w.firsts):
		return Buffer{}, 0, mpierr.Invalid(op, rpi.ErrRank, "rank %d is not in a window of %s", rank, mpierr.Plural(len(w.firsts), "rank"))
	}
	return w.part(rank), w.units[rank], nil
}

// SharedBase is the address at which the memory of a rank begins in a window of WinAllocateShared. That of a rank without any is where
// that of the rank before it ends; it is 0 if no rank has any.
func (w *Window) SharedBase(rank int) uintptr {
	if w.elements == 0 {
		return 0
	}
	return uintptr(unsafe.Pointer(unsafe.SliceData(w.segment.Bytes()))) + uintptr(w.firsts[rank])*uintptr(w.kind.Extent())
}

// Base is the address at which the memory of this rank begins.
func (w *Window) Base() uintptr {
	if w.segment != nil {
		return w.SharedBase(w.comm.rank)
	}
	return uintptr(w.memory.Addr)
}

// part is the memory of a rank.
func (w *Window) part(rank int) Buffer {
	end := w.elements
	if rank+1 < len(w.firsts) {
		end = w.firsts[rank+1]
	}
	first := w.firsts[rank]
	if first == end {
		return Buffer{Type: w.kind}
	}
	return Buffer{Addr: unsafe.Pointer(&w.segment.Bytes()[first*int(w.kind.Extent())]), Count: end - first, Type: w.kind}
}
