package main

// #include "sctpmpi.h"
import "C"

import (
	"sync"
	"sync/atomic"

	"github.com/sctpmpi/sctpmpi/mpi/cabi/internal/handle"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/file"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/info"
)

var files = handle.NewTable[fileObject](handle.File)

// fileFaces has the fileObject of each file's communicator, for requests.
var fileFaces sync.Map

// fileObject is an open file (MPI 4.1, chapter 14), or MPI_FILE_NULL, which has the error handler of MPI_File_open and
// MPI_File_delete and those that files begin with.
type fileObject struct {
	*core.File
	handling
	handle handle.Handle
	// The memory of the split collective access that is under way: MPI_File_..._end says nothing of its type.
	split atomic.Pointer[core.Buffer]
}

func (f *fileObject) object() (handle.Kind, handle.Handle) { return handle.File, f.handle }

var noFile = &fileObject{handle: fileNull}

// fileOf is the open file with a handle.
func fileOf(h C.uintptr_t) (*fileObject, error) {
	if f := files.Get(handle.Handle(h)); f != nil {
		return f, nil
	}
	if h == fileNull {
		return nil, faultf(errFile, "the file is MPI_FILE_NULL")
	}
	return nil, noHandle(errFile, handle.File, uintptr(h), "file", "closed")
}

// handlingFile is fileOf for functions that MPI_FILE_NULL may be passed to.
func handlingFile(h C.uintptr_t) (*fileObject, error) {
	if h == fileNull {
		return noFile, nil
	}
	return fileOf(h)
}

// openModes are the modes of the standard ABI, and those of package file.
var openModes = []struct {
	number C.int
	mode   file.Mode
}{
	{1, file.Append}, {2, file.Create}, {4, file.DeleteOnClose}, {8, file.Exclusive}, {16, file.ReadOnly},
	{32, file.ReadWrite}, {64, file.Sequential}, {128, file.UniqueOpen}, {256, file.WriteOnly},
}

// openMode is the mode of a program. A number that is no mode becomes one that package file refuses on all ranks.
func openMode(amode C.int) (mode file.Mode) {
	for _, m := range openModes {
		if amode&m.number != 0 {
			mode |= m.mode
			amode &^= m.number
		}
	}
	if amode != 0 {
		return 0
	}
	return mode
}

func mpiFileOpen(c *comm, filename *C.char, amode C.int, info C.uintptr_t, to *C.uintptr_t) C.int {
	hints, err := infoOf(info)
	if err = placed(to, fileNull, err); err == nil && filename == nil {
		err = faultf(errBadFile, "the name of the file is a null pointer")
	}
	if err != nil {
		class, text := classOf(err)
		c.Refuse(collective.Dup, core.Blocking, class.ofCore(), text) // which is how core begins to open one
		return fail(noFile, err)
	}
	opened, err := c.OpenFile(C.GoString(filename), openMode(amode), hints)
	if err != nil {
		return fail(noFile, err)
	}
	f := &fileObject{File: opened}
	f.inherit(&noFile.handling)
	if f.handle = files.Add(f); f.handle == 0 {
		_ = f.Close()
		return fail(noFile, tooMany("files"))
	}
	fileFaces.Store(f.Comm(), f)
	*to = C.uintptr_t(f.handle)
	return 0
}

func mpiFileClose(f *fileObject, h *C.uintptr_t) error {
	err := f.Close()
	fileFaces.Delete(f.Comm())
	files.Remove(f.handle)
	*h = fileNull
	return err
}

func mpiFileDelete(name string, _ *info.Info) error { return file.Delete(name) }

func mpiFileGetAmode(f *fileObject) (amode C.int) {
	for _, m := range openModes {
		if f.Mode()&m.mode != 0 {
			amode |= m.number
		}
	}
	return amode
}

func mpiFileGetGroup(f *fileObject) (*core.Group, error)   { return f.Group() }
func mpiFileGetSize(f *fileObject) (int64, error)          { return f.Size() }
func mpiFileSetSize(f *fileObject, size int64) error       { return f.SetSize(size) }
func mpiFilePreallocate(f *fileObject, size int64) error   { return f.Preallocate(size) }
func mpiFileSync(f *fileObject) error                      { return f.Sync() }
func mpiFileSetAtomicity(f *fileObject, atomic bool) error { return f.SetAtomicity(atomic) }
func mpiFileGetAtomicity(f *fileObject) bool               { return f.Atomicity() }
func mpiFileSetInfo(f *fileObject, hints *info.Info) error { return f.SetInfo(hints) }
func mpiFileGetInfo(f *fileObject) *info.Info              { return f.Info() }
