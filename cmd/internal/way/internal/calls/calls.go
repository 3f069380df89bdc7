// Package calls notes the functions that one goroutine calls. The way tool puts a call of Enter at the beginning of each
// function that it traces.
package calls

import (
	"sync/atomic"
	"unsafe"
)

// Call is the call of a function.
type Call struct {
	Function int32 // its number, which the way tool has given it
	Depth    int32 // how many of the calls noted before had not returned
}

var (
	traced atomic.Pointer[byte] // the label of the goroutine that is traced, nil if none is
	noted  []Call               // that goroutine's alone
	depth  int32
)

// label is what runtime/pprof has labelled this goroutine with, nil if nothing.
//
//go:linkname label runtime/pprof.runtime_getProfLabel
func label() unsafe.Pointer

// Enter notes a call, if the goroutine that is traced makes it. The function that it returns notes the end.
func Enter(function int32) (leave func()) {
	if t := traced.Load(); t == nil || label() != unsafe.Pointer(t) {
		return ignored
	}
	noted = append(noted, Call{function, depth})
	depth++
	return left
}

func left()    { depth-- }
func ignored() {}

// Trace calls a function and returns which calls this goroutine has made in it. The goroutine bears a label of its own; one
// goroutine at a time is traced.
func Trace(what func()) []Call {
	noted, depth = make([]Call, 0, 1<<14), 0
	traced.Store((*byte)(label()))
	what()
	traced.Store(nil)
	return noted
}
