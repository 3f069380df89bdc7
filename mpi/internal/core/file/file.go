package file

import (
	"os"
	"sync"
	"sync/atomic"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// File is an open file. Its collective operations run one after the other, in the order of the calls, whatever goroutines call
// them.
type File struct {
	comm     Comm
	os       *os.File
	path     string
	mode     Mode
	hints    atomic.Pointer[hints]
	readable bool   // os may read, though mode may not
	shared   shared // the pointer of all ranks

	turns  queue   // the collective operations
	views  []*view // of all ranks; only the collective operations use it
	atomic atomic.Bool
	dirty  atomic.Bool // something has been written since the last Sync

	exclusion sync.Mutex // held by an operation that has locked a part of the file

	mu        sync.Mutex // guards what follows
	view      *view
	alike     bool         // the views of all ranks are the same
	position  int64        // the individual pointer, in etypes
	split     chan outcome // of the split collective operation that is under way
	splitCall call
	closed    bool
	spare     []byte // see buffer
}

// usable says why no operation can be called, nil if one can.
func (f *File) usable(in call) error {
	if f == nil {
		return mpierr.Invalid(in.op(), rpi.ErrFile, "the file is nil")
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return mpierr.Invalid(in.op(), rpi.ErrFile, "%q has been closed", f.path)
	}
	return nil
}

// collectively calls run when the collective operations before it have ended.
func (f *File) collectively(in call, run func() error) error {
	if err := f.usable(in); err != nil {
		return err
	}
	var err error
	f.turns.call(func() { err = run() })
	return err
}

// length is how long the file is, in bytes.
func (f *File) length() (int64, error) {
	info, err := f.os.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// Mode is how the file was opened (MPI_FILE_GET_AMODE).
func (f *File) Mode() Mode {
	if f == nil {
		return 0
	}
	return f.mode
}

// Size is the length of the file in bytes (MPI_FILE_GET_SIZE).
func (f *File) Size() (int64, error) {
	if err := f.usable(callSize); err != nil {
		return 0, err
	}
	n, err := f.length()
	return n, f.failed(callSize, err)
}

// writing is the error of an operation that writes to a file which is only read.
func (f *File) writing(in call) error {
	if !f.mode.writes() {
		return mpierr.Invalid(in.op(), rpi.ErrReadOnly, "%q is open as %v", f.path, f.mode)
	}
	return nil
}

// SetSize makes the file so many bytes long (MPI_FILE_SET_SIZE).
func (f *File) SetSize(size int64) error {
	return f.resize(callSetSize, size, func() error { return f.os.Truncate(size) })
}

// Preallocate has the file system reserve the first size bytes, and makes the file as long at least (MPI_FILE_PREALLOCATE).
func (f *File) Preallocate(size int64) error {
	return f.resize(callPreallocate, size, func() error { return preallocate(f.os, size) })
}

// resize has rank 0 call change.
func (f *File) resize(in call, size int64, change func() error) error {
	return f.collectively(in, func() error {
		err := f.writing(in)
		switch {
		case err != nil:
		case f.mode&Sequential != 0:
			err = mpierr.Invalid(in.op(), rpi.ErrUnsupported, "%q is open as %v", f.path, f.mode)
		case size < 0 || size > farthest:
			err = mpierr.Invalid(in.op(), rpi.ErrArg, "the size is %d", size)
		}
		told, err := agree(f.comm, in, err, size)
		if err == nil {
			err = same(in, told, f.comm.Rank(), 0, "the size", rpi.ErrNotSame)
		}
		if err != nil {
			return err
		}
		if f.comm.Rank() == 0 {
			err = f.failed(in, change())
		}
		_, err = agree(f.comm, in, err)
		return err
	})
}

// Sync has what was written through f transferred to the disk (MPI_FILE_SYNC).
func (f *File) Sync() error {
	return f.collectively(callSync, func() error {
		_, err := agree(f.comm, callSync, f.failed(callSync, f.flush()))
		return err
	})
}

func (f *File) flush() error {
	if !f.dirty.Swap(false) {
		return nil
	}
	return f.os.Sync()
}

// SetAtomicity turns atomic mode on or off (MPI_FILE_SET_ATOMICITY). In it each access happens at once to all ranks that have
// opened the file together.
func (f *File) SetAtomicity(on bool) error {
	return f.collectively(callSetAtomicity, func() error {
		number := int64(0)
		if on {
			number = 1
		}
		told, err := agree(f.comm, callSetAtomicity, nil, number)
		if err == nil {
			err = same(callSetAtomicity, told, f.comm.Rank(), 0, "the mode", rpi.ErrNotSame)
		}
		if err == nil {
			f.atomic.Store(on)
		}
		return err
	})
}

// Atomicity reports whether the file is in atomic mode (MPI_FILE_GET_ATOMICITY).
func (f *File) Atomicity() bool { return f != nil && f.atomic.Load() }

// SetInfo sets hints, on which all ranks agree (MPI_FILE_SET_INFO).
func (f *File) SetInfo(info map[string]string) error {
	return f.collectively(callSetInfo, func() error {
		h, err := f.hints.Load().agreed(f.comm, callSetInfo, info)
		if err == nil {
			f.hints.Store(&h)
		}
		return err
	})
}

// Info are the hints that are in use (MPI_FILE_GET_INFO).
func (f *File) Info() map[string]string {
	if f == nil {
		return nil
	}
	return f.hints.Load().info()
}
