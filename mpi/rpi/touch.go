package rpi

import (
	"os"
	"runtime"
)

// A program may pass memory that is not there, as one in C can. An access then ends the process with the address, but a system call fails
// with EFAULT, and its error would be taken for one of the connection. So a transport whose call fails with EFAULT calls TouchToRead or TouchToWrite, which
// meet the fault after all. They return if the memory is there by now.

// TouchToRead reads memory that the system could not read.
func TouchToRead(b []byte) {
	var all byte
	for i := 0; i < len(b); i += pageSize {
		all |= b[i]
	}
	if len(b) > 0 {
		all |= b[len(b)-1]
	}
	runtime.KeepAlive(all)
}

// TouchToWrite writes memory that the system could not write. What is there stays as it is.
func TouchToWrite(b []byte) {
	for i := 0; i < len(b); i += pageSize {
		write(&b[i], b[i])
	}
	if last := len(b) - 1; last >= 0 {
		write(&b[last], b[last])
	}
}

var pageSize = os.Getpagesize()

// write writes what may be there already, which the compiler would leave out.
//
//go:noinline
func write(to *byte, value byte) { *to = value }
