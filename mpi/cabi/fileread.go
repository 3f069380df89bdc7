package main

/*
#include "sctpmpi.h"
*/
import "C"

import (
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/file"
)

//export sctpmpi_File_read_at
func sctpmpi_File_read_at(h C.uintptr_t, offset C.int64_t, buf unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, status *C.sctpmpi_status) C.int {
	return access(h, file.Access{}, offset, buf, count, datatype, status)
}

//export sctpmpi_File_iread_at
func sctpmpi_File_iread_at(h C.uintptr_t, offset C.int64_t, buf unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, request *C.uintptr_t) C.int {
	return iaccess(h, file.Access{}, offset, buf, count, datatype, request)
}

//export sctpmpi_File_read_at_all
func sctpmpi_File_read_at_all(h C.uintptr_t, offset C.int64_t, buf unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, status *C.sctpmpi_status) C.int {
	return access(h, file.Access{Collective: true}, offset, buf, count, datatype, status)
}

//export sctpmpi_File_iread_at_all
func sctpmpi_File_iread_at_all(h C.uintptr_t, offset C.int64_t, buf unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, request *C.uintptr_t) C.int {
	return iaccess(h, file.Access{Collective: true}, offset, buf, count, datatype, request)
}

//export sctpmpi_File_read_at_all_begin
func sctpmpi_File_read_at_all_begin(h C.uintptr_t, offset C.int64_t, buf unsafe.Pointer, count C.int64_t, datatype C.uintptr_t) C.int {
	return begin(h, file.Access{Collective: true}, offset, buf, count, datatype)
}

//export sctpmpi_File_read_at_all_end
func sctpmpi_File_read_at_all_end(h C.uintptr_t, buf unsafe.Pointer, status *C.sctpmpi_status) C.int {
	return end(h, file.Access{Collective: true}, status)
}

//export sctpmpi_File_read
func sctpmpi_File_read(h C.uintptr_t, buf unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, status *C.sctpmpi_status) C.int {
	return access(h, file.Access{Pointer: file.Individual}, 0, buf, count, datatype, status)
}

//export sctpmpi_File_iread
func sctpmpi_File_iread(h C.uintptr_t, buf unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, request *C.uintptr_t) C.int {
	return iaccess(h, file.Access{Pointer: file.Individual}, 0, buf, count, datatype, request)
}

//export sctpmpi_File_read_all
func sctpmpi_File_read_all(h C.uintptr_t, buf unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, status *C.sctpmpi_status) C.int {
	return access(h, file.Access{Collective: true, Pointer: file.Individual}, 0, buf, count, datatype, status)
}

//export sctpmpi_File_iread_all
func sctpmpi_File_iread_all(h C.uintptr_t, buf unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, request *C.uintptr_t) C.int {
	return iaccess(h, file.Access{Collective: true, Pointer: file.Individual}, 0, buf, count, datatype, request)
}

//export sctpmpi_File_read_all_begin
func sctpmpi_File_read_all_begin(h C.uintptr_t, buf unsafe.Pointer, count C.int64_t, datatype C.uintptr_t) C.int {
	return begin(h, file.Access{Collective: true, Pointer: file.Individual}, 0, buf, count, datatype)
}

//export sctpmpi_File_read_all_end
func sctpmpi_File_read_all_end(h C.uintptr_t, buf unsafe.Pointer, status *C.sctpmpi_status) C.int {
	return end(h, file.Access{Collective: true, Pointer: file.Individual}, status)
}

//export sctpmpi_File_read_shared
func sctpmpi_File_read_shared(h C.uintptr_t, buf unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, status *C.sctpmpi_status) C.int {
	return access(h, file.Access{Pointer: file.Shared}, 0, buf, count, datatype, status)
}

//export sctpmpi_File_iread_shared
func sctpmpi_File_iread_shared(h C.uintptr_t, buf unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, request *C.uintptr_t) C.int {
	return iaccess(h, file.Access{Pointer: file.Shared}, 0, buf, count, datatype, request)
}

//export sctpmpi_File_read_ordered
func sctpmpi_File_read_ordered(h C.uintptr_t, buf unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, status *C.sctpmpi_status) C.int {
	return access(h, file.Access{Collective: true, Pointer: file.Shared}, 0, buf, count, datatype, status)
}

//export sctpmpi_File_read_ordered_begin
func sctpmpi_File_read_ordered_begin(h C.uintptr_t, buf unsafe.Pointer, count C.int64_t, datatype C.uintptr_t) C.int {
	return begin(h, file.Access{Collective: true, Pointer: file.Shared}, 0, buf, count, datatype)
}

//export sctpmpi_File_read_ordered_end
func sctpmpi_File_read_ordered_end(h C.uintptr_t, buf unsafe.Pointer, status *C.sctpmpi_status) C.int {
	return end(h, file.Access{Collective: true, Pointer: file.Shared}, status)
}
