package socket

import (
	"os"
	"runtime"
)

// Touch reads memory that a system call of an implementation could not read (EFAULT). A program may pass memory that is not
// there. The access ends the process as such an access does anywhere, with the address. Touch returns if the memory is there by now.
func Touch(b []byte) {
	var all byte
	for i := 0; i < len(b); i += pageSize {
		all |= b[i]
	}
	if len(b) > 0 {
		all |= b[len(b)-1]
	}
	runtime.KeepAlive(all)
}

var pageSize = os.Getpagesize()
