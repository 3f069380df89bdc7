package hostmem

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// hugePage is the size of a huge page of most processors, in bytes.
const hugePage = 2 << 20

// mapping is what was mapped, in which the memory begins with a huge page.
type mapping []byte

func mapHuge(size int) (memory []byte, whole mapping, err error) {
	whole, err = unix.Mmap(-1, 0, size+hugePage, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS)
	if err != nil {
		return nil, nil, os.NewSyscallError("mmap", err)
	}
	_ = unix.Madvise(whole, unix.MADV_HUGEPAGE) // an offer
	skip := -int(uintptr(unsafe.Pointer(unsafe.SliceData(whole)))) & (hugePage - 1)
	return whole[skip : skip+size], whole, nil
}

func unmapHuge(whole mapping) { Unmap(whole) }
