// Package mpierr is the error of MPI operations, for all packages below the
// faces that programs see. Its classes are those of package rpi (MPI 4.1,
// section 9.4).
package mpierr

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"unsafe"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Class is an MPI error class.
type Class = rpi.Class

// Error is an error of a class. A face has a type of its own with the same
// fields, for its documentation, and converts pointers.
type Error struct {
	Class  Class
	Op     string // as the program knows it, such as "mpi.Send"
	Detail string
	Err    error // the cause, or nil
	Rank   int   // in the communicator, of the process that it is about; NoRank if there is none
}

// NoRank is the Rank of an error that is about no process.
const NoRank = -3

func (e *Error) Error() string {
	if e.Class == rpi.ErrOther { // its name says nothing
		return e.Op + ": " + e.Detail
	}
	return e.Op + ": " + e.Class.Error() + ": " + e.Detail
}

// Is reports whether target is the error's class, or the error itself as a face
// has shown it.
func (e *Error) Is(target error) bool {
	if target == e.Class {
		return true
	}
	shown := reflect.ValueOf(target)
	return shown.Kind() == reflect.Pointer && shown.UnsafePointer() == unsafe.Pointer(e) && shown.CanConvert(reflect.TypeFor[*Error]())
}

// As sets target if that points to a pointer to a face's type: an Error within
// another error is one of the face too.
func (e *Error) As(target any) bool {
	to := reflect.ValueOf(target).Elem()
	from := reflect.ValueOf(e)
	if to.Kind() != reflect.Pointer || !from.CanConvert(to.Type()) {
		return false
	}
	to.Set(from.Convert(to.Type()))
	return true
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Invalid is the error of an operation that was called wrongly.
func Invalid(op string, class Class, format string, args ...any) *Error {
	return Because(nil, op, class, format, args...)
}

// Because is the error of an operation that has a cause.
func Because(cause error, op string, class Class, format string, args ...any) *Error {
	return &Error{Class: class, Op: op, Detail: fmt.Sprintf(format, args...), Err: cause, Rank: NoRank}
}

// About says which process e is about.
func (e *Error) About(rank int) *Error {
	e.Rank = rank
	return e
}

// Wrap is the error of an operation that failed because of err. The class is
// said once.
func Wrap(op string, err error) *Error {
	class := ClassOf(err)
	return Because(err, op, class, "%s", strings.TrimPrefix(err.Error(), class.Error()+": "))
}

// ClassOf is the class of any error; ErrOther if it has none.
func ClassOf(err error) Class {
	var class Class
	e, ok := errors.AsType[*Error](err)
	switch {
	case ok:
		return e.Class
	case errors.As(err, &class):
		return class
	case errors.Is(err, rpi.ErrProcFailed):
		return rpi.ErrProcFailed
	case errors.Is(err, rpi.ErrType):
		return rpi.ErrType
	}
	return rpi.ErrOther
}

// Plural is a number of things.
func Plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
