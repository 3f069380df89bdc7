package main

/*
#include "sctpmpi.h"
*/
import "C"

import (
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/cabi/internal/handle"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
)

// What the chapter of collective operations has in common. Each operation is exported in three forms: blocking, nonblocking,
// persistent. Arguments that are not significant at a rank are not looked at.

// inPlace is MPI_IN_PLACE in the standard ABI.
func inPlace(buf unsafe.Pointer) bool { return uintptr(buf) == 1 }

// nothing stands for a buffer that is not significant.
var nothing = core.Buffer{Type: core.Basic(datatype.Packed)}

// collectively makes the call of a collective operation on a communicator, and ends the export. What call returns as a fault it
// has found before it has called core.
func collectively(of collective.Routine, f core.Form, on C.uintptr_t, request *C.uintptr_t, call func(c *comm) (*core.Request, error)) C.int {
	c, err := commOf(on)
	if err != nil {
		return fail(nil, err)
	}
	var h handle.Handle
	if f != core.Blocking {
		if h, err = reserveRequest(); err != nil {
			return c.refuse(of, f, err)
		}
	}
	r, err := call(c)
	if wrong, ok := err.(*fault); ok {
		if h != 0 {
			requests.GiveBack(h)
		}
		return c.refuse(of, f, wrong)
	}
	if f == core.Blocking {
		return fail(c, err)
	}
	return giveReserved(c, request, h, r, err)
}

// refuse ends the export of a collective operation whose arguments are wrong. The other ranks would wait for this one, and so it
// makes the call, as one that fails.
func (c *comm) refuse(of collective.Routine, f core.Form, wrong error) C.int {
	class, text := classOf(wrong)
	c.Refuse(of, f, class.ofCore(), text)
	return fail(c, wrong)
}

// construct ends the export of a collective function that makes a communicator, which begin does. wrong is what the export has found
// wrong with its arguments, nil if nothing is.
func (c *comm) construct(of collective.Routine, to *C.uintptr_t, wrong error, begin func() (*core.Comm, error)) C.int {
	if wrong = placed(to, commNull, wrong); wrong != nil {
		return c.refuse(of, core.Blocking, wrong)
	}
	made, err := begin()
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
func given(what string, buf unsafe.Pointer, count C.int64_t, datatype C.uintptr_t) (core.Buffer, error) {
	if inPlace(buf) {
		return core.Buffer{}, faultf(errBuffer, "the %s buffer is MPI_IN_PLACE, which is not possible here", what)
	}
	return bufferOf(buf, count, datatype)
}

// aliased says that two buffers, of which one is written to, begin at one place without MPI_IN_PLACE. Core takes that for in place.
func aliased(a, b core.Buffer) error {
	if a.Addr == b.Addr && a.Addr != nil && a.Len() > 0 && b.Len() > 0 {
		return faultf(errBuffer, "the send and the receive buffer are the same memory: that needs MPI_IN_PLACE")
	}
	return nil
}

// apart is given, and not at the place of another buffer.
func apart(what string, buf unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, other core.Buffer) (core.Buffer, error) {
	b, err := given(what, buf, count, datatype)
	if err == nil {
		err = aliased(b, other)
	}
	return b, err
}

// times is a buffer with count elements for each of n ranks.
func times(what string, buf unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, n int) (core.Buffer, error) {
	b, err := given(what, buf, count, datatype)
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

// laidOut is a buffer with parts for n ranks. The program does not say how long it is: it is from the first part to the last.
func laidOut(what string, buf unsafe.Pointer, counts, displs array, datatype C.uintptr_t, n int) (core.Buffer, core.Layout, error) {
	b, err := given(what, buf, 0, datatype)
	if err != nil {
		return b, core.Layout{}, err
	}
	l := core.Layout{Displs: make([]int, n)}
	if l.Counts, err = counts.counts(what, n); err != nil {
		return b, l, err
	}
	if displs.at == nil && n > 0 {
		return b, l, faultf(errArg, "the array of %s displacements is a null pointer", what)
	}
	first, end := 0, 0
	for i, count := range l.Counts {
		if count == 0 {
			continue // its displacement does not matter
		}
		d := displs.element(i)
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

// separate are n buffers at displacements in bytes, each with its own type.
func separate(what string, buf unsafe.Pointer, counts, displs array, datatypes *C.uintptr_t, n int) ([]core.Buffer, error) {
	if n > 0 && (displs.at == nil || datatypes == nil) {
		return nil, faultf(errArg, "an array of %s displacements or datatypes is a null pointer", what)
	}
	list, err := counts.counts(what, n)
	if err != nil {
		return nil, err
	}
	all := make([]core.Buffer, n)
	for i, count := range list {
		if count == 0 {
			continue
		}
		if all[i], err = bufferOf(unsafe.Add(buf, displs.element(i)), C.int64_t(count), unsafe.Slice(datatypes, n)[i]); err != nil {
			return nil, err
		}
	}
	return all, nil
}
