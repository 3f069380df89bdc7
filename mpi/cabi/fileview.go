package main

/*
#include "sctpmpi.h"
*/
import "C"

import (
	"io"

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

//export sctpmpi_File_set_view
func sctpmpi_File_set_view(h C.uintptr_t, disp C.int64_t, etype, filetype C.uintptr_t, datarep *C.char, info C.uintptr_t) C.int {
	return fileDo(h, func(f *fileObject) error {
		if disp == currentDisplacement {
			disp = file.Current
		}
		visible := fileType(filetype)
		if _, err := infoOf(info); err != nil {
			visible = datatype.Refused(err)
		}
		return f.SetView(int64(disp), fileType(etype), visible, file.Datarep(C.GoString(datarep)))
	})
}

//export sctpmpi_File_get_view
func sctpmpi_File_get_view(h C.uintptr_t, disp *C.int64_t, etype, filetype *C.uintptr_t, datarep *C.char, room C.int64_t) C.int {
	return fileDo(h, func(f *fileObject) error {
		at, elements, visible, rep := f.View()
		*disp = C.int64_t(at)
		textTo(datarep, room, string(rep))
		if err := giveAgain(etype, elements); err != nil {
			return err
		}
		return giveAgain(filetype, visible)
	})
}

//export sctpmpi_File_get_type_extent
func sctpmpi_File_get_type_extent(h, datatype C.uintptr_t, extent *C.int64_t) C.int {
	return fileNumber(h, extent, func(f *fileObject) (int64, error) {
		t, err := typeOf(datatype)
		if err != nil {
			return 0, err
		}
		return f.TypeExtent(t)
	})
}

//export sctpmpi_File_get_byte_offset
func sctpmpi_File_get_byte_offset(h C.uintptr_t, offset C.int64_t, disp *C.int64_t) C.int {
	return fileNumber(h, disp, func(f *fileObject) (int64, error) { return f.ByteOffset(int64(offset)) })
}

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

//export sctpmpi_File_seek
func sctpmpi_File_seek(h C.uintptr_t, offset C.int64_t, whence C.int) C.int {
	return fileDo(h, func(f *fileObject) error {
		_, err := f.Seek(int64(offset), whenceOf(whence))
		return err
	})
}

//export sctpmpi_File_seek_shared
func sctpmpi_File_seek_shared(h C.uintptr_t, offset C.int64_t, whence C.int) C.int {
	return fileDo(h, func(f *fileObject) error { return f.SeekShared(int64(offset), whenceOf(whence)) })
}

//export sctpmpi_File_get_position
func sctpmpi_File_get_position(h C.uintptr_t, offset *C.int64_t) C.int {
	return fileNumber(h, offset, func(f *fileObject) (int64, error) { return f.Position() })
}

//export sctpmpi_File_get_position_shared
func sctpmpi_File_get_position_shared(h C.uintptr_t, offset *C.int64_t) C.int {
	return fileNumber(h, offset, func(f *fileObject) (int64, error) { return f.PositionShared() })
}
