package mpierr

import (
	"errors"
	"fmt"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Elsewhere is the cause of an error of an operation that has failed on another process first.
type Elsewhere struct {
	Origin int   // rank in the job of that process
	Class  Class // of its error
}

func (e *Elsewhere) Error() string {
	return FailedOn(fmt.Sprintf("rank %d of the job", e.Origin), e.Class)
}

// FailedOn says that an operation has failed with a class on the process of a name.
func FailedOn(name string, class Class) string {
	if class == rpi.ErrOther { // its name says nothing
		return fmt.Sprintf("it failed on %s, whose own error says why", name)
	}
	return fmt.Sprintf("it failed on %s: %v", name, class)
}

// Origin is the rank in the job of the process at which a failure began: the one that is gone, or the one that has failed first, self
// if it is neither.
func Origin(err error, self int) int {
	var (
		gone  *rpi.PeerError
		lost  *rpi.UndeliverableError
		other *Elsewhere
	)
	switch {
	case errors.As(err, &gone):
		return int(gone.Peer)
	case errors.As(err, &lost):
		return int(lost.Peer)
	case errors.As(err, &other):
		return other.Origin
	}
	return self
}
