package main

import (
	"errors"
	"sync/atomic"

	"github.com/sctpmpi/sctpmpi/mpi/cabi/internal/handle"
)

// An error code has its class in the low bits. The bits above name one of the last errors, which has a text and the object
// whose error handler counts. They are 0 in a code that is only a class. All are at most MPI_ERR_LASTCODE; codes that programs
// add are larger: see added.go.
const (
	classBits = 7
	noted     = 1<<classBits - 1
	lastCode  = 1<<(2*classBits) - 1 // MPI_ERR_LASTCODE
	maxText   = 511                  // MPI_MAX_ERROR_STRING, without the end
)

// note is what is known of an error.
type note struct {
	code  int
	text  string
	owner owner
}

// owner is an object with an error handler.
type owner interface {
	errors() *handling
	object() (handle.Kind, handle.Handle)
}

// notes are the last errors. Programs look at an error soon, or never: so an old one may make place.
var (
	notes    [noted]atomic.Pointer[note]
	lastNote atomic.Uint32
)

// failed returns the code of err, 0 if there is none. of is the object whose error handler counts, nil if there is none.
func failed(of owner, err error) int {
	if err == nil {
		return 0
	}
	var code returned
	if errors.As(err, &code) {
		return int(code)
	}
	c, text := classOf(err)
	if len(text) > maxText {
		text = text[:maxText]
	}
	place := int(lastNote.Add(1) % noted)
	n := &note{code: int(c) | (place+1)<<classBits, text: text, owner: of}
	notes[place].Store(n)
	return n.code
}

// noteOf is what is known of a code, nil if nothing is any more.
func noteOf(code int) *note {
	place := code>>classBits - 1
	if code > lastCode || place < 0 {
		return nil
	}
	if n := notes[place].Load(); n != nil && n.code == code {
		return n
	}
	return nil
}

// errorClass is the class of a code.
func errorClass(code int) (class, error) {
	switch {
	case code >= 0 && code <= lastCode && (class(code&noted) <= lastClass || class(code&noted).ofFailures()):
		return class(code & noted), nil
	case class(code).ofTool(): // their low bits are no class
		return class(code), nil
	case code > lastCode:
		if c, ok := additions.classOf(code); ok {
			return c, nil
		}
	}
	return 0, faultf(errArg, "%d is no error code", code)
}

// errorString is the text of a code.
func errorString(code int) (string, error) {
	if n := noteOf(code); n != nil {
		return n.text, nil
	}
	if code > lastCode {
		if text, ok := additions.text(code); ok {
			return text, nil
		}
	}
	c, err := errorClass(code)
	if err != nil {
		return "", err
	}
	return c.text(), nil
}
