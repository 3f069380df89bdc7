package mpi

import (
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Class is an MPI error class (MPI 4.1, section 9.4). Classes are errors:
// errors.Is(err, mpi.ErrTruncate) asks for the class of any error that this
// package returns.
type Class = rpi.Class

// The error classes.
const (
	ErrBuffer      = rpi.ErrBuffer      // invalid buffer, or buffer space exhausted
	ErrCount       = rpi.ErrCount       // invalid count
	ErrType        = rpi.ErrType        // element type refused, or another one than the message's
	ErrTag         = rpi.ErrTag         // invalid tag
	ErrComm        = rpi.ErrComm        // invalid communicator
	ErrRank        = rpi.ErrRank        // invalid rank
	ErrRequest     = rpi.ErrRequest     // invalid request or message
	ErrRoot        = rpi.ErrRoot        // invalid root
	ErrOp          = rpi.ErrOp          // invalid reduction operation
	ErrArg         = rpi.ErrArg         // invalid argument of another kind
	ErrTruncate    = rpi.ErrTruncate    // message longer than the receive buffer
	ErrPending     = rpi.ErrPending     // the request is not complete: waiting for it was given up
	ErrCancelled   = rpi.ErrCancelled   // given up before anything was transferred
	ErrProcFailed  = rpi.ErrProcFailed  // a process that the operation needs is gone
	ErrUnsupported = rpi.ErrUnsupported // not supported by this build or transport
	ErrClosed      = rpi.ErrClosed      // used after Finalize
	ErrDims        = rpi.ErrDims        // invalid dimension
	ErrTopology    = rpi.ErrTopology    // the communicator has no topology, or another one
	ErrOther       = rpi.ErrOther       // known error outside this list
	ErrIntern      = rpi.ErrIntern      // a bug or a protocol violation

	// Of files (MPI 4.1, section 14.7), and of the hints for them.

	ErrInfoValue  = rpi.ErrInfoValue  // a value of an info or hint is wrong
	ErrFile       = rpi.ErrFile       // invalid file, or one that is closed
	ErrNotSame    = rpi.ErrNotSame    // ranks differ in what must be the same, or in the order of their calls
	ErrAMode      = rpi.ErrAMode      // invalid mode of opening a file
	ErrDatarep    = rpi.ErrDatarep    // data representation unknown
	ErrNoSuchFile = rpi.ErrNoSuchFile // the file does not exist
	ErrFileExists = rpi.ErrFileExists // the file exists
	ErrBadFile    = rpi.ErrBadFile    // invalid file name, or not a regular file
	ErrAccess     = rpi.ErrAccess     // permission denied
	ErrNoSpace    = rpi.ErrNoSpace    // not enough space for the file
	ErrQuota      = rpi.ErrQuota      // the quota is exceeded
	ErrReadOnly   = rpi.ErrReadOnly   // the file, or its file system, is only read
	ErrConversion = rpi.ErrConversion // a value does not fit into its external representation
	ErrIO         = rpi.ErrIO         // another error of reading or writing a file

	// Of windows (MPI 4.1, section 12.6).

	ErrWin       = rpi.ErrWin       // invalid window
	ErrDisp      = rpi.ErrDisp      // invalid displacement
	ErrRMASync   = rpi.ErrRMASync   // synchronization of one-sided operations is missing, or wrong
	ErrRMARange  = rpi.ErrRMARange  // target memory is not within the window
	ErrRMAAttach = rpi.ErrRMAAttach // memory cannot be attached
	ErrRMAShared = rpi.ErrRMAShared // memory cannot be shared

	ErrSession = rpi.ErrSession // invalid session, or sessions that have not been finalized (MPI 4.1, section 11.3)

	// Of failures, beside ErrProcFailed: see Comm.Revoke and Comm.AckFailed.

	ErrProcFailedPending = rpi.ErrProcFailedPending // one of those that could send is gone; the receive is still under way
	ErrRevoked           = rpi.ErrRevoked           // the communicator has been revoked
)

// Error is what the operations of this package return. It matches its class
// and, through Unwrap, its cause: errors.Is(err, context.DeadlineExceeded)
// holds for an operation that its context ended.
type Error struct {
	// Class is the MPI error class.
	Class Class
	// Op is the operation, such as "mpi.Send".
	Op string
	// Detail says what was wrong, with the value of the offending argument.
	Detail string
	// Err is the cause, nil if the arguments alone are to blame.
	Err error
	// Rank is the rank, in the communicator of the operation, of the process that
	// the error is about: one that is gone, that has sent a message which does
	// not fit, or that has failed or done something else in a collective
	// operation. A rank that has heard of a failure from a third one has the rank at
	// which it began. It is Undefined if the error is about none, or about one outside
	// the communicator; the ranks of an intercommunicator are those of the other group.
	Rank int
}

func (e *Error) Error() string { return (*mpierr.Error)(e).Error() }

// Is reports whether target is the error's class.
func (e *Error) Is(target error) bool { return target == e.Class }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// invalid is the error of an operation that was called wrongly.
func invalid(op string, class Class, format string, args ...any) *Error {
	return (*Error)(mpierr.Invalid(op, class, format, args...))
}

// because is the error of an operation that has a cause.
func because(cause error, op string, class Class, format string, args ...any) *Error {
	return (*Error)(mpierr.Because(cause, op, class, format, args...))
}

// about says which rank e is about.
func (e *Error) about(rank int) *Error {
	e.Rank = rank
	return e
}

// plural is a number of things.
func plural(n int, thing string) string { return mpierr.Plural(n, thing) }
