package main

// #include "sctpmpi.h"
import "C"

import (
	"os"
	"strconv"
	"syscall"
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// When Go's runtime ends the process, as for a panic, it writes why, and then the stacks of all goroutines, which say nothing to the author
// of a C program. Here is what writes the first line alone. Faults of memory do not come this far: see fault.c.

// overrideWrite is what the runtime writes its messages with, unless it is nil.
//
//go:linkname overrideWrite runtime.overrideWrite
var overrideWrite func(fd uintptr, p unsafe.Pointer, n int32) int32

func init() {
	if debug := os.Getenv(rpi.EnvDebug); debug == "" || debug == "0" {
		overrideWrite = writeShort
	}
}

// crash is the message of the runtime, which comes in pieces.
var crash struct {
	begun, ended bool
	rank         string // says which this process is
}

const (
	crashBegin = "mpi: "
	crashEnd   = ": a wrong argument that was not noticed, or a fault of the library (SCTPMPI_DEBUG=1 shows where)\n"
)

// isRank has what is said at the end name the rank of this process.
func isRank(rank int) {
	C.sctpmpi_rank = C.int(rank)
	crash.rank = "rank " + strconv.Itoa(rank) + ": "
}

// writeShort writes a piece of a message. It runs where the runtime lets no stack grow.
//
//go:nosplit
func writeShort(fd uintptr, p unsafe.Pointer, n int32) int32 {
	piece := unsafe.String((*byte)(p), n)
	switch {
	case crash.ended:
	case crash.begun:
		writeLine(fd, piece)
	case piece == "panic: " || piece == "fatal error: ":
		crash.begun = true
		writeAll(fd, crashBegin)
		writeAll(fd, crash.rank)
	default:
		writeAll(fd, piece)
	}
	return n
}

// writeLine writes what belongs to the first line.
//
//go:nosplit
func writeLine(fd uintptr, piece string) {
	for i := range len(piece) {
		if piece[i] == '\n' {
			crash.ended = true
			writeAll(fd, piece[:i])
			writeAll(fd, crashEnd)
			return
		}
	}
	writeAll(fd, piece)
}

//go:nosplit
func writeAll(fd uintptr, text string) {
	_, _, _ = syscall.RawSyscall(syscall.SYS_WRITE, fd, uintptr(unsafe.Pointer(unsafe.StringData(text))), uintptr(len(text)))
}
