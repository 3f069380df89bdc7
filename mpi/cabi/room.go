package main

import "C"

// A thread of the program that is in a call runs on the stack of a goroutine, and so do handlers of signals that the program has installed
// without SA_ONSTACK. Go begins with a stack of some KiB there, which a handler overruns. The goroutine is the thread's until it ends,
// and once its stack has grown it remains so: gcshrinkstackoff is set by the build.

// The stack grows to a power of two: 1 MiB. Of that a call takes some KiB.
const (
	frame  = 128 << 10 // bytes; Go has no larger variables on a stack
	frames = 5
)

//export sctpmpi_room
func sctpmpi_room() { takeRoom(frames) }

// takeRoom has the stack grow: at its beginning Go looks whether there is place for all of its variables. They are never used, so
// that the system need not have memory for them.
//
//go:noinline
func takeRoom(frames int) byte {
	switch {
	case frames > 0:
		return takeRoom(frames - 1)
	case frames == 0:
		return 0
	}
	var room [frame]byte
	touch(room[:])
	return room[0]
}

//go:noinline
func touch(b []byte) { clear(b) }
