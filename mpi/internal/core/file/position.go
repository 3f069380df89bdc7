package file

import (
	"io"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Offsets of the program are in etypes of the view, from its beginning.

// Seek moves the individual pointer to an offset from the beginning (io.SeekStart), itself or the end of the file, and returns
// where it is then (MPI_FILE_SEEK).
func (f *File) Seek(offset int64, whence int) (int64, error) {
	if err := f.addressable(callSeek); err != nil {
		return 0, err
	}
	f.mu.Lock()
	v, position := f.view, f.position
	f.mu.Unlock()
	to, err := f.target(callSeek, v, offset, whence, position)
	if err != nil {
		return 0, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.position = to
	return to, nil
}

// target is where a pointer that is at position is to go.
func (f *File) target(in call, v *view, offset int64, whence int, position int64) (int64, error) {
	base := int64(0)
	switch whence {
	case io.SeekStart:
	case io.SeekCurrent:
		base = position
	case io.SeekEnd:
		size, err := f.length()
		if err != nil {
			return 0, f.failed(in, err)
		}
		base = v.endOf(size)
	default:
		return 0, mpierr.Invalid(in.op(), rpi.ErrArg, "whence is %d: it must be io.SeekStart, io.SeekCurrent or io.SeekEnd", whence)
	}
	if offset < -base || offset > farthest-base {
		return 0, mpierr.Invalid(in.op(), rpi.ErrArg, "the offset %d leads from %d to before the beginning of the view, or too far", offset, base)
	}
	return base + offset, nil
}

// endOf is the first etype that lies behind the end of a file of size bytes.
func (v *view) endOf(size int64) int64 {
	if size <= v.disp {
		return 0
	}
	high := ((size-v.disp-1)/v.extent + 1) * v.size
	if v.overlaps { // positions behind the end are found one by one, from the last copy that begins before it
		p := max(0, high-v.size)
		for p < high && v.offset(p) < size {
			p += v.unit
		}
		return p / v.unit
	}
	return (v.before(size, 0, high) + v.unit - 1) / v.unit
}

// Position is where the individual pointer is (MPI_FILE_GET_POSITION).
func (f *File) Position() (int64, error) {
	if err := f.addressable(callPosition); err != nil {
		return 0, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.position, nil
}

// ByteOffset is where an offset is in the file, in bytes (MPI_FILE_GET_BYTE_OFFSET).
func (f *File) ByteOffset(offset int64) (int64, error) {
	if err := f.addressable(callByteOffset); err != nil {
		return 0, err
	}
	f.mu.Lock()
	v := f.view
	f.mu.Unlock()
	if err := v.holds(callByteOffset, offset, 1); err != nil {
		return 0, err
	}
	return v.offset(offset * v.unit), nil
}

// holds checks that an access of some bytes at an offset is within what files can have.
func (v *view) holds(in call, offset, bytes int64) error {
	if offset < 0 {
		return mpierr.Invalid(in.op(), rpi.ErrArg, "the offset is %d", offset)
	}
	if offset > farthest/v.unit || bytes > farthest-offset*v.unit || !v.reaches(offset*v.unit+bytes) {
		return mpierr.Invalid(in.op(), rpi.ErrArg, "%d bytes at offset %d end beyond what a file can have", bytes, offset)
	}
	return nil
}

// addressable is the error of an operation that is not for sequential files.
func (f *File) addressable(in call) error {
	if err := f.usable(in); err != nil {
		return err
	}
	if f.mode&Sequential != 0 {
		return mpierr.Invalid(in.op(), rpi.ErrUnsupported, "%q is open as %v: only the shared pointer can be used", f.path, f.mode)
	}
	return nil
}

// SeekShared moves the shared pointer, as Seek does the individual one (MPI_FILE_SEEK_SHARED).
func (f *File) SeekShared(offset int64, whence int) error {
	const in = callSeekShared
	if err := f.addressable(in); err != nil {
		return err
	}
	return f.collectively(in, func() error {
		told, err := agree(f.comm, in, f.shareable(in), offset, int64(whence))
		if err == nil {
			err = same(in, told, f.comm.Rank(), 0, "the offset", rpi.ErrNotSame)
		}
		if err == nil {
			err = same(in, told, f.comm.Rank(), 1, "whence", rpi.ErrNotSame)
		}
		if err != nil {
			return err
		}
		if f.comm.Rank() == 0 {
			_, err = f.shared.change(func(old int64) (int64, error) {
				return f.target(in, f.views[0], offset, whence, old)
			})
		}
		_, err = agree(f.comm, in, f.failed(in, err))
		return err
	})
}

// PositionShared is where the shared pointer is (MPI_FILE_GET_POSITION_SHARED).
func (f *File) PositionShared() (int64, error) {
	if err := f.addressable(callPositionShared); err != nil {
		return 0, err
	}
	at, err := f.shared.get()
	return at, f.failed(callPositionShared, err)
}

// TypeExtent is the extent of a datatype in the file (MPI_FILE_GET_TYPE_EXTENT).
func (f *File) TypeExtent(t *datatype.Type) (int64, error) {
	if err := f.usable(callTypeExtent); err != nil {
		return 0, err
	}
	f.mu.Lock()
	rep := f.view.rep
	f.mu.Unlock()
	if rep == External32 {
		if err := portable(callTypeExtent.op(), t); err != nil {
			return 0, err
		}
	}
	return t.Extent(), nil
}
