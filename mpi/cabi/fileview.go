package main

// #include "sctpmpi.h"
import "C"

import (
	"io"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/datatype"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/file"
)

// Constants of the standard ABI for which package file has other numbers.
const (
	currentDisplacement = -1
	seekCurrent         = 401
	seekEnd             = 402
	seekSet             = 403
)

func mpiFileSetView(f *fileObject, disp C.int64_t, etype, filetype C.uintptr_t, datarep string, info C.uintptr_t) error {
	if disp == currentDisplacement {
		disp = file.Current
	}
	visible := fileType(filetype)
	if _, err := infoOf(info); err != nil {
		visible = datatype.Refused(err)
	}
	return f.SetView(int64(disp), fileType(etype), visible, file.Datarep(datarep))
}

func mpiFileGetView(f *fileObject, disp *C.int64_t, etype, filetype *C.uintptr_t, datarep *C.char, room C.int64_t) error {
	at, elements, visible, rep := f.View()
	*disp = C.int64_t(at)
	textTo(datarep, room, string(rep))
	if err := giveAgain(etype, elements); err != nil {
		return err
	}
	return giveAgain(filetype, visible)
}

func mpiFileGetTypeExtent(f *fileObject, t *core.Type) (int64, error) { return f.TypeExtent(t) }
func mpiFileGetByteOffset(f *fileObject, offset int64) (int64, error) { return f.ByteOffset(offset) }

// whenceOf is where a program counts an offset from; -1, which package file refuses, if it is no such constant.
func whenceOf(whence C.int) int {
	switch whence {
	case seekSet:
		return io.SeekStart
	case seekCurrent:
		return io.SeekCurrent
	case seekEnd:
		return io.SeekEnd
	}
	return -1
}

func mpiFileSeek(f *fileObject, offset int64, whence C.int) error {
	_, err := f.Seek(offset, whenceOf(whence))
	return err
}

func mpiFileSeekShared(f *fileObject, offset int64, whence C.int) error {
	return f.SeekShared(offset, whenceOf(whence))
}
func mpiFileGetPosition(f *fileObject) (int64, error)       { return f.Position() }
func mpiFileGetPositionShared(f *fileObject) (int64, error) { return f.PositionShared() }
