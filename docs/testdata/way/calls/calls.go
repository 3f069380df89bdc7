// Package calls notes the functions that one goroutine calls.
package calls

import (
	"bytes"
	"runtime"
	"sync"
)

// Call is the call of a function. Depth is how many of the calls noted before it had not returned.
type Call struct {
	File, Function string
	Depth          int
}

var (
	mu     sync.Mutex
	noted  []Call
	depth  int
	traced []byte // the goroutine, as its stack names it
)

// Enter notes a call, if the traced goroutine makes it. The function that it returns notes the end.
func Enter(file, function string) (leave func()) {
	mu.Lock()
	defer mu.Unlock()
	if traced == nil || !bytes.Equal(goroutine(), traced) {
		return func() {}
	}
	noted = append(noted, Call{file, function, depth})
	depth++
	return func() {
		mu.Lock()
		defer mu.Unlock()
		depth--
	}
}

// Trace calls a function and returns what it calls.
func Trace(what func()) []Call {
	mu.Lock()
	noted, depth, traced = nil, 0, goroutine()
	mu.Unlock()
	what()
	mu.Lock()
	defer mu.Unlock()
	traced = nil
	return noted
}

// goroutine is the beginning of the stack, "goroutine 1".
func goroutine() []byte {
	b := make([]byte, 64)
	b = b[:runtime.Stack(b, false)]
	line, _, _ := bytes.Cut(b, []byte(" ["))
	return line
}
