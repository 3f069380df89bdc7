package core

import (
	"context"
	"maps"
	"slices"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/file"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/info"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// File is an open file: see package file. Its methods here return what a face shows; the others are those of file.File.
type File struct {
	*file.File
	comm *Comm
}

// OpenFile opens a file on all ranks, with a communicator of its own.
func (c *View) OpenFile(path string, mode file.Mode, hints *info.Info) (*File, error) {
	const op = "mpi.OpenFile"
	if err := c.usable(op); err != nil {
		return nil, err
	}
	if err := c.Intra(op); err != nil {
		return nil, err
	}
	own, err := c.private()
	if err != nil {
		return nil, err
	}
	f, err := file.Open(fileComm{own.View(context.Background())}, path, mode, pairs(hints))
	if err != nil {
		return nil, err
	}
	return &File{f, own}, nil
}

// Comm is the communicator of the file. No messages may be sent on it.
func (f *File) Comm() *Comm { return f.comm }

// Group is the processes that have opened the file.
func (f *File) Group() (*Group, error) {
	if f == nil {
		return nil, mpierr.Invalid("mpi.File.Group", rpi.ErrFile, "the file is nil")
	}
	v := f.comm.View(context.Background())
	return v.Group(), nil
}

// SetInfo sets hints.
func (f *File) SetInfo(hints *info.Info) error { return f.Inner().SetInfo(pairs(hints)) }

// Info returns the hints that are in use, in the order of their keys.
func (f *File) Info() *info.Info {
	hints := new(info.Info)
	all := f.Inner().Info()
	for _, key := range slices.Sorted(maps.Keys(all)) {
		_ = hints.Set("mpi.File.Info", key, all[key]) // which is short
	}
	return hints
}

// pairs are the keys and values of hints.
func pairs(hints *info.Info) map[string]string {
	all := make(map[string]string)
	for _, key := range hints.Keys() {
		if value, ok := hints.Get(key); ok {
			all[key] = value
		}
	}
	return all
}

// Do reads or writes a buffer.
func (f *File) Do(a file.Access, offset int64, b Buffer) (Status, error) {
	bytes, err := f.Inner().Access(a, offset, fileMemory(a, b))
	return fileStatus(bytes, b), err
}

// Start is Do that does not wait.
func (f *File) Start(a file.Access, offset int64, b Buffer) (*Request, error) {
	w := &fileAccess{buffer: b}
	pending, err := f.Inner().Start(a, offset, fileMemory(a, b), w.done)
	if err != nil {
		return nil, err
	}
	w.Pending = pending
	return f.comm.NewRequest(a.Op(), &w.whole, w), nil
}

// Begin is the first half of a split collective access, End the second.
func (f *File) Begin(a file.Access, offset int64, b Buffer) error {
	return f.Inner().Begin(a, offset, fileMemory(a, b))
}

// End waits for the end of what Begin has begun with b.
func (f *File) End(a file.Access, b Buffer) (Status, error) {
	bytes, err := f.Inner().End(a)
	return fileStatus(bytes, b), err
}

// Inner is the file, nil if there is none: its operations say so.
func (f *File) Inner() *file.File {
	if f == nil {
		return nil
	}
	return f.File
}

func fileMemory(a file.Access, b Buffer) file.Memory {
	m := file.Memory{Addr: b.Addr, Count: int64(b.Count), Type: b.Type}
	if err := b.wrong(a.Op()); err != nil {
		m.Err = err
	}
	return m
}

// fileStatus is the status of an access of so many bytes.
func fileStatus(bytes int64, b Buffer) Status {
	s := EmptyStatus
	s.Bytes = int(bytes)
	if item := b.Type.Item(); item > 0 {
		s.Count = int(bytes / item)
	}
	return s
}

// fileAccess is an access for which a request stands.
type fileAccess struct {
	*file.Pending
	whole  rpi.Request
	buffer Buffer // reachable until the access has ended
	bytes  int64
	err    error
}

func (w *fileAccess) done(bytes int64, err error) {
	w.bytes, w.err = bytes, err
	w.whole.Complete(nil)
}

// Outcome implements Work.
func (w *fileAccess) Outcome() (Status, error) { return fileStatus(w.bytes, w.buffer), w.err }

// Cancel implements Work.
func (w *fileAccess) Cancel(op string) error {
	return mpierr.Invalid(op, rpi.ErrRequest, "an operation of a file cannot be cancelled")
}

// Release implements Work.
func (w *fileAccess) Release() { w.buffer.Addr = nil }

// fileComm is what a file needs of its communicator.
type fileComm struct{ view View }

func (c fileComm) Rank() int   { return c.view.Rank() }
func (c fileComm) Size() int   { return c.view.Size() }
func (c fileComm) Free() error { return c.view.Free() }

func raw(b []byte) Buffer { return Of(Basic(datatype.Byte), b) }

func (c fileComm) Bcast(buffer []byte, root int) error {
	_, err := c.view.Bcast(Blocking, raw(buffer), root)
	return err
}

func (c fileComm) Allgather(mine, all []byte) error {
	_, err := c.view.Allgather(Blocking, raw(mine), raw(all))
	return err
}

func (c fileComm) Alltoallv(send []byte, sent file.Layout, recv []byte, received file.Layout) error {
	_, err := c.view.Alltoallv(Blocking, raw(send), Layout(sent), raw(recv), Layout(received))
	return err
}
