package datatype

import (
	"errors"
	"fmt"
)

// What is wrong with an argument, for errors.Is: MPI's classes ERR_COUNT, ERR_ARG, ERR_TYPE and ERR_TRUNCATE.
var (
	ErrCount    = errors.New("invalid count")
	ErrArg      = errors.New("invalid argument")
	ErrType     = errors.New("invalid datatype")
	ErrTruncate = errors.New("too little memory")
	ErrConvert  = errors.New("conversion error") // ERR_CONVERSION: a value does not fit into its external representation
)

// Error says what is wrong in the program's terms. It is one of the values above.
type Error struct {
	class error
	text  string
}

func (e *Error) Error() string { return e.text }

func (e *Error) Unwrap() error { return e.class }

func invalid(class error, format string, arguments ...any) error {
	return &Error{class, fmt.Sprintf(format, arguments...)}
}
