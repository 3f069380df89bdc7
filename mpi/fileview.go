package mpi

import (
	"cmp"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/file"
)

// FileView is what a rank sees of a file: elements of one type, from a displacement in bytes on, all of them or a
// pattern of at most 2^27 pieces that is repeated to the end of the file (MPI 4.1, section 14.3). Make one with ViewOf and the like. The zero
// FileView is the whole file as bytes. What is wrong with its arguments is the error of SetView.
type FileView struct {
	disp              int64
	element, filetype *datatype.Type
	rep               file.Datarep
	err               error
}

// CurrentDisplacement is the displacement of views of Sequential files: where the shared position is
// (MPI_DISPLACEMENT_CURRENT).
const CurrentDisplacement = file.Current

// ViewOf is all elements of type T.
func ViewOf[T any](disp int64) FileView {
	return pattern[T](disp, func(t *datatype.Type) (*datatype.Type, error) { return t, nil })
}

// ViewStrided is a block of length elements of each stride elements. So rank r of n sees its part of blocks that are
// dealt out to the ranks with ViewStrided[T](r*length*size of T, length, n*length).
func ViewStrided[T any](disp int64, length, stride int) FileView {
	return pattern[T](disp, func(t *datatype.Type) (*datatype.Type, error) {
		if length < 1 || stride < length {
			return nil, datatype.Refuse(datatype.ErrArg, "a block of %d elements of each %d", length, stride).Err()
		}
		block, err := datatype.Contiguous(int64(length), t)
		if err != nil {
			return nil, err
		}
		return datatype.Resized(block, 0, int64(stride)*t.Extent())
	})
}

// ViewIndexed is the parts of each extent elements that a layout describes. Parts have ascending displacements, and do
// not overlap if the file is written.
func ViewIndexed[T any](disp int64, parts Layout, extent int) FileView {
	return pattern[T](disp, func(t *datatype.Type) (*datatype.Type, error) {
		indexed, err := datatype.Indexed(wide(parts.Counts), wide(parts.Displs), t)
		if err != nil {
			return nil, err
		}
		return datatype.Resized(indexed, 0, int64(extent)*t.Extent())
	})
}

// ViewSubarray is a block of an array of several dimensions, of which the last one is contiguous: subsizes elements
// from starts on of sizes (MPI_TYPE_CREATE_SUBARRAY; section 5.1.3). Arrays may follow each other in the file.
func ViewSubarray[T any](disp int64, sizes, subsizes, starts []int) FileView {
	return pattern[T](disp, func(t *datatype.Type) (*datatype.Type, error) {
		return datatype.Subarray(wide(sizes), wide(subsizes), wide(starts), datatype.OrderC, t)
	})
}

// External32 is the same view of a file in external32, where numbers look the same on all machines: the first byte is
// the highest one (section 14.5.2). Without, they are in the file as in this machine's memory.
func (v FileView) External32() FileView {
	v.rep = file.External32
	return v
}

func wide(numbers []int) []int64 {
	all := make([]int64, len(numbers))
	for i, n := range numbers {
		all[i] = int64(n)
	}
	return all
}

// pattern is the view that repeat makes of the type of T.
func pattern[T any](disp int64, repeat func(*datatype.Type) (*datatype.Type, error)) FileView {
	v := FileView{disp: disp, element: datatypeOf[T](), rep: file.Native}
	if v.err = v.element.Err(); v.err == nil {
		v.filetype, v.err = repeat(v.element)
	}
	return v
}

// SetView sets this rank's view, and both positions to 0 (MPI_FILE_SET_VIEW; section 14.3). Collective: each rank has a
// view of its own, of elements of the same size.
func (f *File) SetView(v FileView) error {
	switch {
	case v.err != nil:
		v.filetype = datatype.Refused(v.err) // so that the other ranks hear of it
	case v.element == nil:
		v.element = core.Basic(datatype.Byte)
		v.filetype = v.element
	}
	return public(f.core().Inner().SetView(v.disp, v.element, v.filetype, cmp.Or(v.rep, file.Native)))
}

// View is this rank's view (MPI_FILE_GET_VIEW; section 14.3).
func (f *File) View() FileView {
	disp, element, filetype, rep := f.core().Inner().View()
	return FileView{disp: disp, element: element, filetype: filetype, rep: rep}
}
