package main

/*
#include "sctpmpi.h"
*/
import "C"

import (
	"sync"
	"sync/atomic"

	"github.com/sctpmpi/sctpmpi/mpi/cabi/internal/handle"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/collective"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/file"
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

// fileFail is the code of an error. f is the file, nil if there is none.
func fileFail(f *fileObject, err error) C.int {
	if f == nil {
		f = noFile
	}
	return fail(f, err)
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

//export sctpmpi_File_open
func sctpmpi_File_open(comm C.uintptr_t, filename *C.char, amode C.int, info C.uintptr_t, to *C.uintptr_t) C.int {
	c, err := commOf(comm)
	if err != nil {
		return fileFail(nil, err)
	}
	hints, err := infoOf(info)
	if err = placed(to, fileNull, err); err == nil && filename == nil {
		err = faultf(errBadFile, "the name of the file is a null pointer")
	}
	if err != nil {
		class, text := classOf(err)
		c.Refuse(collective.Dup, core.Blocking, class.ofCore(), text) // which is how core begins to open one
		return fileFail(nil, err)
	}
	opened, err := c.OpenFile(C.GoString(filename), openMode(amode), hints)
	if err != nil {
		return fileFail(nil, err)
	}
	f := &fileObject{File: opened}
	f.inherit(&noFile.handling)
	if f.handle = files.Add(f); f.handle == 0 {
		_ = f.Close()
		return fileFail(nil, tooMany("files"))
	}
	fileFaces.Store(f.Comm(), f)
	*to = C.uintptr_t(f.handle)
	return 0
}

//export sctpmpi_File_close
func sctpmpi_File_close(h *C.uintptr_t) C.int {
	f, err := fileOf(*h)
	if err != nil {
		return fileFail(nil, err)
	}
	err = f.Close()
	fileFaces.Delete(f.Comm())
	files.Remove(f.handle)
	*h = fileNull
	return fileFail(f, err)
}

//export sctpmpi_File_delete
func sctpmpi_File_delete(filename *C.char, info C.uintptr_t) C.int {
	if _, err := infoOf(info); err != nil {
		return fileFail(nil, err)
	}
	return fileFail(nil, file.Delete(C.GoString(filename)))
}

//export sctpmpi_File_get_amode
func sctpmpi_File_get_amode(h C.uintptr_t, amode *C.int) C.int {
	f, err := fileOf(h)
	if err != nil {
		return fileFail(nil, err)
	}
	*amode = 0
	for _, m := range openModes {
		if f.Mode()&m.mode != 0 {
			*amode |= m.number
		}
	}
	return 0
}

//export sctpmpi_File_get_group
func sctpmpi_File_get_group(h C.uintptr_t, group *C.uintptr_t) C.int {
	f, err := fileOf(h)
	if err != nil {
		return fileFail(nil, err)
	}
	g, err := f.Group()
	return giveGroup(f, group, g, nil, err)
}

//export sctpmpi_File_get_size
func sctpmpi_File_get_size(h C.uintptr_t, size *C.int64_t) C.int {
	return fileNumber(h, size, func(f *fileObject) (int64, error) { return f.Size() })
}

//export sctpmpi_File_set_size
func sctpmpi_File_set_size(h C.uintptr_t, size C.int64_t) C.int {
	return fileDo(h, func(f *fileObject) error { return f.SetSize(int64(size)) })
}

//export sctpmpi_File_preallocate
func sctpmpi_File_preallocate(h C.uintptr_t, size C.int64_t) C.int {
	return fileDo(h, func(f *fileObject) error { return f.Preallocate(int64(size)) })
}

//export sctpmpi_File_sync
func sctpmpi_File_sync(h C.uintptr_t) C.int {
	return fileDo(h, func(f *fileObject) error { return f.Sync() })
}

//export sctpmpi_File_set_atomicity
func sctpmpi_File_set_atomicity(h C.uintptr_t, flag C.int) C.int {
	return fileDo(h, func(f *fileObject) error { return f.SetAtomicity(flag != 0) })
}

//export sctpmpi_File_get_atomicity
func sctpmpi_File_get_atomicity(h C.uintptr_t, flag *C.int) C.int {
	return fileDo(h, func(f *fileObject) error {
		*flag = truth(f.Atomicity())
		return nil
	})
}

//export sctpmpi_File_set_info
func sctpmpi_File_set_info(h, info C.uintptr_t) C.int {
	return fileDo(h, func(f *fileObject) error {
		hints, err := infoOf(info)
		if err != nil {
			return err
		}
		return f.SetInfo(hints)
	})
}

//export sctpmpi_File_get_info
func sctpmpi_File_get_info(h C.uintptr_t, used *C.uintptr_t) C.int {
	f, err := fileOf(h)
	if err != nil {
		return fileFail(nil, err)
	}
	return giveInfo(f, used, f.Info(), nil)
}

//export sctpmpi_File_set_errhandler
func sctpmpi_File_set_errhandler(h, errhandler C.uintptr_t) C.int {
	f, err := handlingFile(h)
	return setErrhandler(f, err, errhandler)
}

//export sctpmpi_File_get_errhandler
func sctpmpi_File_get_errhandler(h C.uintptr_t, errhandler *C.uintptr_t) C.int {
	f, err := handlingFile(h)
	return getErrhandler(f, err, errhandler)
}

//export sctpmpi_File_call_errhandler
func sctpmpi_File_call_errhandler(h C.uintptr_t, errorcode C.int) C.int {
	f, err := handlingFile(h)
	return callErrhandler(f, err, errorcode)
}

// fileDo is what most functions of files are: what has gone wrong is the file's error.
func fileDo(h C.uintptr_t, do func(f *fileObject) error) C.int {
	f, err := fileOf(h)
	if err != nil {
		return fileFail(nil, err)
	}
	return fileFail(f, do(f))
}

// fileNumber is fileDo with a number as result.
func fileNumber(h C.uintptr_t, to *C.int64_t, get func(f *fileObject) (int64, error)) C.int {
	return fileDo(h, func(f *fileObject) error {
		n, err := get(f)
		if err == nil {
			*to = C.int64_t(n)
		}
		return err
	})
}
