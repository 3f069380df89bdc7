package file

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Open opens a file on all ranks of comm, which it takes over: it is freed when the file is closed, or cannot be opened
// (MPI_FILE_OPEN).
func Open(comm Comm, path string, mode Mode, info map[string]string) (*File, error) {
	f := &File{comm: comm, path: path, mode: mode, alike: true, turns: queue{limit: 1}}
	if err := f.open(info); err != nil {
		if f.os != nil {
			_ = f.os.Close()
		}
		_ = comm.Free() // err is the one to report
		return nil, err
	}
	bytes := datatype.Basic(datatype.Byte)
	f.view, _ = newView(callOpen.op(), 0, bytes, bytes, Native, false) // which is a valid one
	f.views = slices.Repeat([]*view{f.view}, comm.Size())
	return f, nil
}

func (f *File) open(info map[string]string) error {
	op, comm := callOpen.op(), f.comm
	told, err := agree(comm, callOpen, f.mode.check(op), int64(f.mode))
	if err != nil {
		return err
	}
	for i, t := range told {
		if theirs := Mode(t.values[0]); theirs != f.mode {
			return mpierr.Invalid(op, rpi.ErrNotSame, "rank %d passes the mode %v where this rank passes %v: all ranks must pass the same", i, theirs, f.mode).About(i)
		}
	}
	hints, err := defaultHints.agreed(comm, callOpen, info)
	if err != nil {
		return err
	}
	f.hints.Store(&hints)
	// Rank 0 makes the file, so that it is only made once and is there for the others.
	made := false
	if comm.Rank() == 0 {
		made, err = f.openFirst()
	}
	size := int64(0)
	if err == nil && comm.Rank() == 0 {
		size, err = f.length()
	}
	if told, err = agree(comm, callOpen, err, size); err != nil {
		return err
	}
	if f.mode&Append != 0 {
		f.position = told[0].values[0]
		f.shared.initial = f.position
	}
	if comm.Rank() != 0 {
		err = f.openAs(0)
	}
	named := f.shared.name(comm, f.path) // which all ranks do, those too that could not open it
	_, err = agree(comm, callOpen, cmp.Or(err, named))
	if err != nil && made {
		_ = os.Remove(f.path) // the error of the open is the one to report
	}
	return err
}

// openFirst opens the file on rank 0, and reports whether it has made it.
func (f *File) openFirst() (made bool, err error) {
	if f.mode&Create == 0 {
		return false, f.openAs(0)
	}
	err = f.openAs(os.O_CREATE | os.O_EXCL)
	if f.mode&Exclusive == 0 && errors.Is(err, fs.ErrExist) {
		return false, f.openAs(os.O_CREATE)
	}
	return err == nil, err
}

func (f *File) openAs(create int) error {
	if info, err := os.Stat(f.path); err == nil && !info.Mode().IsRegular() && create&os.O_EXCL == 0 {
		return mpierr.Invalid(callOpen.op(), rpi.ErrBadFile, "%q is no regular file", f.path) // the open of a pipe would wait
	}
	h := f.hints.Load()
	flags, permissions := f.mode.flags(), os.FileMode(h.permissions)
	f.readable = f.mode.reads()
	var file *os.File
	err := os.ErrPermission
	if f.mode&WriteOnly != 0 && h.sieveWrites { // which must read what is between pieces
		file, err = os.OpenFile(f.path, os.O_RDWR|create, permissions)
		f.readable = err == nil
	}
	if errors.Is(err, fs.ErrPermission) {
		file, err = os.OpenFile(f.path, flags|create, permissions)
	}
	if err != nil {
		return failed(callOpen.op(), fmt.Sprintf("%q", f.path), err)
	}
	f.os = file
	return nil
}

// Close closes the file, when its operations have ended (MPI_FILE_CLOSE). It is closed even if Close fails.
func (f *File) Close() error {
	return f.collectively(callClose, func() error {
		var err error
		if f.mode&DeleteOnClose == 0 {
			err = f.flush()
		}
		err = errors.Join(err, f.os.Close(), f.shared.close())
		f.mu.Lock()
		f.closed, f.spare = true, nil
		f.mu.Unlock()
		// All ranks have closed it, then it can be removed.
		_, err = agree(f.comm, callClose, f.failed(callClose, err))
		var removed error
		if f.comm.Rank() == 0 {
			removed = f.shared.remove()
			if f.mode&DeleteOnClose != 0 {
				removed = errors.Join(removed, os.Remove(f.path))
			}
		}
		if err == nil {
			_, err = agree(f.comm, callClose, f.failed(callClose, removed))
		}
		return cmp.Or(err, f.comm.Free())
	})
}

// Delete removes a file (MPI_FILE_DELETE). It is not collective.
func Delete(path string) error {
	info, err := os.Lstat(path)
	if err == nil && info.IsDir() {
		return mpierr.Invalid(callDelete.op(), rpi.ErrBadFile, "%q is a directory", path)
	}
	if err == nil {
		err = os.Remove(path)
	}
	if err != nil {
		return failed(callDelete.op(), fmt.Sprintf("%q", path), err)
	}
	return nil
}
