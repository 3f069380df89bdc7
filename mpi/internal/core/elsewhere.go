package core

import (
	"fmt"

	"github.com/sctpmpi/sctpmpi/matching"
	"github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// An operation of several processes fails on some of them because it has on another. They hear of it from each other, so what they tell
// names the process at which the failure began, its origin: the one that is gone, or the first that could not go on.

// elsewhere is the error of an operation that has failed with a class at the process origin, as the process by has told.
func (c *Comm) elsewhere(op string, class mpierr.Class, origin, by matching.Rank) *mpierr.Error {
	if origin < 0 || int(origin) >= c.process.size { // no rank of this library says so
		origin = by
	}
	c.process.peerFailed(origin)
	if class != rpi.ErrProcFailed {
		return mpierr.Because(&mpierr.Elsewhere{Origin: int(origin), Class: class}, op, class, "%s", mpierr.FailedOn(c.name(origin), class)).
			About(c.rankOf(origin))
	}
	cause := fmt.Errorf("%s has found it so", c.name(by))
	if origin == by {
		cause = errLeaves
	} else if int(origin) != c.process.rank {
		c.process.failures.Report(origin) // what the error names GetFailed has
	}
	return c.goneFor(op, origin, cause)
}

// errLeaves is the cause of the error of an operation with a process that has ended its part of it.
var errLeaves = fmt.Errorf("it leaves the job during this call")

// goneFor is the error of an operation that needs a process which is gone.
func (c *Comm) goneFor(op string, peer matching.Rank, cause error) *mpierr.Error {
	return mpierr.Because(&rpi.PeerError{Peer: peer, Cause: cause}, op, rpi.ErrProcFailed, "%s is gone: %v", c.name(peer), cause).About(c.rankOf(peer))
}

// word is what a process tells others of its failure in one number: the class in the lower half, in the upper half the origin and one.
// 0 is no failure.
func (p *process) word(err error) uint64 {
	return uint64(mpierr.ClassOf(err)) | uint64(mpierr.Origin(err, p.rank)+1)<<32
}

// toldBy is the error of an operation of which the process by has told word.
func (c *Comm) toldBy(op string, by matching.Rank, word uint64) *mpierr.Error {
	origin := matching.Rank(word>>32) - 1
	return c.elsewhere(op, mpierr.Class(uint32(word)), origin, by)
}
