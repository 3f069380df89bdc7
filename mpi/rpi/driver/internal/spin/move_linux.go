package spin

import (
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// move moves the caller's thread to another processor that it may use, and reports whether there is one. It may come back at
// any time.
func move() bool {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var cpu uint32
	var mask unix.CPUSet
	if _, _, errno := unix.RawSyscall(unix.SYS_GETCPU, uintptr(unsafe.Pointer(&cpu)), 0, 0); errno != 0 {
		return false
	}
	if unix.SchedGetaffinity(0, &mask) != nil || mask.Count() < 2 {
		return false
	}
	others := mask
	others.Clear(int(cpu))
	if unix.SchedSetaffinity(0, &others) != nil {
		return false
	}
	return unix.SchedSetaffinity(0, &mask) == nil
}
