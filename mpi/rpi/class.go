package rpi

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sctpmpi/sctpmpi/matching"
)

// Class is an MPI error class (MPI 4.1, section 9.4). It is an error itself,
// so that errors.Is(err, ErrTruncate) asks for the class of any error that
// this library returns.
type Class int

// The error classes that this library uses.
const (
	ErrBuffer      Class = 1 + iota // invalid buffer, or buffer space exhausted
	ErrCount                        // invalid count
	ErrType                         // element type refused, or another one than the message's
	ErrTag                          // invalid tag
	ErrComm                         // invalid communicator
	ErrRank                         // invalid rank
	ErrRequest                      // invalid request
	ErrRoot                         // invalid root
	ErrOp                           // invalid operation
	ErrArg                          // invalid argument of another kind
	ErrTruncate                     // message longer than the receive buffer
	ErrPending                      // not complete: waiting for it was given up
	ErrCancelled                    // given up before anything was transferred
	ErrProcFailed                   // a process that the operation needs is gone
	ErrUnsupported                  // not supported by this build or transport
	ErrClosed                       // used after Finalize
	ErrDims                         // invalid dimension
	ErrTopology                     // the communicator has no topology, or another one
	ErrOther                        // known error outside this list
	ErrIntern                       // a bug or a protocol violation

	// Of files (MPI 4.1, section 14.7), and of the hints for them.

	ErrInfoValue  // a value of an info or hint is wrong
	ErrFile       // invalid file, or one that is closed
	ErrNotSame    // ranks differ in what must be the same, or in the order of their calls
	ErrAMode      // invalid mode of opening a file
	ErrDatarep    // data representation unknown
	ErrNoSuchFile // the file does not exist
	ErrFileExists // the file exists
	ErrBadFile    // invalid file name, or not a regular file
	ErrAccess     // permission denied
	ErrNoSpace    // not enough space for the file
	ErrQuota      // the quota is exceeded
	ErrReadOnly   // the file, or its file system, is only read
	ErrConversion // a value does not fit into its external representation
	ErrIO         // another error of reading or writing a file

	// Of windows (MPI 4.1, section 12.6).

	ErrWin       // invalid window
	ErrDisp      // invalid displacement
	ErrRMASync   // synchronization of one-sided operations is missing, or wrong
	ErrRMARange  // target memory is not within the window
	ErrRMAAttach // memory cannot be attached
	ErrRMAShared // memory cannot be shared

	ErrSession // invalid session

	// Of failures (the Forum's draft of user-level failure mitigation), beside ErrProcFailed.

	ErrProcFailedPending // a process has failed that might have sent the message; the receive goes on once that is acknowledged
	ErrRevoked           // the communicator has been revoked
	classEnd
)

// LastClass is the largest error class.
const LastClass = int(classEnd) - 1

var classNames = [classEnd]string{
	ErrBuffer: "invalid buffer", ErrCount: "invalid count", ErrType: "element types differ or cannot be sent",
	ErrTag: "invalid tag", ErrComm: "invalid communicator", ErrRank: "invalid rank", ErrRequest: "invalid request",
	ErrRoot: "invalid root", ErrOp: "invalid operation", ErrArg: "invalid argument", ErrTruncate: "message truncated",
	ErrPending: "operation pending", ErrCancelled: "operation cancelled", ErrProcFailed: "process failed", ErrUnsupported: "not supported",
	ErrDims: "invalid dimension", ErrTopology: "invalid topology", ErrClosed: "already finalized", ErrOther: "error", ErrIntern: "internal error",
	ErrInfoValue: "invalid info value", ErrFile: "invalid file", ErrNotSame: "ranks differ",
	ErrAMode: "invalid file mode", ErrDatarep: "unsupported data representation", ErrNoSuchFile: "no such file",
	ErrFileExists: "file exists", ErrBadFile: "invalid file name", ErrAccess: "access denied",
	ErrNoSpace: "no space", ErrQuota: "quota exceeded", ErrReadOnly: "read-only", ErrConversion: "conversion error",
	ErrIO:  "input/output error",
	ErrWin: "invalid window", ErrDisp: "invalid displacement", ErrRMASync: "wrong synchronization of one-sided operations",
	ErrSession:           "invalid session",
	ErrProcFailedPending: "process failed, receive pending", ErrRevoked: "communicator revoked",
	ErrRMARange: "outside the window", ErrRMAAttach: "memory cannot be attached", ErrRMAShared: "memory cannot be shared",
}

func (c Class) Error() string {
	if c > 0 && c < classEnd {
		return classNames[c]
	}
	return fmt.Sprintf("error class %d", int(c))
}

// PeerError says that a peer is gone, or out of reach, and why. Its class is
// ErrProcFailed.
type PeerError struct {
	Peer  matching.Rank // rank in the job
	Cause error
}

func (e *PeerError) Error() string {
	return fmt.Sprintf("process failed: rank %d of the job: %v", e.Peer, e.Cause)
}

// Is makes errors.Is(err, ErrProcFailed) true.
func (e *PeerError) Is(target error) bool { return target == ErrProcFailed }

// Unwrap returns the cause.
func (e *PeerError) Unwrap() error { return e.Cause }

// TypeError says that a message's elements are not of the type that its
// receive wants. Its class is ErrType.
type TypeError struct{ Sent, Wanted matching.Type }

func (e *TypeError) Error() string {
	return fmt.Sprintf("element types differ: type %#x was sent, the receive wants %#x", uint32(e.Sent), uint32(e.Wanted))
}

// Is makes errors.Is(err, ErrType) true.
func (e *TypeError) Is(target error) bool { return target == ErrType }

// PartingError names the peers that had not said that they were done when the context of Close
// ended. Its class is ErrOther.
type PartingError struct {
	Peers []matching.Rank // ranks in the job
	Cause error
}

func (e *PartingError) Error() string {
	const named = 8
	if len(e.Peers) == 1 {
		return fmt.Sprintf("rank %d of the job has not said that it is done", e.Peers[0])
	}
	names := make([]string, 0, named)
	for _, peer := range e.Peers[:min(len(e.Peers), named)] {
		names = append(names, fmt.Sprint(int(peer)))
	}
	if more := len(e.Peers) - named; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	last := len(names) - 1
	return fmt.Sprintf("ranks %s and %s of the job have not said that they are done", strings.Join(names[:last], ", "), names[last])
}

// Unwrap returns the cause.
func (e *PartingError) Unwrap() error { return e.Cause }

// JoinParting joins what two ways to peers, each with peers of its own, return when they are closed: nil or a PartingError.
func JoinParting(one, other error) error {
	first, ok1 := errors.AsType[*PartingError](one)
	second, ok2 := errors.AsType[*PartingError](other)
	if !ok1 || !ok2 {
		return errors.Join(one, other)
	}
	peers := slices.Concat(first.Peers, second.Peers)
	slices.Sort(peers)
	return &PartingError{Peers: peers, Cause: first.Cause}
}
