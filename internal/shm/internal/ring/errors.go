package ring

import "errors"

// ErrBreach is wrapped by the errors that say that the process at the other end, or something else that can write to the
// segment, has written what a correct one never does. The ring must not be used any more.
var ErrBreach = errors.New("shared memory: breach of protocol")

// Errors of callers, and of processes that do not fit each other.
var (
	// ErrTooLong: the body is longer than the ring's Limit.
	ErrTooLong = errors.New("shared memory: frame is longer than the ring's limit")
	// ErrFormat: the segment has not been formatted, or by a program with another layout.
	ErrFormat = errors.New("shared memory: segment has another format")
	// ErrMemory: the memory has a length that cannot be, or does not begin at a multiple of LineSize.
	ErrMemory = errors.New("shared memory: segment of wrong size or alignment")
)

// breach is a rule that something read in the segment breaks. None is allocated when it occurs.
type breach string

func (b breach) Error() string { return ErrBreach.Error() + ": " + string(b) }
func (b breach) Unwrap() error { return ErrBreach }

const (
	errTaken   breach = "slots given back that were not in use"
	errLength  breach = "frame longer than the limit"
	errOverrun breach = "frame in slots that had not been given back"
)
