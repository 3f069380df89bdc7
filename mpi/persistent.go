package mpi

import (
	"github.com/sctpmpi/sctpmpi/mpi/internal/core"
	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// SendInit returns a persistent request: it sends buf, as it is then, each time that Start starts it (MPI_SEND_INIT; MPI
// 4.1, section 3.9). Between Start and the Wait or Test that returns the outcome it is active, like any other request;
// otherwise it is inactive, and Wait, Test and the like return at once, with an empty Status, as for nil. It can be
// started again when it is inactive. Starting it allocates nothing.
//
// A program that does not need it any more frees it with Request.Free. Errors of the arguments are returned by SendInit,
// others by Wait and Test.
func SendInit[T any](c *Comm, buf []T, dest, tag int) (*Request, error) {
	return newRequest(c.core().SendInit("mpi.SendInit", rpi.Standard, view(buf), dest, tag))
}

// SsendInit is SendInit in synchronous mode (MPI_SSEND_INIT; section 3.9).
func SsendInit[T any](c *Comm, buf []T, dest, tag int) (*Request, error) {
	return newRequest(c.core().SendInit("mpi.SsendInit", rpi.Synchronous, view(buf), dest, tag))
}

// BsendInit is SendInit in buffered mode (MPI_BSEND_INIT; section 3.9): each Start copies buf.
func BsendInit[T any](c *Comm, buf []T, dest, tag int) (*Request, error) {
	return newRequest(c.core().SendInit("mpi.BsendInit", rpi.Buffered, view(buf), dest, tag))
}

// RsendInit is SendInit in ready mode (MPI_RSEND_INIT; section 3.9).
func RsendInit[T any](c *Comm, buf []T, dest, tag int) (*Request, error) {
	return newRequest(c.core().SendInit("mpi.RsendInit", rpi.Ready, view(buf), dest, tag))
}

// RecvInit returns a persistent request that receives a message into buf each time that it is started (MPI_RECV_INIT;
// section 3.9). See SendInit.
func RecvInit[T any](c *Comm, buf []T, source, tag int) (*Request, error) {
	return newRequest(c.core().RecvInit("mpi.RecvInit", view(buf), source, tag))
}

// Start starts a persistent request, which is inactive (MPI_START; section 3.9), and returns at once. The error is
// ErrRequest if it is active, not persistent, or freed. All else that goes wrong Wait and Test report.
func (r *Request) Start() error { return public(r.core().Start("mpi.Start")) }

// StartAll starts requests, in order (MPI_STARTALL; section 3.9). The error joins those of the requests that could not
// be started, each with its index; the others are active.
func StartAll(reqs ...*Request) error { return core.StartAll("mpi.StartAll", coreRequests(reqs)) }

// Free says that the request is not needed any more (MPI_REQUEST_FREE; section 3.7.3). It is for persistent requests,
// which keep memory, and the context of their communicator, until then; and for others whose outcome the program does
// not ask for, by Wait or Test. If the request is active its message is sent or received all the same, and the buffer
// stays in use until then: only Wait, Test and Done can tell. A collective or partitioned operation cannot be freed while it is under way: that is ErrRequest, as is a second
// Free.
func (r *Request) Free() error { return public(r.core().Free("mpi.Free")) }
