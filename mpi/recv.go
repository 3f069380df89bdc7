package mpi

import "github.com/sctpmpi/sctpmpi/mpi/internal/core/mpierr"

// Recv receives a message from the rank source, or AnySource, with the given
// tag, or AnyTag, into buf (MPI_RECV; MPI 4.1, section 3.2.4). The message may
// be shorter than buf: Status.Count tells. If it is longer the error is
// ErrTruncate; if its elements are not of the kinds that buf has, the error is
// ErrType. Both times buf is left as it was, the message is gone,
// and the Status describes it.
//
// Messages from one rank on one communicator are received in the order in
// which they were sent, as far as the receives could take either.
//
// Other errors: ErrComm, ErrType, ErrRank, ErrTag for the arguments,
// ErrProcFailed, ErrCancelled (see Comm.WithContext), ErrClosed.
func Recv[T any](c *Comm, buf []T, source, tag int) (Status, error) {
	return outcome(c.core().Recv("mpi.Recv", view(buf), source, tag))
}

// Irecv starts a receive into buf, which must not be used until the request
// has completed (MPI_IRECV; section 3.7.2). Errors of the arguments are
// returned at once, others by the request.
func Irecv[T any](c *Comm, buf []T, source, tag int) (*Request, error) {
	return newRequest(c.core().Irecv("mpi.Irecv", view(buf), source, tag))
}

// RecvSlice receives a message of any length into a slice that it allocates,
// with the errors of Recv except ErrTruncate. It matches the message first,
// with Mprobe, so that several goroutines may use it at once. The sender
// decides how much is allocated: use Mprobe and Mrecv to look first.
func RecvSlice[T any](c *Comm, source, tag int) ([]T, Status, error) {
	const op = "mpi.RecvSlice"
	t := datatypeOf[T]()
	m, status, err := c.core().MprobeFor(op, t, source, tag)
	if err != nil {
		return nil, Status(status), public(err)
	}
	buf := make([]T, m.Room(t))
	status, err = m.Recv(op, view(buf))
	if err == nil && status.Count == Undefined {
		err = mpierr.Invalid(op, ErrType, "%d bytes from rank %d with tag %d are no whole number of elements of %s, which have %d bytes",
			status.Bytes, status.Source, status.Tag, t.Name(), t.Item()).About(status.Source)
	}
	if err != nil {
		return nil, Status(status), public(err)
	}
	return buf, Status(status), nil
}

// Sendrecv sends and receives at the same time (MPI_SENDRECV; section 3.10),
// so that ranks that exchange messages do not wait for each other in a
// circle. The two buffers must not overlap (ErrBuffer). Both halves are always
// brought to their end; the error is that of the receive if both fail. The
// Status is that of the receive, and says what was received even if the send
// has failed.
func Sendrecv[S, R any](c *Comm, send []S, dest, sendTag int, recv []R, source, recvTag int) (Status, error) {
	return outcome(c.core().Sendrecv("mpi.Sendrecv", view(send), dest, sendTag, view(recv), source, recvTag))
}

// SendrecvReplace is Sendrecv with one buffer for both messages: it is copied, sent, and received into
// (MPI_SENDRECV_REPLACE; section 3.10). The message received may be shorter.
func SendrecvReplace[T any](c *Comm, buf []T, dest, sendTag, source, recvTag int) (Status, error) {
	return outcome(c.core().SendrecvReplace("mpi.SendrecvReplace", view(buf), dest, sendTag, source, recvTag))
}

// Isendrecv starts to send and to receive at the same time (MPI_ISENDRECV; section 3.10). The request completes when both
// are done, with the outcome that Sendrecv has. It cannot be cancelled.
func Isendrecv[S, R any](c *Comm, send []S, dest, sendTag int, recv []R, source, recvTag int) (*Request, error) {
	return newRequest(c.core().Isendrecv("mpi.Isendrecv", view(send), dest, sendTag, view(recv), source, recvTag))
}

// IsendrecvReplace is Isendrecv with one buffer for both messages, as in SendrecvReplace (MPI_ISENDRECV_REPLACE; section
// 3.10).
func IsendrecvReplace[T any](c *Comm, buf []T, dest, sendTag, source, recvTag int) (*Request, error) {
	return newRequest(c.core().IsendrecvReplace("mpi.IsendrecvReplace", view(buf), dest, sendTag, source, recvTag))
}

// SendrecvReplaceData is SendrecvReplace of Data.
func SendrecvReplaceData(c *Comm, d Data, dest, sendTag, source, recvTag int) (Status, error) {
	return outcome(c.core().SendrecvReplace("mpi.SendrecvReplaceData", d.memory(), dest, sendTag, source, recvTag))
}
