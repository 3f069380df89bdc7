package file

import (
	"bytes"
	"encoding/binary"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Datarep is how numbers look in the file (section 14.5). Internal is Native here.
type Datarep string

// The representations. Programs cannot register others.
const (
	Native     Datarep = "native"
	External32 Datarep = "external32"
	Internal   Datarep = "internal"
)

// Current is the displacement of a view that begins where the shared pointer is, for sequential files (MPI_DISPLACEMENT_CURRENT).
const Current = -54278278

// portable is the error of a type whose elements have other sizes in external32 than in memory.
func portable(op string, t *datatype.Type) error {
	if external, err := t.ExternalSize(1); err != nil || external != t.Size() {
		return mpierr.Invalid(op, rpi.ErrUnsupported, "%s has %d bytes in memory and %d in external32: use types that have the same size in both", t.Name(), t.Size(), external)
	}
	return nil
}

// SetView sets what this rank sees of the file, and both pointers to its beginning (MPI_FILE_SET_VIEW).
func (f *File) SetView(disp int64, etype, filetype *datatype.Type, rep Datarep) error {
	const in = callSetView
	return f.collectively(in, func() error {
		v, encoded, err := f.newView(in.op(), disp, etype, filetype, rep)
		told, err := agree(f.comm, in, err, etypeExtent(etype), datarepNumber(rep), int64(len(encoded)))
		if err == nil {
			err = same(in, told, f.comm.Rank(), 0, "an etype with the extent", rpi.ErrNotSame)
		}
		if err == nil {
			err = same(in, told, f.comm.Rank(), 1, "the data representation", rpi.ErrNotSame)
		}
		if err != nil {
			return err
		}
		views, alike, err := f.exchangeViews(in, v, encoded, told)
		if err == nil {
			err = f.failed(in, f.shared.reset(f.comm.Rank()))
		}
		if _, err = agree(f.comm, in, err); err != nil {
			return err
		}
		f.mu.Lock()
		defer f.mu.Unlock()
		f.view, f.views, f.alike, f.position = v, views, alike, 0
		return nil
	})
}

func etypeExtent(t *datatype.Type) int64 {
	if t == nil {
		return 0
	}
	return t.Extent()
}

func datarepNumber(r Datarep) int64 {
	if r == External32 {
		return 1
	}
	return 0
}

// newView checks the arguments of SetView, and returns the view and how it is told to the other ranks.
func (f *File) newView(op string, disp int64, etype, filetype *datatype.Type, rep Datarep) (*view, []byte, error) {
	if etype == nil || filetype == nil {
		return nil, nil, mpierr.Invalid(op, rpi.ErrType, "the etype or the filetype is missing")
	}
	for _, t := range []*datatype.Type{etype, filetype} {
		if err := t.Err(); err != nil {
			return nil, nil, refused(op, err)
		}
	}
	switch {
	case disp == Current && f.mode&Sequential == 0:
		return nil, nil, mpierr.Invalid(op, rpi.ErrArg, "the current displacement is for sequential files")
	case disp != Current && f.mode&Sequential != 0:
		return nil, nil, mpierr.Invalid(op, rpi.ErrArg, "the displacement is %d: views of sequential files begin at the current one", disp)
	case disp == Current:
		at, err := f.shared.get()
		if err != nil {
			return nil, nil, f.failed(callSetView, err)
		}
		disp = f.views[f.comm.Rank()].offset(at * f.views[f.comm.Rank()].unit)
	}
	switch rep {
	case Native, Internal:
	case External32:
		if err := portable(op, etype); err != nil {
			return nil, nil, err
		}
	default:
		return nil, nil, mpierr.Invalid(op, rpi.ErrDatarep, "%q is none of %q, %q and %q", string(rep), string(Native), string(External32), string(Internal))
	}
	v, err := newView(op, disp, etype, filetype, rep, f.mode.writes())
	if err != nil {
		return nil, nil, err
	}
	encoded, err := filetype.AppendBinary(binary.AppendVarint(binary.AppendVarint(nil, disp), v.unit))
	if err != nil {
		encoded = nil // it is too long: see exchangeViews
	}
	return v, encoded, nil
}

// mostViews bounds what a rank is told of the views of all, in bytes. It is a variable for tests.
var mostViews int64 = 64 << 20

// exchangeViews returns the views of all ranks, and whether they are alike. Those that are alike are kept once. If they have too
// many irregular blocks for that the views of the other ranks are nil: then collective accesses are independent ones.
func (f *File) exchangeViews(in call, mine *view, encoded []byte, told []record) (views []*view, alike bool, err error) {
	longest := int64(0)
	known := true
	for _, t := range told {
		longest = max(longest, t.values[2])
		known = known && t.values[2] > 0
	}
	if !known || longest > mostViews/int64(len(told)) {
		views = make([]*view, len(told))
		views[f.comm.Rank()] = mine
		return views, len(told) == 1, nil
	}
	block := make([]byte, longest)
	copy(block, encoded)
	all := make([]byte, longest*int64(len(told)))
	if err := f.comm.Allgather(block, all); err != nil {
		return nil, false, lost(in, err)
	}
	views, alike = make([]*view, len(told)), true
	seen := map[string]*view{string(encoded): mine}
	for i, t := range told {
		b := all[int64(i)*longest:][:t.values[2]]
		alike = alike && bytes.Equal(b, encoded)
		v, ok := seen[string(b)]
		if !ok {
			if v, err = parseView(in.op(), b); err != nil {
				return nil, false, err
			}
			seen[string(b)] = v
		}
		views[i] = v
	}
	return views, alike, nil
}

func parseView(op string, b []byte) (*view, error) {
	disp, n := binary.Varint(b)
	unit, m := binary.Varint(b[max(n, 0):])
	if n <= 0 || m <= 0 || unit <= 0 {
		return nil, mpierr.Invalid(op, rpi.ErrIntern, "the description of another rank's view is wrong")
	}
	filetype, err := datatype.Parse(b[n+m:])
	if err != nil {
		return nil, refused(op, err)
	}
	etype, err := datatype.Contiguous(unit, datatype.Basic(datatype.Byte))
	if err != nil {
		return nil, refused(op, err)
	}
	return newView(op, disp, etype, filetype, Native, false)
}

// View is what SetView has set (MPI_FILE_GET_VIEW).
func (f *File) View() (disp int64, etype, filetype *datatype.Type, rep Datarep) {
	if f == nil {
		return 0, nil, nil, Native
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.view.disp, f.view.etype, f.view.filetype, f.view.rep
}
