package main

import (
	"errors"
	"fmt"

	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// class is an error class of the standard ABI (MPI 5.0, section 9.4 and appendix A).
type class int

// The classes that are used by name here.
const (
	errBuffer        class = 1
	errCount         class = 2
	errType          class = 3
	errTag           class = 4
	errComm          class = 5
	errRank          class = 6
	errRequest       class = 7
	errRoot          class = 8
	errGroup         class = 9
	errOp            class = 10
	errTopology      class = 11
	errDims          class = 12
	errArg           class = 13
	errUnknown       class = 14
	errTruncate      class = 15
	errOther         class = 16
	errIntern        class = 17
	errPending       class = 18
	errInStatus      class = 19
	errAssert        class = 22
	errBadFile       class = 23
	errDisp          class = 26
	errFile          class = 30
	errInfoKey       class = 31
	errInfoNoKey     class = 32
	errInfoValue     class = 33
	errInfo          class = 34
	errKeyval        class = 36
	errLockType      class = 37
	errName          class = 38
	errNoMem         class = 39
	errSize          class = 52
	errUnsupported   class = 55
	errWin           class = 56
	errValueTooLarge class = 59
	errSession       class = 60
	errErrhandler    class = 61
	errAbi           class = 62
	lastClass              = errAbi
)

// The classes of failures, MPIX_ERR_…, which are not in the standard. They have the numbers that MPICH gives them.
const (
	errProcFailed        class = 101
	errProcFailedPending class = 102
	errRevoked           class = 103
)

// failureNames are those of the classes from errProcFailed on.
var failureNames = [...]string{"process failed", "process failed that might have sent the message", "communicator revoked"}

// ofFailures is whether a class is one of failures.
func (c class) ofFailures() bool { return c >= errProcFailed && c <= errRevoked }

// The classes of the tool information interface, MPI_T_ERR_…, which are the codes of its functions too.
const (
	toolNotInitialized class = 1003
	toolInvalid        class = 1006
	toolInvalidIndex   class = 1007
	toolInvalidSession class = 1009
	toolInvalidHandle  class = 1010
	toolInvalidName    class = 1011
	toolOutOfHandles   class = 1012
	toolOutOfSessions  class = 1013
	toolSetNever       class = 1015
	toolNoWrite        class = 1016
	toolNoStartStop    class = 1017
	toolNoAtomic       class = 1018
	firstToolClass     class = 1001
)

// toolClassNames are those of the classes from firstToolClass on.
var toolClassNames = [...]string{
	"MPI_T cannot be initialized now", "not accessible by MPI_T", "MPI_T is not initialized", "not supported by MPI_T",
	"no memory for MPI_T", "invalid argument of MPI_T", "invalid index", "invalid item of an enumeration", "invalid session of MPI_T",
	"invalid handle of MPI_T", "there is nothing of this name", "too many handles of MPI_T", "too many sessions of MPI_T",
	"the control variable cannot be set now", "the control variable cannot be set", "the performance variable cannot be written",
	"the performance variable cannot be started or stopped", "the performance variable cannot be read and reset at once",
}

// ofTool is whether a class is one of the tool information interface.
func (c class) ofTool() bool {
	return c >= firstToolClass && int(c-firstToolClass) < len(toolClassNames)
}

// Error makes a class the error of a function of the tool interface, which has no more to say.
func (c class) Error() string { return c.text() }

// text says what the class is about.
func (c class) text() string {
	if c.ofTool() {
		return toolClassNames[c-firstToolClass]
	}
	if c.ofFailures() {
		return failureNames[c-errProcFailed]
	}
	return classNames[c]
}

// classNames says what each class is about, for errors of which no more is known.
var classNames = [lastClass + 1]string{
	"no error", "invalid buffer", "invalid count", "invalid datatype", "invalid tag", "invalid communicator", "invalid rank",
	"invalid request", "invalid root", "invalid group", "invalid operation", "invalid topology", "invalid dimension",
	"invalid argument", "unknown error", "message truncated", "other error", "internal error", "operation pending",
	"the error is in the status", "access denied", "invalid file mode", "invalid assertion", "invalid file name", "invalid base",
	"conversion error", "invalid displacement", "data representation defined twice", "file exists", "file in use", "invalid file",
	"invalid info key", "no such info key", "invalid info value", "invalid info", "input/output error", "invalid keyval",
	"invalid lock type", "no such service name", "no memory", "ranks differ", "no space", "no such file", "invalid port",
	"quota exceeded", "read-only", "memory cannot be attached", "conflicting accesses to a window", "outside the window",
	"memory cannot be shared", "wrong synchronization of one-sided operations", "service not published", "invalid size",
	"processes cannot be spawned", "unsupported data representation", "unsupported operation", "invalid window",
	"wrong flavor of window", "process failed", "value too large", "invalid session", "invalid error handler",
	"unsupported by the ABI",
}

// coreClasses are the classes of package core.
var coreClasses = [rpi.LastClass + 1]class{
	rpi.ErrBuffer: errBuffer, rpi.ErrCount: errCount, rpi.ErrType: errType, rpi.ErrTag: errTag, rpi.ErrComm: errComm,
	rpi.ErrRank: errRank, rpi.ErrRequest: errRequest, rpi.ErrRoot: errRoot, rpi.ErrOp: errOp, rpi.ErrArg: errArg,
	rpi.ErrTruncate: errTruncate, rpi.ErrPending: errPending, rpi.ErrCancelled: errOther, rpi.ErrProcFailed: errProcFailed,
	rpi.ErrUnsupported: errUnsupported, rpi.ErrClosed: errOther, rpi.ErrDims: errDims, rpi.ErrTopology: errTopology,
	rpi.ErrOther: errOther, rpi.ErrIntern: errIntern, rpi.ErrInfoValue: errInfoValue, rpi.ErrFile: errFile, rpi.ErrNotSame: 40,
	rpi.ErrAMode: 21, rpi.ErrDatarep: 54, rpi.ErrNoSuchFile: 42, rpi.ErrFileExists: 28, rpi.ErrBadFile: 23, rpi.ErrAccess: 20,
	rpi.ErrNoSpace: 41, rpi.ErrQuota: 44, rpi.ErrReadOnly: 45, rpi.ErrConversion: 25, rpi.ErrIO: 35, rpi.ErrWin: errWin,
	rpi.ErrDisp: 26, rpi.ErrRMASync: 50, rpi.ErrRMARange: 48, rpi.ErrRMAAttach: 46, rpi.ErrRMAShared: 49, rpi.ErrSession: errSession,
	rpi.ErrProcFailedPending: errProcFailedPending, rpi.ErrRevoked: errRevoked,
}

// ofCore is the class of package core that is this one, ErrOther if there is none.
func (c class) ofCore() rpi.Class {
	if c != errOther {
		for of, is := range coreClasses {
			if is == c && of > 0 {
				return rpi.Class(of)
			}
		}
	}
	return rpi.ErrOther
}

// fault is an error of this package, as a class and its text.
type fault struct {
	class class
	text  string
}

func (f *fault) Error() string { return f.text }

func faultf(c class, format string, args ...any) *fault {
	return &fault{c, fmt.Sprintf(format, args...)}
}

// returned is the error code that a function of the program has returned: the export returns it too.
type returned int

func (r returned) Error() string { return fmt.Sprintf("it returned the error code %d", int(r)) }

// classOf is the class of any error, and what is to be said of it.
func classOf(err error) (class, string) {
	var f *fault
	if errors.As(err, &f) {
		return f.class, f.text
	}
	c := errOther
	if of := mpierr.ClassOf(err); of > 0 && int(of) < len(coreClasses) {
		c = coreClasses[of]
	}
	if e, ok := errors.AsType[*mpierr.Error](err); ok {
		return c, e.Detail
	}
	return c, err.Error()
}
