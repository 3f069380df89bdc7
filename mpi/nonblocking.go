package mpi

import "github.com/sctpmpi/sctpmpi/mpi/internal/core"

// Ibarrier is Barrier that does not wait (MPI_IBARRIER; MPI 4.1, section 6.12.1): the request completes when all
// ranks have called it. See Ibcast.
func (c *Comm) Ibarrier() (*Request, error) { return newRequest(c.core().Barrier(core.Nonblocking)) }

// Ibcast is Bcast that does not wait (MPI_IBCAST; section 6.12.2). As all nonblocking collective operations it returns at
// once, goes on while the program computes (except in the mode inline), and its buffers must not be used until the request
// has completed. Any number of them may be under way on a communicator. All ranks start them in the same order, together with
// the blocking ones; they end in any order. They cannot be cancelled: Request.Cancel is ErrRequest. Errors of the
// arguments are returned at once, others by the request.
func Ibcast[T any](c *Comm, buf []T, root int) (*Request, error) {
	return newRequest(c.core().Bcast(core.Nonblocking, view(buf), root))
}

// Igather is Gather that does not wait (MPI_IGATHER; section 6.12.3). See Ibcast.
func Igather[T any](c *Comm, send, recv []T, root int) (*Request, error) {
	return newRequest(c.core().Gather(core.Nonblocking, view(send), view(recv), root))
}

// Igatherv is Gatherv that does not wait (MPI_IGATHERV; section 6.12.3). See Ibcast.
func Igatherv[T any](c *Comm, send, recv []T, layout Layout, root int) (*Request, error) {
	return newRequest(c.core().Gatherv(core.Nonblocking, view(send), view(recv), core.Layout(layout), root))
}

// Iscatter is Scatter that does not wait (MPI_ISCATTER; section 6.12.4). See Ibcast.
func Iscatter[T any](c *Comm, send, recv []T, root int) (*Request, error) {
	return newRequest(c.core().Scatter(core.Nonblocking, view(send), view(recv), root))
}

// Iscatterv is Scatterv that does not wait (MPI_ISCATTERV; section 6.12.4). See Ibcast.
func Iscatterv[T any](c *Comm, send []T, layout Layout, recv []T, root int) (*Request, error) {
	return newRequest(c.core().Scatterv(core.Nonblocking, view(send), core.Layout(layout), view(recv), root))
}

// Iallgather is Allgather that does not wait (MPI_IALLGATHER; section 6.12.5). See Ibcast.
func Iallgather[T any](c *Comm, send, recv []T) (*Request, error) {
	return newRequest(c.core().Allgather(core.Nonblocking, view(send), view(recv)))
}

// Iallgatherv is Allgatherv that does not wait (MPI_IALLGATHERV; section 6.12.5). See Ibcast.
func Iallgatherv[T any](c *Comm, send, recv []T, layout Layout) (*Request, error) {
	return newRequest(c.core().Allgatherv(core.Nonblocking, view(send), view(recv), core.Layout(layout)))
}

// Ialltoall is Alltoall that does not wait (MPI_IALLTOALL; section 6.12.6). See Ibcast.
func Ialltoall[T any](c *Comm, send, recv []T) (*Request, error) {
	return newRequest(c.core().Alltoall(core.Nonblocking, view(send), view(recv)))
}

// Ialltoallv is Alltoallv that does not wait (MPI_IALLTOALLV; section 6.12.6). See Ibcast.
func Ialltoallv[T any](c *Comm, send []T, sendLayout Layout, recv []T, recvLayout Layout) (*Request, error) {
	return newRequest(c.core().Alltoallv(core.Nonblocking, view(send), core.Layout(sendLayout), view(recv), core.Layout(recvLayout)))
}

// Ireduce is Reduce that does not wait (MPI_IREDUCE; section 6.12.7). See Ibcast. With an operation of the program's
// own it goes on only while a goroutine of the program is in a call of this package: that goroutine calls the operation.
func Ireduce[T any](c *Comm, send, recv []T, op Op[T], root int) (*Request, error) {
	return newRequest(c.core().Reduce(core.Nonblocking, view(send), view(recv), reduction(op), root))
}

// Iallreduce is Allreduce that does not wait (MPI_IALLREDUCE; section 6.12.8). See Ireduce.
func Iallreduce[T any](c *Comm, send, recv []T, op Op[T]) (*Request, error) {
	return newRequest(c.core().Allreduce(core.Nonblocking, view(send), view(recv), reduction(op)))
}

// Iscan is Scan that does not wait (MPI_ISCAN; section 6.12.11). See Ireduce.
func Iscan[T any](c *Comm, send, recv []T, op Op[T]) (*Request, error) {
	return newRequest(c.core().Scan(core.Nonblocking, view(send), view(recv), reduction(op)))
}

// Iexscan is Exscan that does not wait (MPI_IEXSCAN; section 6.12.12). See Ireduce.
func Iexscan[T any](c *Comm, send, recv []T, op Op[T]) (*Request, error) {
	return newRequest(c.core().Exscan(core.Nonblocking, view(send), view(recv), reduction(op)))
}

// IreduceScatterBlock is ReduceScatterBlock that does not wait (MPI_IREDUCE_SCATTER_BLOCK; section 6.12.9). See Ireduce.
func IreduceScatterBlock[T any](c *Comm, send, recv []T, op Op[T]) (*Request, error) {
	return newRequest(c.core().ReduceScatterBlock(core.Nonblocking, view(send), view(recv), reduction(op)))
}

// IreduceScatter is ReduceScatter that does not wait (MPI_IREDUCE_SCATTER; section 6.12.10). See Ireduce.
func IreduceScatter[T any](c *Comm, send, recv []T, counts []int, op Op[T]) (*Request, error) {
	return newRequest(c.core().ReduceScatter(core.Nonblocking, view(send), view(recv), counts, reduction(op)))
}
