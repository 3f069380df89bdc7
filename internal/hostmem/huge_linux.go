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

// mapHuge has huge pages for as much as takes no more than half of one in vain: the first access to one takes all of it.
func mapHuge(size int) (memory []byte, whole mapping, err error) {
	whole, err = unix.Mmap(-1, 0, size+2*hugePage, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS)
	if err != nil {
		return nil, nil, os.NewSyscallError("mmap", err)
	}
	begin := -int(uintptr(unsafe.Pointer(unsafe.SliceData(whole)))) & (hugePage - 1)
	end := begin + (size+hugePage/2)/hugePage*hugePage
	if begin < end {
		_ = unix.Madvise(whole[begin:end], unix.MADV_HUGEPAGE) // an offer
	}
	_ = unix.Madvise(whole[end:], unix.MADV_NOHUGEPAGE)
	return whole[begin : begin+size], whole, nil
}

func unmapHuge(whole mapping) { Unmap(whole) }
