package mpi

// The functions of this file are user-level failure mitigation (ULFM): how a program goes on when ranks have died. They follow
// the MPI Forum's draft, as Open MPI and MPICH have it with the names MPIX_Comm_revoke and so on. docs/failures.md shows how they
// work together.

// Revoke ends the use of the communicator on all its ranks, of which any may call it: operations on it, those under way too,
// end with ErrRevoked, here at once and elsewhere soon. So ranks that wait for one that has left the common order, because it
// has seen a failure, do not wait for ever. Shrink, Agree, AckFailed, GetFailed, GetAcked and Free still work, and Finalize on the
// world. It does not wait. A rank learns of it though others die meanwhile. What a revoked communicator has sent before may be lost.
func (c *Comm) Revoke() error { return public(c.core().Revoke()) }

// IsRevoked reports whether this rank knows that the communicator has been revoked.
func (c *Comm) IsRevoked() bool { return c.core().Revoked() }

// GetFailed is the group of the ranks that this rank knows to be dead, in the order in which it has learned of them. Others may know
// of more: see Agree. A death shows when mpirun --keep-going tells of it, when something is sent to the rank, received from it, or when it
// has been connected with. Ranks that have called Finalize are not among them.
func (c *Comm) GetFailed() (*Group, error) { return groupOr(c.core().GetFailed("mpi.Comm.GetFailed")) }

// GetSuspected is the group of the ranks that this rank suspects to be dead, by their rank in the job: those that have given no sign of life for
// half of SCTPMPI_PEER_TIMEOUT. That changes nothing: no operation fails for it. A suspected rank that answers is not suspected any more; one that
// stays silent for the whole time is dead, and then in GetFailed instead. A rank that computes, or has nothing to send, is not
// suspected, nor is one that has not been connected with, or that shares memory with this one. Over sctp-kernel none ever is. It visits each rank.
func (c *Comm) GetSuspected() (*Group, error) {
	return groupOr(c.core().GetSuspected("mpi.Comm.GetSuspected"))
}

// GetAcked is the group of those of GetFailed whose death this rank has acknowledged on the communicator.
func (c *Comm) GetAcked() (*Group, error) { return groupOr(c.core().GetAcked("mpi.Comm.GetAcked")) }

// AckFailed acknowledges the first n failures of GetFailed on the communicator, and returns how many are acknowledged now.
//
// As long as one of the communicator is not acknowledged, receives and probes from AnySource fail, as the dead rank may have been the one to
// send: with ErrProcFailed if they wait. A request stays under way: Wait and Test return ErrProcFailedPending, and can be called again
// after AckFailed. Errors: ErrArg.
func (c *Comm) AckFailed(n int) (acked int, err error) {
	return valueOr(c.core().AckFailed("mpi.Comm.AckFailed", n))
}

// Agree returns the bitwise and of the flags that all living ranks have passed, the same on all of them, whoever dies meanwhile. All ranks
// call it, as a collective operation, also on a communicator that has been revoked. The error is the same on all ranks too: ErrProcFailed if a rank
// has died and not all have acknowledged that by AckFailed; the result is valid nevertheless. If the context of the view ends first the error is ErrPending, and
// the agreement goes on.
func (c *Comm) Agree(flags uint64) (uint64, error) { return valueOr(c.core().Agree(flags)) }

// IAgree is Agree that does not wait. When the request has completed the flags are the result; until then they must not be used.
func (c *Comm) IAgree(flags *uint64) (*Request, error) { return newRequest(c.core().IAgree(flags)) }

// Shrink returns a communicator of the ranks that live, in the same order. All of them call it, also on a communicator that has been revoked. It
// has none of those that any rank has known to be dead, and no hints, attributes or topology of c. Ranks that die
// meanwhile may still be in it: then its next operations fail, and it can be shrunk again.
func (c *Comm) Shrink() (*Comm, error) { return commOr(c.core().Shrink()) }

// IShrink is Shrink that does not wait. The communicator can be used when the request has completed without error.
func (c *Comm) IShrink() (*Comm, *Request, error) {
	made, request, err := c.core().IShrink()
	r, err := newRequest(request, err)
	return newComm(made), r, err
}
