package mpi

import "github.com/sctpmpi/sctpmpi/mpi/internal/core"

// BarrierInit returns a persistent request that is a Barrier each time that it is started (MPI_BARRIER_INIT; MPI 4.1, section
// 6.13.1). See BcastInit.
func (c *Comm) BarrierInit() (*Request, error) { return newRequest(c.core().Barrier(core.Persistent)) }

// BcastInit returns a persistent request that is a Bcast of buf each time that it is started (MPI_BCAST_INIT; section
// 6.13.2). Requests of this kind, for all collective operations, are made by all ranks of the communicator in the same
// order, together with the other collective calls, and that waits for all of them. Then Request.Start starts one, and Wait
// or Test ends it, as often as the program likes: each rank in whatever order, with several under way at once. All ranks
// start each one equally often. What can be prepared is done when the request is made; starting it allocates nothing.
//
// The buffers must not be used while the request is active; layouts and counts are not needed after the call. As with
// SendInit, the request is inactive before Start and after Wait, and freed with Request.Free, which is ErrRequest while it
// is under way. It cannot be cancelled. When a run has failed the request can be started again. Errors of the arguments are
// returned by BcastInit, on all ranks, others by Wait and Test.
func BcastInit[T any](c *Comm, buf []T, root int) (*Request, error) {
	return newRequest(c.core().Bcast(core.Persistent, view(buf), root))
}

// GatherInit is BcastInit for Gather (MPI_GATHER_INIT; section 6.13.3).
func GatherInit[T any](c *Comm, send, recv []T, root int) (*Request, error) {
	return newRequest(c.core().Gather(core.Persistent, view(send), view(recv), root))
}

// GathervInit is BcastInit for Gatherv (MPI_GATHERV_INIT; section 6.13.3).
func GathervInit[T any](c *Comm, send, recv []T, layout Layout, root int) (*Request, error) {
	return newRequest(c.core().Gatherv(core.Persistent, view(send), view(recv), core.Layout(layout), root))
}

// ScatterInit is BcastInit for Scatter (MPI_SCATTER_INIT; section 6.13.4).
func ScatterInit[T any](c *Comm, send, recv []T, root int) (*Request, error) {
	return newRequest(c.core().Scatter(core.Persistent, view(send), view(recv), root))
}

// ScattervInit is BcastInit for Scatterv (MPI_SCATTERV_INIT; section 6.13.4).
func ScattervInit[T any](c *Comm, send []T, layout Layout, recv []T, root int) (*Request, error) {
	return newRequest(c.core().Scatterv(core.Persistent, view(send), core.Layout(layout), view(recv), root))
}

// AllgatherInit is BcastInit for Allgather (MPI_ALLGATHER_INIT; section 6.13.5).
func AllgatherInit[T any](c *Comm, send, recv []T) (*Request, error) {
	return newRequest(c.core().Allgather(core.Persistent, view(send), view(recv)))
}

// AllgathervInit is BcastInit for Allgatherv (MPI_ALLGATHERV_INIT; section 6.13.5).
func AllgathervInit[T any](c *Comm, send, recv []T, layout Layout) (*Request, error) {
	return newRequest(c.core().Allgatherv(core.Persistent, view(send), view(recv), core.Layout(layout)))
}

// AlltoallInit is BcastInit for Alltoall (MPI_ALLTOALL_INIT; section 6.13.6).
func AlltoallInit[T any](c *Comm, send, recv []T) (*Request, error) {
	return newRequest(c.core().Alltoall(core.Persistent, view(send), view(recv)))
}

// AlltoallvInit is BcastInit for Alltoallv (MPI_ALLTOALLV_INIT; section 6.13.6).
func AlltoallvInit[T any](c *Comm, send []T, sendLayout Layout, recv []T, recvLayout Layout) (*Request, error) {
	return newRequest(c.core().Alltoallv(core.Persistent, view(send), core.Layout(sendLayout), view(recv), core.Layout(recvLayout)))
}

// ReduceInit is BcastInit for Reduce (MPI_REDUCE_INIT; section 6.13.7). With an operation of the program's own it
// goes on only while a goroutine of the program is in a call of this package: that goroutine calls the operation.
func ReduceInit[T any](c *Comm, send, recv []T, op Op[T], root int) (*Request, error) {
	return newRequest(c.core().Reduce(core.Persistent, view(send), view(recv), reduction(op), root))
}

// AllreduceInit is ReduceInit for Allreduce (MPI_ALLREDUCE_INIT; section 6.13.8).
func AllreduceInit[T any](c *Comm, send, recv []T, op Op[T]) (*Request, error) {
	return newRequest(c.core().Allreduce(core.Persistent, view(send), view(recv), reduction(op)))
}

// ScanInit is ReduceInit for Scan (MPI_SCAN_INIT; section 6.13.11).
func ScanInit[T any](c *Comm, send, recv []T, op Op[T]) (*Request, error) {
	return newRequest(c.core().Scan(core.Persistent, view(send), view(recv), reduction(op)))
}

// ExscanInit is ReduceInit for Exscan (MPI_EXSCAN_INIT; section 6.13.12).
func ExscanInit[T any](c *Comm, send, recv []T, op Op[T]) (*Request, error) {
	return newRequest(c.core().Exscan(core.Persistent, view(send), view(recv), reduction(op)))
}

// ReduceScatterBlockInit is ReduceInit for ReduceScatterBlock (MPI_REDUCE_SCATTER_BLOCK_INIT; section 6.13.9).
func ReduceScatterBlockInit[T any](c *Comm, send, recv []T, op Op[T]) (*Request, error) {
	return newRequest(c.core().ReduceScatterBlock(core.Persistent, view(send), view(recv), reduction(op)))
}

// ReduceScatterInit is ReduceInit for ReduceScatter (MPI_REDUCE_SCATTER_INIT; section 6.13.10).
func ReduceScatterInit[T any](c *Comm, send, recv []T, counts []int, op Op[T]) (*Request, error) {
	return newRequest(c.core().ReduceScatter(core.Persistent, view(send), view(recv), counts, reduction(op)))
}
