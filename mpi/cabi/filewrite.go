package main

/*
#include "sctpmpi.h"
*/
import "C"

import (
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/file"
)

//export sctpmpi_File_write_at
func sctpmpi_File_write_at(h C.uintptr_t, offset C.int64_t, buf unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, status *C.sctpmpi_status) C.int {
	return access(h, file.Access{Write: true}, offset, buf, count, datatype, status)
}

//export sctpmpi_File_iwrite_at
func sctpmpi_File_iwrite_at(h C.uintptr_t, offset C.int64_t, buf unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, request *C.uintptr_t) C.int {
	return iaccess(h, file.Access{Write: true}, offset, buf, count, datatype, request)
}

//export sctpmpi_File_write_at_all
func sctpmpi_File_write_at_all(h C.uintptr_t, offset C.int64_t, buf unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, status *C.sctpmpi_status) C.int {
	return access(h, file.Access{Write: true, Collective: true}, offset, buf, count, datatype, status)
}

//export sctpmpi_File_iwrite_at_all
func sctpmpi_File_iwrite_at_all(h C.uintptr_t, offset C.int64_t, buf unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, request *C.uintptr_t) C.int {
	return iaccess(h, file.Access{Write: true, Collective: true}, offset, buf, count, datatype, request)
}

//export sctpmpi_File_write_at_all_begin
func sctpmpi_File_write_at_all_begin(h C.uintptr_t, offset C.int64_t, buf unsafe.Pointer, count C.int64_t, datatype C.uintptr_t) C.int {
	return begin(h, file.Access{Write: true, Collective: true}, offset, buf, count, datatype)
}

//export sctpmpi_File_write_at_all_end
func sctpmpi_File_write_at_all_end(h C.uintptr_t, buf unsafe.Pointer, status *C.sctpmpi_status) C.int {
	return end(h, file.Access{Write: true, Collective: true}, status)
}

//export sctpmpi_File_write
func sctpmpi_File_write(h C.uintptr_t, buf unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, status *C.sctpmpi_status) C.int {
	return access(h, file.Access{Write: true, Pointer: file.Individual}, 0, buf, count, datatype, status)
}

//export sctpmpi_File_iwrite
func sctpmpi_File_iwrite(h C.uintptr_t, buf unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, request *C.uintptr_t) C.int {
	return iaccess(h, file.Access{Write: true, Pointer: file.Individual}, 0, buf, count, datatype, request)
}

//export sctpmpi_File_write_all
func sctpmpi_File_write_all(h C.uintptr_t, buf unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, status *C.sctpmpi_status) C.int {
	return access(h, file.Access{Write: true, Collective: true, Pointer: file.Individual}, 0, buf, count, datatype, status)
}

//export sctpmpi_File_iwrite_all
func sctpmpi_File_iwrite_all(h C.uintptr_t, buf unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, request *C.uintptr_t) C.int {
	return iaccess(h, file.Access{Write: true, Collective: true, Pointer: file.Individual}, 0, buf, count, datatype, request)
}

//export sctpmpi_File_write_all_begin
func sctpmpi_File_write_all_begin(h C.uintptr_t, buf unsafe.Pointer, count C.int64_t, datatype C.uintptr_t) C.int {
	return begin(h, file.Access{Write: true, Collective: true, Pointer: file.Individual}, 0, buf, count, datatype)
}

//export sctpmpi_File_write_all_end
func sctpmpi_File_write_all_end(h C.uintptr_t, buf unsafe.Pointer, status *C.sctpmpi_status) C.int {
	return end(h, file.Access{Write: true, Collective: true, Pointer: file.Individual}, status)
}

//export sctpmpi_File_write_shared
func sctpmpi_File_write_shared(h C.uintptr_t, buf unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, status *C.sctpmpi_status) C.int {
	return access(h, file.Access{Write: true, Pointer: file.Shared}, 0, buf, count, datatype, status)
}

//export sctpmpi_File_iwrite_shared
func sctpmpi_File_iwrite_shared(h C.uintptr_t, buf unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, request *C.uintptr_t) C.int {
	return iaccess(h, file.Access{Write: true, Pointer: file.Shared}, 0, buf, count, datatype, request)
}

//export sctpmpi_File_write_ordered
func sctpmpi_File_write_ordered(h C.uintptr_t, buf unsafe.Pointer, count C.int64_t, datatype C.uintptr_t, status *C.sctpmpi_status) C.int {
	return access(h, file.Access{Write: true, Collective: true, Pointer: file.Shared}, 0, buf, count, datatype, status)
}

//export sctpmpi_File_write_ordered_begin
func sctpmpi_File_write_ordered_begin(h C.uintptr_t, buf unsafe.Pointer, count C.int64_t, datatype C.uintptr_t) C.int {
	return begin(h, file.Access{Write: true, Collective: true, Pointer: file.Shared}, 0, buf, count, datatype)
}

//export sctpmpi_File_write_ordered_end
func sctpmpi_File_write_ordered_end(h C.uintptr_t, buf unsafe.Pointer, status *C.sctpmpi_status) C.int {
	return end(h, file.Access{Write: true, Collective: true, Pointer: file.Shared}, status)
}
