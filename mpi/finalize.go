package mpi

// Finalize ends this process's part in its job (MPI_FINALIZE; section 11.2).
// All ranks call it, on the world communicator, when all their requests are
// complete and all messages are received. It returns ErrComm if a collective is
// under way, and ErrSession if a session is open. It waits until all ranks have called it, closes the transport in
// good order, and finalizes with the launcher. Afterwards every operation on any
// communicator returns ErrClosed. It is no error here that other ranks have failed.
//
// A rank that calls another collective operation meanwhile gets ErrOther, and so does
// this one if that is on the same communicator. The process is still in its job then, as after ErrComm and
// ErrCancelled (see Comm.WithContext), but receives no more: Abort ends it.
//
// A process that has called Finalize starts no receives and probes any more:
// those are ErrClosed. A send to it that waits for its receive, or for room,
// and that no receive started before can match, fails with ErrProcFailed on the
// sender's rank.
//
// Requests that are still open end with ErrClosed, and Finalize with ErrPending
// that names them. Messages that were never received are ErrOther, which names
// them too; where other ranks have failed it names only those of which the sends
// have failed. The errors of everything that went wrong are joined.
func (c *Comm) Finalize() error { return public(c.core().Finalize()) }
