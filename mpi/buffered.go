package mpi

import (
	"context"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// BufferedOverhead is how many bytes each buffered message counts beside its own (MPI_BSEND_OVERHEAD; MPI 4.1, section
// 3.6).
const BufferedOverhead = rpi.BufferedOverhead

// LimitBuffer bounds the messages of Bsend, Ibsend and BsendInit on the communicator that have been copied and have not
// left: their bytes, with BufferedOverhead for each. A send beyond it fails with ErrBuffer. It takes the place of
// MPI_COMM_ATTACH_BUFFER (section 3.6); this library has the memory itself, and needs it only while there are such
// messages. Without a limit, or if it is less than 0, WithUnexpectedLimit bounds them.
func (c *Comm) LimitBuffer(bytes int) error {
	return public(c.core().LimitBuffer("mpi.LimitBuffer", bytes))
}

// FlushBuffer waits until all buffered messages of the communicator have left (MPI_COMM_FLUSH_BUFFER; section 3.6); on
// one without a limit of its own, those of all such communicators of the process (MPI_BUFFER_FLUSH). A short message has
// left when the network has it; a long one waits for its receive. When ctx ends first the error is ErrPending. Messages
// that other goroutines send meanwhile count.
func (c *Comm) FlushBuffer(ctx context.Context) error {
	r, err := c.core().FlushBuffer("mpi.FlushBuffer")
	if err == nil {
		_, err = r.Wait(ctx)
	}
	return public(err)
}

// IflushBuffer is FlushBuffer that does not wait (MPI_COMM_IFLUSH_BUFFER, MPI_BUFFER_IFLUSH; section 3.6).
func (c *Comm) IflushBuffer() (*Request, error) {
	return newRequest(c.core().FlushBuffer("mpi.IflushBuffer"))
}
