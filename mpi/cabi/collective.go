package main

// #include "sctpmpi.h"
import "C"

import (
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/cabi/internal/handle"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
)

// What the chapter of collective operations has in common. Each operation is exported in three forms: blocking, nonblocking,
// persistent. Arguments that are not significant at a rank are not looked at. The other ranks would wait for one whose arguments are
// wrong: see refuse.

// inPlace is MPI_IN_PLACE in the standard ABI.
func inPlace(buf unsafe.Pointer) bool { return uintptr(buf) == 1 }

// nothing stands for a buffer that is not significant.
var nothing = core.Buffer{Type: core.Basic(datatype.Packed)}

// ended ends the export of a blocking operation. A fault has been found before core was called.
func (c *comm) ended(of collective.Routine, err error) C.int {
	if wrong, ok := err.(*fault); ok {
		return c.refuse(of, core.Blocking, wrong)
	}
	return fail(c, err)
}

// begun ends the export of an operation in another form, for whose request a handle was taken.
func (c *comm) begun(of collective.Routine, f core.Form, to *C.uintptr_t, h handle.Handle, r *core.Request, err error) C.int {
	if wrong, ok := err.(*fault); ok {
		requests.GiveBack(h)
		return c.refuse(of, f, wrong)
	}
	return giveReserved(c, to, h, r, err)
}

// refuse ends the export of a collective operation whose arguments are wrong. The other ranks would wait for this one, and so it
// makes the call, as one that fails.
func (c *comm) refuse(of collective.Routine, f core.Form, wrong error) C.int {
	class, text := classOf(wrong)
	c.Refuse(of, f, class.ofCore(), text)
	return fail(c, wrong)
}

// giveMade ends the export of a collective function that makes a communicator.
func (c *comm) giveMade(of collective.Routine, to *C.uintptr_t, made *core.Comm, err error) C.int {
	if wrong, ok := err.(*fault); ok {
		return c.refuse(of, core.Blocking, wrong)
	}
	return c.giveComm(to, made, err)
}

// placed sets a handle to null, which it is after an error, and says so if there is no place for it. An error that has been found
// before is returned as it is.
func placed(to *C.uintptr_t, null C.uintptr_t, wrong error) error {
	if to != nil {
		*to = null
	} else if wrong == nil {
		return errNoPlace
	}
	return wrong
}

// peers is how many ranks a rank exchanges data with: those of its group, or of the other one.
func (c *comm) peers() int {
	if c.Inter() {
		return c.RemoteSize()
	}
	return c.Size()
}

// has reports whether this rank is the root that a rank names: MPI_ROOT names it in an intercommunicator.
func (c *comm) has(root int) bool {
	if c.Inter() {
		return root == core.Root
	}
	return root == c.Rank()
}

// outside reports whether this rank is in the group of the root of an intercommunicator, but is not the root: it has no part in
// the operation.
func (c *comm) outside(root int) bool { return c.Inter() && root == core.ProcNull }

// given is a buffer that must not be MPI_IN_PLACE.
func given(what string, m memory) (core.Buffer, error) {
	if inPlace(m.addr) {
		return core.Buffer{}, faultf(errBuffer, "the %s buffer is MPI_IN_PLACE, which is not possible here", what)
	}
	return m.buffer()
}

// aliased says that two buffers, of which one is written to, begin at one place without MPI_IN_PLACE. Core takes that for in place.
func aliased(a, b core.Buffer) error {
	if a.Addr == b.Addr && a.Addr != nil && a.Len() > 0 && b.Len() > 0 {
		return faultf(errBuffer, "the send and the receive buffer are the same memory: that needs MPI_IN_PLACE")
	}
	return nil
}

// apart is given, and not at the place of another buffer.
func apart(what string, m memory, other core.Buffer) (core.Buffer, error) {
	b, err := given(what, m)
	if err == nil {
		err = aliased(b, other)
	}
	return b, err
}

// times is a buffer with count elements for each of n ranks.
func times(what string, m memory, n int) (core.Buffer, error) {
	b, err := given(what, m)
	if err != nil {
		return b, err
	}
	if n > 0 && b.Count > maxElements/n {
		return b, faultf(errCount, "%d elements for each of %d ranks are too many", b.Count, n)
	}
	b.Count *= n
	return b, nil
}

// maxElements bounds the elements of a buffer, so that their number can be computed with.
const maxElements = 1 << 60

// part is n elements of a buffer from the i-th on.
func part(b core.Buffer, i, n int) core.Buffer {
	if n > 0 {
		b.Addr = unsafe.Add(b.Addr, i*int(b.Type.Extent()))
	}
	b.Count = n
	return b
}

// array is an array of counts or displacements of the program: each has wide bytes.
type array struct {
	at   unsafe.Pointer
	wide C.int
}

func (a array) element(i int) int {
	if a.wide == 8 {
		return int(*(*int64)(unsafe.Add(a.at, 8*i)))
	}
	return int(*(*int32)(unsafe.Add(a.at, 4*i)))
}

// counts is a copy of n counts.
func (a array) counts(what string, n int) ([]int, error) {
	if a.at == nil && n > 0 {
		return nil, faultf(errArg, "the array of %s counts is a null pointer", what)
	}
	list := make([]int, n)
	for i := range list {
		list[i] = a.element(i)
		if list[i] < 0 || list[i] > maxElements {
			return nil, faultf(errCount, "the %s count of rank %d is %d", what, i, list[i])
		}
	}
	return list, nil
}

// parts is memory with a part for each rank, as the program names it.
type parts struct {
	addr           unsafe.Pointer
	counts, displs array
	datatype       C.uintptr_t
}

// laidOut is a buffer with parts for n ranks. The program does not say how long it is: it is from the first part to the last.
func laidOut(what string, p parts, n int) (core.Buffer, core.Layout, error) {
	b, err := given(what, memory{p.addr, 0, p.datatype})
	if err != nil {
		return b, core.Layout{}, err
	}
	l := core.Layout{Displs: make([]int, n)}
	if l.Counts, err = p.counts.counts(what, n); err != nil {
		return b, l, err
	}
	if p.displs.at == nil && n > 0 {
		return b, l, faultf(errArg, "the array of %s displacements is a null pointer", what)
	}
	first, end := 0, 0
	for i, count := range l.Counts {
		if count == 0 {
			continue // its displacement does not matter
		}
		d := p.displs.element(i)
		if d > maxElements || d < -maxElements {
			return b, l, faultf(errArg, "the %s displacement of rank %d is %d", what, i, d)
		}
		l.Displs[i] = d
		first, end = min(first, d), max(end, d+count)
	}
	if first < 0 {
		for i, count := range l.Counts {
			if count > 0 {
				l.Displs[i] -= first
			}
		}
		b.Addr = unsafe.Add(b.Addr, first*int(b.Type.Extent()))
	}
	b.Count = end - first
	return b, l, nil
}

// own is this rank's part of a buffer with a layout.
func (c *comm) own(b core.Buffer, l core.Layout) core.Buffer {
	return part(b, l.Displs[c.Rank()], l.Counts[c.Rank()])
}

// pieces are parts at displacements in bytes, each with its own type.
type pieces struct {
	addr           unsafe.Pointer
	counts, displs array
	datatypes      *C.uintptr_t
}

// separate are pieces as n buffers.
func separate(what string, p pieces, n int) ([]core.Buffer, error) {
	if n > 0 && (p.displs.at == nil || p.datatypes == nil) {
		return nil, faultf(errArg, "an array of %s displacements or datatypes is a null pointer", what)
	}
	list, err := p.counts.counts(what, n)
	if err != nil {
		return nil, err
	}
	all := make([]core.Buffer, n)
	for i, count := range list {
		if count == 0 {
			continue
		}
		if all[i], err = bufferOf(unsafe.Add(p.addr, p.displs.element(i)), C.int64_t(count), unsafe.Slice(p.datatypes, n)[i]); err != nil {
			return nil, err
		}
	}
	return all, nil
}
