package rpi

import (
	"fmt"

	"github.com/sctpmpi/sctpmpi/matching"
)

// UndeliverableError says that a peer will never receive a message, because it has called StopReceiving. Its
// class is ErrProcFailed: to the sender the peer is gone.
type UndeliverableError struct {
	Peer matching.Rank // rank in the job
}

func (e *UndeliverableError) Error() string {
	return fmt.Sprintf("process failed: rank %d of the job has called Finalize without receiving the message", e.Peer)
}

// Is makes errors.Is(err, ErrProcFailed) true.
func (e *UndeliverableError) Is(target error) bool { return target == ErrProcFailed }

// AsksForMessage reports whether r is a receive or probe that ends with ErrClosed if it is started after StopReceiving. A
// receive that already has its message, from a matched probe, is not.
func (r *Request) AsksForMessage() bool {
	return r.Op != OpSend && r.Context&InOrder == 0 && r.Message == nil
}

// TooLate is the error of a receive or probe that was started after StopReceiving.
func (r *Request) TooLate() error {
	return fmt.Errorf("%w: this process has called Finalize before the %v", ErrClosed, r.Op)
}
