package onecopy

import (
	"runtime"
	"unsafe"
)

// Pin keeps memory where it is while a peer may read it. The zero value pins nothing. It is used again and again: Announce,
// Release, Announce. It must not be copied while it pins.
//
// Memory may be released only when no reader can be in it, which is so in two cases:
//   - the reader has said that it is done, or that it will not begin: also after a cancelled send;
//   - the reader's pidfd says that it has ended. That it does only when all threads have left the kernel.
//
// That the reader is silent, or that another link to it has failed, is neither.
type Pin struct {
	pinner  runtime.Pinner
	address uint64
}

// Announce pins b, which is then never on a stack. Memory that is not Go's is its owner's to keep.
func (p *Pin) Announce(b []byte) {
	if p.address != 0 {
		panic("onecopy: the pin is in use")
	}
	if len(b) == 0 {
		return
	}
	data := unsafe.SliceData(b)
	p.pinner.Pin(data)
	p.address = uint64(uintptr(unsafe.Pointer(data)))
}

// Address is where the memory is that has been announced last. It is 0 if there is none, or if it is empty.
func (p *Pin) Address() uint64 { return p.address }

// Release lets the memory go. It may be called again.
func (p *Pin) Release() {
	p.pinner.Unpin()
	p.address = 0
}
